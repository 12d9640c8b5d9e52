/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A file that is replaced would need rights that the viewer gives up; so the file is written in place, at the end. */

#include "picture-output.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "fd-file.h"

const char *picture_extension(const char *path) {
        const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash + 1 : path, '.');

        return dot ? dot + 1 : "";
}

static int output_fail(const PictureOutput *o, const char *what, int r) {
        (void) fprintf(stderr, "Failed to %s %s: %s\n", what, streq(o->path, "-") ? "standard output" : o->path, strerror(-r));
        return r;
}

int picture_output_open(PictureOutput *o, const char *path) {
        *o = (PictureOutput) { .path = path, .fd = -EBADF };
        o->fd = streq(path, "-") ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3) :
                open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
        return o->fd < 0 ? output_fail(o, "open", -errno) : 0;
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
}
