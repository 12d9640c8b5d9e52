/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The base directory belongs to one daemon at a time: BASE/lock has a flock(2) and the PID of its holder, so that a
 * second daemon can name the first. The kernel releases the lock when the process ends, however it ends.
 *
 * Directories are 0700, files and FIFOs 0600. The path of BASE may have links, since the administrator chooses it;
 * below BASE no link is followed, since recorders write there and the daemon is root. */

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base-directory.h"
#include "fd-file.h"
#include "format-text.h"
#include "parse-number.h"

void base_directory_done(BaseDirectory *b) {
        free(b->path);
        b->fd = safe_close(b->fd);
        b->lock_fd = safe_close(b->lock_fd);
        b->output_fd = safe_close(b->output_fd);
        b->path = NULL;
}

static pid_t read_owner(int fd) {
        char text[32];
        pid_t pid = 0;
        ssize_t n;

        n = pread(fd, text, sizeof(text) - 1, 0);
        if (n <= 0)
                return 0;
        text[n] = '\0';
        text[strcspn(text, "\n")] = '\0';
        (void) parse_pid(text, &pid);
        return pid;
}

static int open_regular(int dir_fd, const char *name, int flags, int *ret) {
        _cleanup_close_ int fd = -EBADF;
        struct stat st;

        fd = openat(dir_fd, name, flags | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0600);
        if (fd < 0)
                return -errno;
        if (fstat(fd, &st) < 0)
                return -errno;
        if (!S_ISREG(st.st_mode))
                return -EBADFD;
        *ret = steal_fd(&fd);
        return 0;
}

static int take_lock(BaseDirectory *b, pid_t *ret_owner) {
        char text[32];
        int r, n;

        r = open_regular(b->fd, "lock", O_RDWR, &b->lock_fd);
        if (r < 0)
                return r;
        if (flock(b->lock_fd, LOCK_EX | LOCK_NB) < 0) {
                if (errno != EWOULDBLOCK)
                        return -errno;
                *ret_owner = read_owner(b->lock_fd);
                return -EBUSY;
        }
        /* The bare number, as in perf daemon's lock. A full disk is no reason to record nothing. */
        n = snprintf(text, sizeof(text), "%d", (int) getpid());
        if (ftruncate(b->lock_fd, 0) >= 0)
                (void) !pwrite(b->lock_fd, text, (size_t) n, 0);
        return 0;
}

int base_directory_open(BaseDirectory *b, const char *path, pid_t *ret_owner) {
        _cleanup_(base_directory_done) BaseDirectory o = BASE_DIRECTORY_EMPTY;
        int r;

        *ret_owner = 0;
        o.path = strdup(path);
        if (!o.path)
                return -ENOMEM;
        r = make_directories(path, 0700);
        if (r < 0)
                return r;
        o.fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (o.fd < 0)
                return -errno;
        r = take_lock(&o, ret_owner);
        if (r < 0)
                return r;
        if (fchmod(o.fd, 0700) < 0) /* it may have existed before, or be systemd's StateDirectory= */
                return -errno;
        r = open_regular(o.fd, "output", O_WRONLY | O_APPEND, &o.output_fd);
        if (r < 0 && r != -ENOSPC)
                return r;
        *b = o;
        o = (BaseDirectory) BASE_DIRECTORY_EMPTY;
        return 0;
}

bool base_directory_is_missing(const BaseDirectory *b) {
        struct stat held, named;

        if (stat(b->path, &named) < 0)
                return errno == ENOENT || errno == ENOTDIR;
        return fstat(b->fd, &held) < 0 || named.st_dev != held.st_dev || named.st_ino != held.st_ino;
}

/* Keeps the number of a descriptor, which others know, and replaces its file. */
static int replace_fd(int *old, int *new) {
        if (*new >= 0 && *old >= 0 && dup3(*new, *old, O_CLOEXEC) < 0)
                return -errno;
        if (*old < 0)
                *old = steal_fd(new);
        return 0;
}

int base_directory_make_again(BaseDirectory *b) {
        _cleanup_(base_directory_done) BaseDirectory n = BASE_DIRECTORY_EMPTY;
        pid_t owner;
        int r;

        r = base_directory_open(&n, b->path, &owner);
        if (r >= 0)
                r = replace_fd(&b->fd, &n.fd);
        if (r >= 0)
                r = replace_fd(&b->lock_fd, &n.lock_fd);
        if (r >= 0)
                r = replace_fd(&b->output_fd, &n.output_fd);
        return r;
}

int base_directory_open_session(const BaseDirectory *b, const char *name, int *ret_fd) {
        _cleanup_free_ char *entry = NULL;
        _cleanup_close_ int fd = -EBADF;

        entry = format_text("session-%s", name);
        if (!entry)
                return -ENOMEM;
        if (mkdirat(b->fd, entry, 0700) < 0 && errno != EEXIST)
                return -errno;
        fd = openat(b->fd, entry, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd < 0)
                return -errno;
        if (fchmod(fd, 0700) < 0)
                return -errno;
        *ret_fd = steal_fd(&fd);
        return 0;
}

int session_directory_open_output(int directory_fd, bool truncate, int *ret_fd) {
        return open_regular(directory_fd, "output", O_RDWR | O_APPEND | (truncate ? O_TRUNC : 0), ret_fd);
}

static int open_fifo(int directory_fd, const char *name, bool replace, int *ret) {
        _cleanup_close_ int fd = -EBADF;
        struct stat st;

        if (replace && unlinkat(directory_fd, name, 0) < 0 && errno != ENOENT)
                return -errno;
        if (replace && mkfifoat(directory_fd, name, 0600) < 0)
                return -errno;
        fd = openat(directory_fd, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (fd < 0)
                return -errno;
        if (fstat(fd, &st) < 0)
                return -errno;
        if (!S_ISFIFO(st.st_mode))
                return -EBADFD;
        *ret = steal_fd(&fd);
        return 0;
}

int session_directory_open_fifos(int directory_fd, bool replace, SessionFifos *ret) {
        SessionFifos f = SESSION_FIFOS_EMPTY;
        int r;

        r = open_fifo(directory_fd, "control", replace, &f.control_fd);
        if (r >= 0)
                r = open_fifo(directory_fd, "ack", replace, &f.ack_fd);
        if (r < 0) {
                session_fifos_close(&f);
                return r;
        }
        *ret = f;
        return 0;
}

void session_fifos_close(SessionFifos *f) {
        f->control_fd = safe_close(f->control_fd);
        f->ack_fd = safe_close(f->ack_fd);
}
