/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A file that is replaced, or removed, would need rights that the viewer gives up. So the file is written in place, at the end, and
 * a process that reads nothing but its end of a pipe removes it. */

#include "picture-output.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "fd-file.h"

const char *picture_extension(const char *path) {
        const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash + 1 : path, '.');

        return dot ? dot + 1 : "";
}

static int output_fail(const PictureOutput *o, const char *what, int r) {
        (void) fprintf(stderr, "Failed to %s %s: %s\n", what, streq(o->path, "-") ? "standard output" : o->path, strerror(-r));
        return r;
}

/* Signals from the terminal are for the other process, whose end is waited for. */
static _Noreturn void remove_if_empty(const char *path, const struct stat *made, int fd) {
        struct stat st;
        char byte;

        (void) signal(SIGINT, SIG_IGN);
        (void) signal(SIGQUIT, SIG_IGN);
        if (fd > 0)
                (void) close_range(0, (unsigned) fd - 1, 0);
        (void) close_range((unsigned) fd + 1, ~0U, 0);
        while (read(fd, &byte, sizeof(byte)) < 0 && errno == EINTR)
                ;
        if (stat(path, &st) == 0 && st.st_dev == made->st_dev && st.st_ino == made->st_ino && st.st_size == 0)
                (void) unlink(path);
        _exit(EXIT_SUCCESS);
}

static int start_remover(PictureOutput *o) {
        int fds[2];
        struct stat st;

        if (fstat(o->fd, &st) < 0 || pipe2(fds, O_CLOEXEC) < 0)
                return -errno;
        o->remover = fork();
        if (o->remover == 0)
                remove_if_empty(o->path, &st, fds[0]);
        (void) close(fds[0]);
        o->remover_fd = fds[1];
        return o->remover < 0 ? -errno : 0;
}

int picture_output_open(PictureOutput *o, const char *path) {
        int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, r = 0;

        *o = (PictureOutput) { .path = path, .fd = -EBADF, .remover_fd = -EBADF };
        if (streq(path, "-"))
                o->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
        else {
                o->fd = open(path, flags | O_EXCL, 0666);
                if (o->fd >= 0)
                        r = start_remover(o);
                else if (errno == EEXIST)
                        o->fd = open(path, flags, 0666);
        }
        return o->fd < 0 ? output_fail(o, "open", -errno) : r < 0 ? output_fail(o, "open", r) : 0;
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
        return r < 0 ? output_fail(o, "write", r) : 0;
}

void picture_output_done(PictureOutput *o) {
        o->fd = safe_close(o->fd);
        o->remover_fd = safe_close(o->remover_fd);
        if (o->remover > 0)
                (void) waitpid(o->remover, NULL, 0);
        o->remover = 0;
}
