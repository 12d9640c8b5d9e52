/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Adopts a recorder that runs already: one from the descriptor store, with all that is known of it, or one that is
 * found in its scope, where only its environment shows whose it is. From then on it is like one of ours, but for its
 * exit status, which its parent gets.
 *
 * The counters page of one found by its scope is opened through /proc, so that its figures are live again. */

#include "format-text.h"
#include "recorder-process.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <time.h>
#include <sys/pidfd.h>
#include <sys/stat.h>

#include <perf-recorder/control-words.h>
#include <perf-recorder/environment.h>

#include "fd-file.h"
#include "parse-number.h"

#define ENVIRONMENT_MAX (1024 * 1024)
#define STAT_SKIPPED " %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
#define POSITION_END UINT64_MAX /* a daemon that left nothing has forwarded what is in the output */

/* Tells whether a descriptor of a process is a file of the session's directory that has no name any more. The path of that
 * directory is not compared: it may have been renamed before it was removed, and its mount may be gone. */
static bool is_deleted(int descriptors_fd, const char *number, const char *session, const char *file) {
        _cleanup_free_ char *end = NULL;
        char target[PATH_MAX];
        ssize_t n;
        size_t k;

        end = format_text("/session-%s/%s (deleted)", session, file);
        if (!end)
                return false;
        n = readlinkat(descriptors_fd, number, target, sizeof(target) - 1);
        if (n < 0)
                return false;
        target[n] = '\0';
        k = strlen(end);
        return (size_t) n >= k && streq(target + (size_t) n - k, end);
}

