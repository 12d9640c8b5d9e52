/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* As in perf record, without -o a pipe on standard output gets the recording (perf record | perf report), and nothing else on
 * standard output does. Errors that perf only meets at its first write are found here, before an event is opened. */

#include "output-place.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

#include <perf-recorder/environment.h>
#include "fd-file.h"
#include "format-text.h"
#include "parse-number.h"

#define LOCK_MAX 32 /* bytes: a PID */
#define DEFAULT_NAME "perf.data"

static int place_fail(Diagnosis *d, int r, const char *path, const char *why) {
        return diagnosis_set(d, r, "failed to open %s : %s", path, why ?: strerror(-r));
}

static int place_open_stdout(OutputPlace *p, Diagnosis *d) {
        struct stat st;

        if (fstat(STDOUT_FILENO, &st) < 0)
                return place_fail(d, -errno, "-", NULL);
        if (isatty(STDOUT_FILENO))
                return place_fail(d, -ENOTTY, "-", "standard output is a terminal; send it to a pipe or a file");
        p->stream_fd = STDOUT_FILENO;
        return 0;
}

/* A FIFO or a device takes a stream. */
static int place_open_special(OutputPlace *p, const char *path, mode_t mode, Diagnosis *d) {
        if (S_ISDIR(mode))
                return place_fail(d, -EISDIR, path, NULL);
        if (!S_ISCHR(mode) && !S_ISFIFO(mode))
                return place_fail(d, -EINVAL, path, "neither a file, a pipe nor a character device");
        /* Without O_NONBLOCK, this would wait for a reader. */
        p->stream_fd = openat(p->dir_fd, p->base, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
        if (p->stream_fd < 0)
                return place_fail(d, -errno, path, errno == ENXIO ? "nobody reads from this pipe" : NULL);
        p->owns_stream = true;
        if (isatty(p->stream_fd))
                return place_fail(d, -ENOTTY, path, "a terminal; name a file");
        return 0;
}

/* Finished files are renamed into the directory, so that is the right to check. */
static int place_check_directory(const OutputPlace *p, const char *path, const struct stat *existing, Diagnosis *d) {
        struct stat dir;
        uid_t user = geteuid();

        if (faccessat(p->dir_fd, ".", W_OK | X_OK, AT_EACCESS) < 0)
                return place_fail(d, -errno, path, NULL);
        if (!existing || fstat(p->dir_fd, &dir) < 0)
                return 0;
        if (dir.st_mode & S_ISVTX && user != 0 && existing->st_uid != user && dir.st_uid != user)
                return place_fail(d, -EPERM, path, "another user's file, which the directory's sticky bit protects");
        return 0;
}

static int place_open_path(OutputPlace *p, const char *path, Diagnosis *d) {
        const char *slash = strrchr(path, '/');
        _cleanup_free_ char *dir = slash ? strndup(path, slash == path ? 1 : (size_t) (slash - path)) : strdup(".");
        struct stat st, link;
        bool exists;

        p->base = strdup(basename(path));
        if (!dir || !p->base)
                return -ENOMEM;
        p->dir_fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (p->dir_fd < 0)
                return place_fail(d, -errno, path, NULL);
        p->dir = realpath(dir, NULL);
        if (!p->dir)
                return place_fail(d, -errno, path, NULL);
        if (fstatat(p->dir_fd, p->base, &st, 0) >= 0 && !S_ISREG(st.st_mode))
                return place_open_special(p, path, st.st_mode, d);
        exists = fstatat(p->dir_fd, p->base, &link, AT_SYMLINK_NOFOLLOW) >= 0;
        return place_check_directory(p, path, exists ? &link : NULL, d);
}

int output_place_open(OutputPlace *p, const char *path, Diagnosis *d) {
        struct stat st;
        bool standard = path ? streq(path, "-") : fstat(STDOUT_FILENO, &st) >= 0 && S_ISFIFO(st.st_mode);

        p->shown = strdup(standard ? "-" : path ?: DEFAULT_NAME);
        if (!p->shown)
                return -ENOMEM;
        return standard ? place_open_stdout(p, d) : place_open_path(p, p->shown, d);
}

/* Returns "/proc/PID/root" of the daemon whose lock is beside the session's directory. A recorder stays in the mount
 * namespace of the service process that started it; a daemon that was restarted since has another one, in which the
 * base directory that was made again is writable. */
static int place_find_daemon_root(const char *dir, char **ret) {
        _cleanup_close_ int fd = -EBADF;
        const char *slash = strrchr(dir, '/');
        _cleanup_free_ char *lock = NULL, *text = NULL;
        struct stat st;
        pid_t pid;
        int r;

        lock = format_text("%.*s/lock", slash ? (int) (slash - dir) : 0, dir);
        if (!lock)
                return -ENOMEM;
        fd = open(lock, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
        if (fd < 0 || fstat(fd, &st) < 0)
                return -errno;
        if (!S_ISREG(st.st_mode) || st.st_uid != geteuid())
                return -EPERM;
        r = read_fd(fd, LOCK_MAX, &text, NULL);
        if (r >= 0)
                r = parse_pid(text, &pid);
        if (r < 0)
                return r;
        *ret = format_text("/proc/%d/root", (int) pid);
        return *ret ? 0 : -ENOMEM;
}

/* Makes the directory again if it does not exist, and opens it if files can be made in it. */
static int place_open_again(const char *dir, uid_t owner, int *ret) {
        _cleanup_close_ int fd = -EBADF;
        struct stat st;
        int r = make_directories(dir, 0700);

        if (r < 0)
                return r;
        fd = open(dir, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd < 0 || fstat(fd, &st) < 0)
                return -errno;
        if (st.st_uid != owner && st.st_uid != geteuid())
                return -EPERM;
        if (faccessat(fd, ".", W_OK | X_OK, AT_EACCESS) < 0)
                return -errno;
        *ret = steal_fd(&fd);
        return 0;
}

/* Only a session's recorder has a daemon. */
static int place_open_by_daemon(const char *dir, uid_t owner, int *ret) {
        _cleanup_free_ char *root = NULL, *path = NULL;
        int r;

        if (!getenv(PR_SESSION_ENV))
                return -EROFS;
        r = place_find_daemon_root(dir, &root);
        if (r < 0)
                return r == -ENOMEM ? r : -EROFS;
        path = path_join(root, dir);
        return path ? place_open_again(path, owner, ret) : -ENOMEM;
}

int output_place_renew(const OutputPlace *p) {
        _cleanup_close_ int fd = -EBADF;
        struct stat gone;
        int r;

        if (output_place_is_stream(p))
                return 0;
        if (fstat(p->dir_fd, &gone) < 0)
                return -errno;
        if (gone.st_nlink > 0)
                return 0;
        r = place_open_again(p->dir, gone.st_uid, &fd);
        if (r == -EROFS)
                r = place_open_by_daemon(p->dir, gone.st_uid, &fd);
        if (r < 0)
                return r;
        return dup3(fd, p->dir_fd, O_CLOEXEC) < 0 ? -errno : 1;
}

void output_place_done(OutputPlace *p) {
        if (p->owns_stream)
                safe_close(p->stream_fd);
        safe_close(p->dir_fd);
        free(p->shown);
        free(p->dir);
        free(p->base);
        *p = (OutputPlace) OUTPUT_PLACE_EMPTY;
}
