/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl on another host. ssh passes one line to a shell there, so words are quoted for the shell. */

#include "remote-run.h"

#include <fcntl.h>

#include "atomic-file.h"
#include "child-process.h"
#include "exit-status.h"
#include "strv.h"

#define SSH_FAILED 255 /* ssh(1): an error of its own, and not of the program that it ran */

/* Puts the word in single quotes, between which a shell changes nothing. */
static char *remote_quote(const char *word) {
        _cleanup_free_ char *quoted = malloc(4 * strlen(word) + 3);
        char *p = quoted;

        if (!quoted)
                return NULL;
        *p++ = '\'';
        for (; *word; word++)
                p = *word == '\'' ? mempcpy(p, "'\\''", 4) : mempcpy(p, word, 1);
        memcpy(p, "'", 2);
        return steal_ptr(quoted);
}

static int remote_add_host(const ClientOptions *o, char ***command) {
        const char *port = strrchr(o->host, ':');
        int r = 0;

        if (strchr(o->host, '/'))
                return -EOPNOTSUPP;
        if (port) {
                r = strv_extend(command, "-p");
                if (r >= 0)
                        r = strv_extend(command, port + 1);
        }
        if (r >= 0)
                r = strv_extend(command, "--");
        return r < 0 ? r : strv_extendf(command, "%.*s", (int) strcspn(o->host, port ? ":" : ""), o->host);
}

/* -EOPNOTSUPP: o->host names a container of the host. */
static int remote_command(const ClientOptions *o, char *const *words, bool terminal, char ***ret) {
        _cleanup_strv_free_ char **command = NULL;
        const char *ssh = getenv("SYSTEMD_SSH");
        int r = strv_extend(&command, ssh ?: "ssh");

        if (r >= 0)
                r = strv_extend(&command, terminal ? "-xt" : "-xT");
        if (r >= 0)
                r = remote_add_host(o, &command);
        if (r >= 0)
                r = strv_extend(&command, "perfctl");
        if (r >= 0 && !terminal)
                r = strv_extend(&command, "--no-pager");
        if (r >= 0 && o->quiet)
                r = strv_extend(&command, "--quiet");
        STRV_FOREACH(word, words)
                if (r >= 0)
                        r = strv_consume(&command, remote_quote(*word));
        if (r < 0)
                return r;
        *ret = steal_ptr(command);
        return 0;
}

typedef struct RemoteStart {
        char *const *command;
        int output_fd;
} RemoteStart;

static void remote_exec(void *userdata) {
        const RemoteStart *start = userdata;

        (void) dup2(start->output_fd, STDOUT_FILENO);
        child_exec(start->command, SSH_FAILED);
}

static int remote_start(const ClientOptions *o, char *const *words, bool terminal, int output_fd) {
        _cleanup_strv_free_ char **command = NULL;
        int r = remote_command(o, words, terminal, &command);

        if (r == -EOPNOTSUPP) {
                (void) fprintf(stderr, "'%s' does not reach into a container of another host: run perfctl there\n",
                               words[0]);
                return STATUS_FAILED;
        }
        if (r < 0)
                return verb_fail("run ssh", r);
        r = child_run(remote_exec, &(RemoteStart) { .command = command, .output_fd = output_fd });
        if (r < 0 && r != -EPROTO)
                return verb_fail("run ssh", r);
        return r == -EPROTO || r == SSH_FAILED ? STATUS_FAILED : r;
}

int remote_run(const ClientOptions *o, char *const *words, int output_fd) {
        return remote_start(o, words, false, output_fd);
}

int remote_run_on_terminal(const ClientOptions *o, char *const *words) {
        return remote_start(o, words, true, STDOUT_FILENO);
}

int remote_copy(const ClientOptions *o, char *const *words, const char *path) {
        _cleanup_(atomic_file_done) AtomicFile f = ATOMIC_FILE_EMPTY;
        int status, r = atomic_file_open(&f, AT_FDCWD, path, 0600);

        if (r >= 0) {
                status = remote_run(o, words, f.fd);
                if (status != STATUS_OK)
                        return status;
                r = atomic_file_commit(&f);
        }
        if (r >= 0)
                return STATUS_OK;
        (void) fprintf(stderr, "Failed to write %s: %s\n", path, strerror(-r));
        return STATUS_FAILED;
}