/* Opens such a file of the recorder's. -ENOENT: it has none. */
static int open_deleted(const Recorder *r, const char *file, mode_t type, int *ret) {
        _cleanup_closedir_ DIR *dir = NULL;
        const struct dirent *e;
        char path[64];

        snprintf(path, sizeof(path), "/proc/%d/fd", (int) r->process.pid);
        dir = opendir(path);
        if (!dir)
                return -errno;
        while ((e = readdir(dir))) {
                _cleanup_close_ int fd = -EBADF;
                struct stat st;

                if (!is_deleted(dirfd(dir), e->d_name, r->owner->name, file))
                        continue;
                fd = openat(dirfd(dir), e->d_name, O_RDWR | O_APPEND | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
                if (fd < 0 || fstat(fd, &st) < 0)
                        return -errno;
                if ((st.st_mode & S_IFMT) != type)
                        return -EBADFD;
                *ret = steal_fd(&fd);
                return 0;
        }
        return -ENOENT;
}

/* If somebody removed the session's directory, only the recorder's own descriptors lead to its FIFOs. */
static int open_fifos(const Recorder *r, SessionFifos *ret) {
        SessionFifos f = SESSION_FIFOS_EMPTY;
        int k = session_directory_open_fifos(r->directory_fd, false, ret);

        if (k != -ENOENT)
                return k;
        k = open_deleted(r, "control", S_IFIFO, &f.control_fd);
        if (k >= 0)
                k = open_deleted(r, "ack", S_IFIFO, &f.ack_fd);
        if (k < 0) {
                session_fifos_close(&f);
                return k;
        }
        *ret = f;
        return 0;
}

/* The path of a directory: pid's working directory, or that of fd if it is one of ours. */
static int read_directory_link(pid_t pid, int fd, char ret[PATH_MAX]) {
        char path[64];
        ssize_t n;

        if (fd >= 0)
                snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
        else
                snprintf(path, sizeof(path), "/proc/%d/cwd", (int) pid);
        n = readlink(path, ret, PATH_MAX - 1);
        if (n < 0)
                return -errno;
        ret[n] = '\0';
        return 0;
}

/* By the name, a directory that a previous daemon with another base gave it is known from one that a foreign recorder
 * went to by itself. A directory that was removed has " (deleted)" behind its name. */
bool recorder_is_displaced(const Recorder *r, char ret_path[PATH_MAX]) {
        struct stat own, used;
        const char *entry;
        char cwd[64];

        snprintf(cwd, sizeof(cwd), "/proc/%d/cwd", (int) r->process.pid);
        if (r->process.pid <= 0 || stat(cwd, &used) < 0 || read_directory_link(r->process.pid, -EBADF, ret_path) < 0)
                return false;
        entry = strrchr(ret_path, '/');
        if (!entry || !startswith(entry, "/session-") || !streq(startswith(entry, "/session-"), r->owner->name))
                return false;
        return fstatat(r->owner->host->base.fd, entry + 1, &own, AT_SYMLINK_NOFOLLOW) < 0 || own.st_dev != used.st_dev ||
               own.st_ino != used.st_ino;
}

/* Until it is ended, a displaced recorder is used where it is. */
static int open_session_directory(Recorder *r) {
        char path[PATH_MAX], cwd[64];

        if (!recorder_is_displaced(r, path))
                return base_directory_open_session(&r->owner->host->base, r->owner->name, &r->directory_fd);
        snprintf(cwd, sizeof(cwd), "/proc/%d/cwd", (int) r->process.pid);
        r->directory_fd = open(cwd, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        return r->directory_fd < 0 ? -errno : 0;
}

static int open_directory(Recorder *r, unsigned outstanding) {
        SessionFifos fifos = SESSION_FIFOS_EMPTY;
        struct stat st;
        int k;

        k = open_session_directory(r);
        if (k >= 0)
                k = open_fifos(r, &fifos);
        if (k >= 0)
                k = recorder_talk(r, &fifos, outstanding);
        if (k >= 0) {
                k = open_deleted(r, "output", S_IFREG, &r->output.fd);
                if (k == -ENOENT)
                        k = session_directory_open_output(r->directory_fd, false, &r->output.fd);
        }
        if (k < 0)
                return k;
        if (r->output.position == POSITION_END)
                r->output.position = fstat(r->output.fd, &st) < 0 ? 0 : (uint64_t) st.st_size;
        recorder_follow_output(r);
        return 0;
}

/* -ENXIO: the variable is not in its environment. */
static int read_variable(pid_t pid, const char *name, char **ret) {
        _cleanup_free_ char *block = NULL; /* zero-separated */
        char path[64];
        size_t size;
        int r;

        snprintf(path, sizeof(path), "/proc/%d/environ", (int) pid);
        r = read_file(path, ENVIRONMENT_MAX, &block, &size);
        if (r < 0)
                return r;
        for (const char *p = block; p < block + size; p += strlen(p) + 1) {
                const char *value = startswith(p, name);

                if (value && *value == '=')
                        return free_and_strdup(ret, value + 1);
        }
        return -ENXIO;
}

int recorder_attach(Recorder *r, pid_t pid, int pidfd, unsigned outstanding) {
        _cleanup_free_ char *keeps = NULL, *lends = NULL, *windows = NULL;
        RecorderPhase phase = r->phase;
        ControlWaiter *w;
        int k;

        r->phase = PHASE_OPEN;
        r->lent.is_able = !r->is_foreign && read_variable(pid, PR_LENDS_ENV, &lends) >= 0;
        r->makes_windows = !r->is_foreign && read_variable(pid, PR_WINDOWS_ENV, &windows) >= 0;
        k = recorder_watch_process(r, pid, pidfd);
        if (k < 0) {
                r->phase = PHASE_NONE;
                return k;
        }
        k = open_directory(r, outstanding);
        if (k < 0)
                recorder_fail(r, SESSION_RESULT_RESOURCES, k, "%s cannot be used again: %s", r->owner->directory, strerror(-k));
        else if (phase == PHASE_UP)
                recorder_set_phase(r, PHASE_UP, SESSION_CHANGE_PROCESS);
        else if (phase == PHASE_TERM || phase == PHASE_KILL)
                recorder_terminate(r);
        else {
                recorder_set_phase(r, PHASE_OPEN, 0);
                recorder_ask_ready(r);
                k = recorder_limit_start(r);
        }
        /* The rings that a previous daemon kept went with it. A recorder that was not started by a daemon that keeps them does not
         * know the word, nor does one that is not ours. */
        if (k >= 0 && r->control && phase != PHASE_TERM && phase != PHASE_KILL && !r->is_foreign &&
            read_variable(pid, PR_KEEP_ENV, &keeps) >= 0)
                (void) control_send(r->control, PR_CONTROL_HAND_OVER, NULL, NULL, &w);
        return k;
}

/* Its environment says so, and it works in the session's directory of this base: another daemon may have another. */
static bool belongs_to(int base_fd, pid_t pid, const char *session) {
        _cleanup_free_ char *name = NULL, *directory = NULL;
        char base[PATH_MAX], cwd[PATH_MAX];

        if (read_variable(pid, PR_SESSION_ENV, &name) < 0 || !streq(name, session))
                return false;
        if (read_directory_link(0, base_fd, base) < 0 || read_directory_link(pid, -EBADF, cwd) < 0)
                return false;
        directory = format_text("%s/session-%s", base, session);
        if (!directory)
                return false;
        return startswith(cwd, directory); /* " (deleted)" may follow */
}

/* proc(5): the fields of stat behind the name, which may hold anything. The 22nd is when it started, in ticks since the boot. */
static int read_stat(pid_t pid, int *ret_parent, unsigned long long *ret_ticks) {
        _cleanup_free_ char *text = NULL;
        char path[64], *field;

        snprintf(path, sizeof(path), "/proc/%d/stat", (int) pid);
        if (read_file(path, 4096, &text, NULL) < 0)
                return -ESRCH;
        field = strrchr(text, ')');
        return field && sscanf(field, ") %*c %d" STAT_SKIPPED "%llu", ret_parent, ret_ticks) == 2 ? 0 : -ENODATA;
}

static pid_t parent_of(pid_t pid) {
        unsigned long long ticks;
        int parent;

        return read_stat(pid, &parent, &ticks) < 0 ? 0 : (pid_t) parent;
}

static usec_t start_of(pid_t pid) {
        usec_t now = now_usec(CLOCK_REALTIME), up = now_usec(CLOCK_BOOTTIME), started;
        unsigned long long ticks;
        int parent;

        if (read_stat(pid, &parent, &ticks) < 0)
                return now;
        started = ticks * USEC_PER_SEC / (usec_t) sysconf(_SC_CLK_TCK);
        return started < up ? now - (up - started) : now;
}

static bool is_among(pid_t pid, const pid_t *pids, size_t n) {
        for (size_t i = 0; i < n; i++)
                if (pids[i] == pid)
                        return true;
        return false;
}

/* A recorder's own commands have its environment, too: it is the one whose parent is not in the scope. */
pid_t session_find_recorder(int base_fd, const char *session, const pid_t *pids, size_t n) {
        for (size_t i = 0; i < n; i++)
                if (belongs_to(base_fd, pids[i], session) && !is_among(parent_of(pids[i]), pids, n))
                        return pids[i];
        return 0;
}

/* Only a page that has the right size and is no file of a file system: its environment is the process's own. */
static int open_counters(pid_t pid, int *ret) {
        _cleanup_close_ int fd = -EBADF;
        _cleanup_free_ char *number = NULL;
        char path[64], link[64];
        struct stat st;
        ssize_t n;
        int k, r;

        r = read_variable(pid, PR_COUNTERS_ENV, &number);
        if (r >= 0)
                r = parse_int(number, &k);
        if (r < 0)
                return r;
        snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int) pid, k);
        n = readlink(path, link, sizeof(link) - 1);
        if (n < 0)
                return -errno;
        link[n] = '\0';
        if (!startswith(link, "/memfd:perf-recorder-counters"))
                return -EBADFD;
        fd = open(path, O_RDWR | O_CLOEXEC);
        if (fd < 0)
                return -errno;
        if (fstat(fd, &st) < 0 || st.st_size != PR_COUNTERS_SIZE)
                return -EBADFD;
        *ret = steal_fd(&fd);
        return 0;
}

int recorder_adopt_from_scope(Recorder *r, pid_t pid) {
        int pidfd = pidfd_open(pid, 0);

        if (pidfd < 0)
                return -errno;
        if (!belongs_to(r->owner->host->base.fd, pid, r->owner->name)) {
                safe_close(pidfd);
                return -ESRCH;
        }
        if (r->counters.fd < 0)
                (void) open_counters(pid, &r->counters.fd);
        r->start_timestamp = start_of(pid);
        r->output.position = POSITION_END;
        r->phase = PHASE_UP;
        return recorder_attach(r, pid, pidfd, 0);
}
