/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A run consists of two drop-ins in runtime directories, which do not survive a reboot: one for perf-recorderd.conf(5) with
 * PerfConfig= and BaseDirectory=, and one for the service's unit, because its sandbox denies writing to that directory. The
 * caller writes them, not the service: no path goes over the bus. */

#include "perf-daemon-run.h"

#include <fcntl.h>
#include <spawn.h>

#include "atomic-file.h"
#include "child-process.h"
#include "exit-status.h"
#include "fd-file.h"
#include "format-text.h"
#include "line-reader.h"
#include "search-path.h"
#include "strv.h"

#define DROP_IN "90-perf-daemon.conf"
#define UNIT "perf-recorderd.service"

extern char **environ;

typedef struct RunFiles {
        char *settings, *unit; /* directories of the drop-ins */
} RunFiles;

static void run_files_done(RunFiles *f) {
        free(f->settings);
        free(f->unit);
}

static int run_files_init(RunFiles *f, bool user) {
        _cleanup_strv_free_ char **roots = NULL;
        const char *runtime = getenv("XDG_RUNTIME_DIR");
        int r = search_path_roots(user, &roots);

        if (r < 0)
                return r;
        if (user && (!runtime || *runtime != '/'))
                return -ENOENT;
        f->settings = path_join(roots[1], "perf-recorderd.conf.d");
        f->unit = user ? path_join(runtime, "systemd/user/" UNIT ".d") : strdup("/run/systemd/system/" UNIT ".d");
        return f->settings && f->unit ? 0 : -ENOMEM;
}

static int run_files_write(const char *directory, const char *text) {
        _cleanup_free_ char *path = path_join(directory, DROP_IN);
        int r = path ? make_directories(directory, 0755) : -ENOMEM;

        if (r >= 0)
                r = write_file_atomic(AT_FDCWD, path, 0644, text, strlen(text));
        if (r < 0)
                (void) fprintf(stderr, "failed: cannot write %s/" DROP_IN ": %s\n", directory, strerror(-r));
        return r;
}

/* 1: it existed. */
static int run_files_remove(const char *directory) {
        _cleanup_free_ char *path = path_join(directory, DROP_IN);

        if (!path)
                return -ENOMEM;
        return unlink(path) >= 0 ? 1 : errno == ENOENT ? 0 : -errno;
}

/* Quotes the path and doubles its "%", because ReadWritePaths= takes words with specifiers. */
static char *run_files_unit_text(const char *base) {
        _cleanup_free_ char *quoted = malloc(2 * strlen(base) + 1);
        char *p = quoted;

        if (!quoted)
                return NULL;
        for (; *base; base++) {
                if (*base == '%' || *base == '"' || *base == '\\')
                        *p++ = *base == '%' ? '%' : '\\';
                *p++ = *base;
        }
        *p = '\0';
        return format_text("[Service]\nReadWritePaths=\"%s\"\n", quoted);
}

static int run_files_write_all(const RunFiles *f, const char *config, const char *base) {
        _cleanup_free_ char *settings = format_text("[Recorder]\nBaseDirectory=%s\nPerfConfig=%s\n", base, config ?: "");
        _cleanup_free_ char *unit = run_files_unit_text(base);
        int r = settings && unit ? 0 : -ENOMEM;

        if (r >= 0)
                r = run_files_write(f->settings, settings);
        if (r >= 0)
                r = run_files_write(f->unit, unit);
        return r;
}

/* Runs systemctl for the system's or the user's manager. Its output goes to standard error. */
static int run_systemctl(bool user, const char *verb, const char *unit) {
        const char *words[] = { "systemctl", user ? "--user" : "--system", "--quiet", verb, unit, NULL };
        posix_spawn_file_actions_t actions;
        pid_t pid;
        int r;

        (void) posix_spawn_file_actions_init(&actions);
        (void) posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
        r = -posix_spawnp(&pid, words[0], &actions, NULL, (char **) words, environ);
        (void) posix_spawn_file_actions_destroy(&actions);
        if (r < 0) {
                (void) fprintf(stderr, "failed: cannot run systemctl: %s\n", strerror(-r));
                return r;
        }
        r = child_wait(pid, NULL);
        return r > 0 || r == -EPROTO ? -EIO : r;
}

static bool run_path_fits(const char *path) {
        return !line_complaint(path, strlen(path)) && path[strlen(path) - 1] != '\\';
}

int perf_daemon_run_begin(const ClientOptions *o, const char *config, const char *base) {
        _cleanup_(run_files_done) RunFiles f = {};
        int r;

        if (!run_path_fits(base) || (config && !run_path_fits(config))) {
                (void) fprintf(stderr, "failed: control characters are not supported in the paths of base and config\n");
                return STATUS_FAILED;
        }
        r = run_files_init(&f, o->user);
        if (r < 0)
                return verb_fail("find the runtime directory", r);
        r = run_files_write_all(&f, config, base);
        if (r >= 0)
                r = run_systemctl(o->user, "daemon-reload", NULL);
        if (r >= 0)
                r = run_systemctl(o->user, "restart", UNIT);
        if (r >= 0)
                return STATUS_OK;
        (void) perf_daemon_run_end(o);
        (void) fprintf(stderr, "failed: perf-recorderd did not start\n");
        return STATUS_FAILED;
}

int perf_daemon_run_end(const ClientOptions *o) {
        _cleanup_(run_files_done) RunFiles f = {};
        int r = run_files_init(&f, o->user), unit = 0;

        if (r >= 0)
                r = run_files_remove(f.settings);
        if (r >= 0)
                r = unit = run_files_remove(f.unit);
        if (r >= 0 && unit > 0)
                r = run_systemctl(o->user, "daemon-reload", NULL);
        return r < 0 ? verb_fail("end the run of perf daemon's sessions", r) : STATUS_OK;
}
