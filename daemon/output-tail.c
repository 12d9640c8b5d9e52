/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A recorder's output is a file and no pipe, so that it can write while no daemon runs. New lines are read when inotify
 * says that the file grew, from a position that survives the daemon elsewhere: nothing is told twice, and nothing wakes
 * a daemon whose recorders are silent.
 *
 * A line is told up to LINE_MAX_BYTES. A file that has grown to FILE_MAX_BYTES is emptied once all of it was told;
 * recorders append, so their next line is at its start. */

#include <fcntl.h>
#include <stdalign.h>
#include <sys/inotify.h>
#include <sys/stat.h>

#include "output-tail.h"

#define LINE_MAX_BYTES 4096
#define FILE_MAX_BYTES (4 * 1024 * 1024)

struct OutputTails {
        int fd;
        sd_event_source *source;
        OutputTail *first;
};

struct OutputTail {
        OutputTails *tails;
        OutputTail *next;
        int fd, wd;
        uint64_t position;
        bool skipping; /* the rest of a line that was too long */
        OutputHandler handler;
};

/* Tells the whole lines in data and answers how many bytes they take. A line that fills the buffer is cut. */
static size_t tell_lines(OutputTail *t, const char *data, size_t size, bool last) {
        size_t done = 0;

        while (done < size) {
                const char *line = data + done, *newline = memchr(line, '\n', size - done);
                size_t length = newline ? (size_t) (newline - line) : size - done;
                bool cut = !newline && length >= LINE_MAX_BYTES;

                if (!newline && !cut && !last && !t->skipping)
                        break;
                if (!t->skipping && length > 0)
                        t->handler.line(line, MIN_OF(length, (size_t) LINE_MAX_BYTES), t->handler.userdata);
                t->skipping = !newline && (cut || t->skipping);
                done += newline ? length + 1 : length;
        }
        return done;
}

static void empty_if_large(OutputTail *t) {
        struct stat st;

        if (t->position < FILE_MAX_BYTES || fstat(t->fd, &st) < 0 || (uint64_t) st.st_size > t->position)
                return;
        if (ftruncate(t->fd, 0) >= 0)
                t->position = 0;
}

static void read_new(OutputTail *t, bool last) {
        char data[4 * LINE_MAX_BYTES];
        uint64_t before = t->position;
        struct stat st;
        ssize_t n;

        if (fstat(t->fd, &st) < 0)
                return;
        if ((uint64_t) st.st_size < t->position) /* somebody emptied it */
                t->position = 0;
        while ((n = pread(t->fd, data, sizeof(data), (off_t) t->position)) > 0) {
                size_t told = tell_lines(t, data, (size_t) n, last);

                if (told == 0)
                        break;
                t->position += told;
        }
        empty_if_large(t);
        if (t->position != before)
                t->handler.moved(t->position, t->handler.userdata);
}

void output_tail_drain(OutputTail *t) {
        if (t)
                read_new(t, true);
}

static void file_grew(OutputTails *t, int wd) {
        for (OutputTail *tail = t->first; tail; tail = tail->next)
                if (tail->wd == wd) {
                        read_new(tail, false);
                        return;
                }
}

static void all_files_grew(OutputTails *t) {
        for (OutputTail *tail = t->first; tail; tail = tail->next)
                read_new(tail, false);
}

static int on_inotify(sd_event_source *source, int fd, uint32_t revents, void *userdata) {
        alignas(struct inotify_event) char data[4096];
        const struct inotify_event *e;
        ssize_t n;

        n = read(fd, data, sizeof(data));
        for (ssize_t i = 0; i < n; i += (ssize_t) (sizeof(*e) + e->len)) {
                e = (const struct inotify_event *) (data + i);
                if (e->mask & IN_Q_OVERFLOW)
                        all_files_grew(userdata);
                else
                        file_grew(userdata, e->wd);
        }
        return 0;
}

int output_tails_new(sd_event *event, OutputTails **ret) {
        _cleanup_(output_tails_freep) OutputTails *t = NULL;
        int r;

        t = calloc(1, sizeof(OutputTails));
        if (!t)
                return -ENOMEM;
        t->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
        if (t->fd < 0)
                return -errno;
        r = sd_event_add_io(event, &t->source, t->fd, EPOLLIN, on_inotify, t);
        if (r < 0)
                return r;
        *ret = steal_ptr(t);
        return 0;
}

OutputTails *output_tails_free(OutputTails *t) {
        if (!t)
                return NULL;
        sd_event_source_disable_unref(t->source);
        safe_close(t->fd);
        free(t);
        return NULL;
}

int output_tail_new(OutputTails *tails, int fd, uint64_t position, const OutputHandler *handler, OutputTail **ret) {
        char path[64];
        OutputTail *t;

        t = calloc(1, sizeof(OutputTail));
        if (!t)
                return -ENOMEM;
        *t = (OutputTail){ .tails = tails, .position = position, .handler = *handler };
        t->fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
        snprintf(path, sizeof(path), "/proc/self/fd/%d", fd); /* the file itself, wherever its name leads by now */
        t->wd = t->fd < 0 ? -1 : inotify_add_watch(tails->fd, path, IN_MODIFY);
        if (t->wd < 0) {
                int r = -errno;

                safe_close(t->fd);
                free(t);
                return r;
        }
        t->next = tails->first;
        tails->first = t;
        *ret = t;
        return 0;
}

OutputTail *output_tail_free(OutputTail *t) {
        if (!t)
                return NULL;
        for (OutputTail **p = &t->tails->first; *p; p = &(*p)->next)
                if (*p == t) {
                        *p = t->next;
                        break;
                }
        (void) inotify_rm_watch(t->tails->fd, t->wd);
        safe_close(t->fd);
        free(t);
        return NULL;
}
