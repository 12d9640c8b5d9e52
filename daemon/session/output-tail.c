/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A recorder's output is a file and not a pipe, so that it can write while no daemon runs, and so that it does not wait for a
 * reader. New lines are read when inotify reports that the file grew, from a position that survives the daemon elsewhere:
 * nothing is passed on twice, and nothing wakes a daemon whose recorders are silent.
 *
 * What runs in a recorder's scope may write faster than anybody reads. So a turn of the loop reads CHUNK_BYTES at most; a
 * tail that has not caught up then stops listening to inotify and is looked at again after a while. A file above
 * FILE_MAX_BYTES is emptied: of what is unread only the last chunk is passed on, the rest is counted in bytes. Writers append,
 * so their next line is at the start; one that opened the file without O_APPEND leaves a hole there, which takes no room. */

#include <sys/inotify.h>
#include <sys/stat.h>

#include "output-tail.h"
#include "defer.h"
#include "list.h"
#include "parse-time.h"

#define LINE_MAX_BYTES 4096
#define CHUNK_BYTES (8 * LINE_MAX_BYTES)
#define DRAIN_CHUNKS_MAX 16
#define FILE_MAX_BYTES (4 * 1024 * 1024)
#define CATCH_UP_USEC (5 * USEC_PER_MSEC)

struct OutputTails {
        sd_event *event;
        sd_event_source *catch_up;
        OutputTail *first;
};

struct OutputTail {
        OutputTails *tails;
        OutputTail *next;
        int fd; /* the caller's */
        sd_event_source *growth; /* NULL: it is behind, and no event about it is wanted */
        uint64_t position;
        bool skipping; /* the rest of a line that was too long */
        OutputHandler handler;
};

/* Passes on the whole lines in data and returns how many bytes they take. A line that fills the buffer is cut. */
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

static void skip_to(OutputTail *t, uint64_t position) {
        t->handler.skipped(position - t->position, t->handler.userdata);
        t->position = position;
        t->skipping = true;
}

/* Lines that are written between the look at the size and the truncation are counted with the next. */
static void empty(OutputTail *t) {
        struct stat st;

        if (fstat(t->fd, &st) >= 0 && (uint64_t) st.st_size > t->position)
                skip_to(t, (uint64_t) st.st_size);
        if (ftruncate(t->fd, 0) >= 0)
                t->position = 0;
}

/* Reads one chunk. Returns whether there was more than that. */
static bool read_new(OutputTail *t, bool last) {
        uint64_t before = t->position, size;
        char data[CHUNK_BYTES];
        struct stat st;
        ssize_t n;

        if (fstat(t->fd, &st) < 0)
                return false;
        size = (uint64_t) st.st_size;
        if (size < t->position) /* somebody emptied it */
                t->position = 0;
        if (size >= FILE_MAX_BYTES && size - t->position > sizeof(data))
                skip_to(t, size - sizeof(data));
        n = pread(t->fd, data, sizeof(data), (off_t) t->position);
        if (n > 0)
                t->position += tell_lines(t, data, (size_t) n, last);
        if (size >= FILE_MAX_BYTES)
                empty(t);
        if (t->position != before)
                t->handler.moved(t->position, t->handler.userdata);
        return n == sizeof(data);
}

/* The recorder is gone, but what it started may still write. */
void output_tail_drain(OutputTail *t) {
        for (unsigned i = 0; t && i < DRAIN_CHUNKS_MAX; i++)
                if (!read_new(t, true))
                        break;
}

static void catch_up_later(OutputTails *t);

static void read_in_turn(OutputTail *t) {
        if (!read_new(t, false))
                return;
        t->growth = sd_event_source_disable_unref(t->growth);
        catch_up_later(t->tails);
}

static int on_growth(sd_event_source *source, const struct inotify_event *e, void *userdata) {
        read_in_turn(userdata);
        return 0;
}

/* The file itself, wherever its name leads by now. */
static int watch_tail(OutputTail *t) {
        return sd_event_add_inotify_fd(t->tails->event, &t->growth, t->fd, IN_MODIFY, on_growth, t);
}

/* Listens again before it reads, so that no write falls between the two. */
static int on_catch_up(sd_event_source *source, uint64_t usec, void *userdata) {
        OutputTails *t = userdata;

        for (OutputTail *tail = t->first; tail; tail = tail->next)
                if (!tail->growth) {
                        if (watch_tail(tail) < 0)
                                catch_up_later(t);
                        read_in_turn(tail);
                }
        return 0;
}

static void catch_up_later(OutputTails *t) {
        defer_for(t->event, &t->catch_up, CATCH_UP_USEC, USEC_PER_MSEC, on_catch_up, t);
}

int output_tails_new(sd_event *event, OutputTails **ret) {
        OutputTails *t = calloc(1, sizeof(OutputTails));

        if (!t)
                return -ENOMEM;
        t->event = event;
        *ret = t;
        return 0;
}

OutputTails *output_tails_free(OutputTails *t) {
        if (!t)
                return NULL;
        sd_event_source_disable_unref(t->catch_up);
        free(t);
        return NULL;
}

int output_tail_new(OutputTails *tails, int fd, uint64_t position, const OutputHandler *handler, OutputTail **ret) {
        OutputTail *t;
        int r;

        t = calloc(1, sizeof(OutputTail));
        if (!t)
                return -ENOMEM;
        *t = (OutputTail){ .tails = tails, .fd = fd, .position = position, .handler = *handler };
        r = watch_tail(t);
        if (r < 0) {
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
        LIST_REMOVE(t->tails->first, t);
        sd_event_source_disable_unref(t->growth);
        free(t);
        return NULL;
}
