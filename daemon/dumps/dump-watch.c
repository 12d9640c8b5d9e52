/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Watches the base directory for sessions' directories, and each of these, whether the session exists or not. Files
 * have temporary names until they are finished, so that writing one wakes nobody.
 *
 * Invariant: a row's source watches the directory that had its name when the base directory last reported that
 * name. A watch follows its inode when that is renamed, so every report of a name replaces or drops the row. */

#include "dump-watch.h"

#include <fcntl.h>
#include <sys/inotify.h>

#include "array.h"
#include "format-text.h"
#include "settings.h"

#define DIRECTORIES_MAX 16384u
#define BASE_EVENTS (IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ONLYDIR)
#define SESSION_EVENTS (IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CLOSE_WRITE | IN_ONLYDIR | IN_DONT_FOLLOW)

typedef struct Row {
        DumpWatch *watch;
        sd_event_source *source;
        char *session;
} Row;

struct DumpWatch {
        sd_event *event;
        char *base;
        sd_event_source *source; /* of the base directory */
        Row **rows;
        size_t n_rows;
        DumpWatchHandler handler;
};

const char *dump_directory_session(const char *name) {
        const char *session = startswith(name, DUMP_DIRECTORY_PREFIX);

        return session && session_name_is_valid(session) && !session_name_is_template(session) ? session : NULL;
}

int dump_directory_open(int base_fd, const char *session) {
        _cleanup_free_ char *name = format_text(DUMP_DIRECTORY_PREFIX "%s", session);
        int fd;

        if (!name)
                return -ENOMEM;
        fd = openat(base_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        return fd < 0 ? -errno : fd;
}

static Row *row_free(Row *row) {
        sd_event_source_disable_unref(row->source);
        free(row->session);
        free(row);
        return NULL;
}
DEFINE_CLEANUP(Row *, row_free);

DumpWatch *dump_watch_free(DumpWatch *w) {
        if (!w)
                return NULL;
        sd_event_source_disable_unref(w->source);
        for (size_t i = 0; i < w->n_rows; i++)
                row_free(w->rows[i]);
        free(w->rows);
        free(w->base);
        free(w);
        return NULL;
}

static void forget_session(DumpWatch *w, const char *session) {
        for (size_t i = 0; i < w->n_rows; i++)
                if (streq(w->rows[i]->session, session)) {
                        row_free(w->rows[i]);
                        w->rows[i] = w->rows[--w->n_rows];
                        return;
                }
}

/* The handlers may change the rows, so they get a copy of the name. */
static int on_session_event(sd_event_source *source, const struct inotify_event *e, void *userdata) {
        const Row *row = userdata;
        DumpWatch *w = row->watch;
        _cleanup_free_ char *session = strdup(row->session);

        if (!session || e->mask & IN_Q_OVERFLOW) /* handled by the base directory's source */
                return 0;
        if (e->mask & IN_IGNORED) { /* the directory itself is gone */
                forget_session(w, session);
                w->handler.directory(session, w->handler.userdata);
        } else if (e->len > 0)
                w->handler.entry(session, e->name, e->mask & IN_DELETE, w->handler.userdata);
        return 0;
}

int dump_watch_add(DumpWatch *w, const char *session) {
        _cleanup_(row_freep) Row *row = NULL;
        _cleanup_free_ char *path = NULL;
        int r;

        forget_session(w, session);
        if (w->n_rows >= DIRECTORIES_MAX)
                return -ENOBUFS;
        if (ARRAY_RESERVE_NEXT(w->rows, w->n_rows) < 0)
                return -ENOMEM;
        row = calloc(1, sizeof(Row));
        if (!row)
                return -ENOMEM;
        *row = (Row) { .watch = w, .session = strdup(session) };
        if (!row->session)
                return -ENOMEM;
        path = format_text("%s/" DUMP_DIRECTORY_PREFIX "%s", w->base, session);
        if (!path)
                return -ENOMEM;
        r = sd_event_add_inotify(w->event, &row->source, path, SESSION_EVENTS, on_session_event, row);
        if (r < 0)
                return r;
        w->rows[w->n_rows++] = steal_ptr(row);
        return 0;
}

static int on_base_event(sd_event_source *source, const struct inotify_event *e, void *userdata) {
        const char *session = e->len > 0 ? dump_directory_session(e->name) : NULL;
        DumpWatch *w = userdata;

        if (e->mask & IN_Q_OVERFLOW)
                w->handler.lost(w->handler.userdata);
        else if (session) {
                (void) dump_watch_add(w, session);
                w->handler.directory(session, w->handler.userdata);
        }
        return 0;
}

int dump_watch_follow(DumpWatch *w) {
        w->source = sd_event_source_disable_unref(w->source);
        return sd_event_add_inotify(w->event, &w->source, w->base, BASE_EVENTS, on_base_event, w);
}

int dump_watch_new(sd_event *event, const char *base, const DumpWatchHandler *handler, DumpWatch **ret) {
        _cleanup_(dump_watch_freep) DumpWatch *w = NULL;
        int r;

        w = calloc(1, sizeof(DumpWatch));
        if (!w)
                return -ENOMEM;
        *w = (DumpWatch) { .event = event, .base = strdup(base), .handler = *handler };
        r = w->base ? dump_watch_follow(w) : -ENOMEM;
        if (r < 0)
                return r;
        *ret = steal_ptr(w);
        return 0;
}
