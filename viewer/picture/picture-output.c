/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A file is written beside the one that it replaces. To rename or to remove one needs rights that the viewer gives up, so a process
 * that is forked before keeps them. It reads nothing but a byte, at which it renames the file, or the end of a socket, at which it
 * removes it: however the viewer ends, no part of a file is left.
 *
 * What is no regular file is written in place, and so is a file in a directory where this user may not make another one.
 *
 * Invariant: only a regular file is ever replaced, no link, pipe or device: /dev/stdout stays what it is for root, too. */

#include "picture-output.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "atomic-file.h"
#include "fd-file.h"

const char *picture_extension(const char *path) {
        const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash + 1 : path, '.');

        return dot ? dot + 1 : "";
}

static int output_fail(const PictureOutput *o, const char *what, int r) {
        (void) fprintf(stderr, "Failed to %s %s: %s\n", what, streq(o->path, "-") ? "standard output" : o->path, strerror(-r));
        return r;
}

/* Signals from the terminal are for the viewer, whose end is waited for. */
static _Noreturn void keep_file(AtomicFile *file, int fd) {
        static const int signals[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE };
        char byte;
        ssize_t n;
        int r;

        for (size_t i = 0; i < ELEMENTSOF(signals); i++)
                (void) signal(signals[i], SIG_IGN);
        for (int i = STDERR_FILENO; i >= 0; i--)
                (void) close(i); /* whoever reads them waits for the viewer's end, and not for this one's */
        do
                n = read(fd, &byte, sizeof(byte));
        while (n < 0 && errno == EINTR);
        if (n > 0) {
                r = atomic_file_commit(file);
                (void) write_all(fd, &r, sizeof(r));
        }
        atomic_file_done(file);
        _exit(EXIT_SUCCESS);
}

/* Forks the process that owns the file from now on. */
static int start_keeper(PictureOutput *o, AtomicFile *file) {
        int fds[2];

        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) < 0)
                return -errno;
        o->keeper = fork();
        if (o->keeper == 0) {
                (void) close(fds[0]);
                keep_file(file, fds[1]);
        }
        (void) close(fds[1]);
        o->keeper_fd = fds[0];
        if (o->keeper < 0) {
                o->keeper = 0;
                return -errno;
        }
        free(steal_ptr(file->temporary)); /* or it would be removed here */
        o->fd = steal_fd(&file->fd);
        return 0;
}

/* existing: the file that is replaced; NULL: there is none. */
static int open_beside(PictureOutput *o, const char *path, const struct stat *existing) {
        _cleanup_(atomic_file_done) AtomicFile file = ATOMIC_FILE_EMPTY;
        int r = atomic_file_open(&file, AT_FDCWD, path, 0666);

        if (r < 0)
                return r;
        file.unsynced = true; /* it can be made again */
        if (existing && fchmod(file.fd, existing->st_mode & 0777) < 0)
                return -errno;
        return start_keeper(o, &file);
}

static int open_in_place(PictureOutput *o) {
        o->fd = open(o->path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
        return o->fd < 0 ? -errno : 0;
}

/* The file that a symbolic link leads to is replaced, and not the link. */
static int picture_open_file(PictureOutput *o) {
        _cleanup_free_ char *real = NULL;
        _cleanup_close_ int fd = -EBADF;
        struct stat st;
        int r;

        if (lstat(o->path, &st) < 0)
                return errno == ENOENT ? open_beside(o, o->path, NULL) : -errno;
        fd = open(o->path, O_PATH | O_CLOEXEC); /* the kernel follows links, and refuses those that others left in /tmp */
        if (fd < 0)
                return errno == ENOENT ? open_in_place(o) : -errno;
        if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
                return open_in_place(o);
        o->dev = st.st_dev;
        o->ino = st.st_ino;
        real = realpath(o->path, NULL);
        if (!real || access(real, W_OK) < 0)
                return -errno;
        r = open_beside(o, real, &st);
        return r == -EACCES || r == -EPERM ? open_in_place(o) : r;
}

int picture_output_open(PictureOutput *o, const char *path) {
        int r = 0;

        *o = (PictureOutput) { .path = path, .fd = -EBADF, .keeper_fd = -EBADF };
        if (!streq(path, "-"))
                r = picture_open_file(o);
        else if ((o->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)) < 0)
                r = -errno;
        return r < 0 ? output_fail(o, "open", r) : 0;
}

int picture_output_check(const PictureOutput *o, const RecordingInputs *inputs) {
        struct stat st;

        for (size_t i = 0; i < inputs->n && o->ino > 0; i++)
                if (fstat(inputs->inputs[i].fd, &st) >= 0 && st.st_dev == o->dev && st.st_ino == o->ino) {
                        (void) fprintf(stderr, "%s is the recording itself\n", o->path);
                        return -EINVAL;
                }
        return 0;
}

int picture_output_write(PictureOutput *o, const TextBuffer *text) {
        struct stat st;
        int r = text->error;

        if (r >= 0 && fstat(o->fd, &st) < 0)
                r = -errno;
        if (r >= 0 && S_ISREG(st.st_mode) && !streq(o->path, "-") && ftruncate(o->fd, 0) < 0)
                r = -errno;
        if (r >= 0)
                r = write_all(o->fd, text->data, text->n);
        if (r >= 0 && o->keeper > 0 && /* it renames the file, and reports how that went */
            (write_all(o->keeper_fd, "", 1) < 0 || read(o->keeper_fd, &r, sizeof(r)) != sizeof(r)))
                r = -EPIPE;
        return r < 0 ? output_fail(o, "write", r) : 0;
}

void picture_output_leave(const PictureOutput *o) {
        bool file = !streq(o->path, "-");

        (void) fprintf(stderr, "There is nothing to write%s%s\n", file ? ", and nothing was written to " : "", file ? o->path : "");
}

void picture_output_done(PictureOutput *o) {
        o->fd = safe_close(o->fd);
        o->keeper_fd = safe_close(o->keeper_fd);
        if (o->keeper > 0)
                (void) waitpid(o->keeper, NULL, 0);
        o->keeper = 0;
}
