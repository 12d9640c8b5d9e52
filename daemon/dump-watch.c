/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Watched are the base directory, for the sessions' directories, and each of these, whether a session file belongs to it or
 * not. Files have temporary names until they are finished, so that nobody is woken while one is written. */

#include "dump-watch.h"

#include <limits.h>
#include <stdalign.h>
#include <sys/inotify.h>

#include "settings.h"

#define DIRECTORIES_MAX 16384u
#define BASE_EVENTS (IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ONLYDIR)
#define SESSION_EVENTS (IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CLOSE_WRITE | IN_ONLYDIR | IN_DONT_FOLLOW)

typedef struct Row {
        int wd;
        char *session;
} Row;

struct DumpWatch {
        int fd, base_wd;
        char *base;
        sd_event_source *source;
        Row *rows;
        size_t n_rows;
        DumpWatchHandler handler;
};

const char *dump_directory_session(const char *name) {
        const char *session = startswith(name, DUMP_DIRECTORY_PREFIX);

        return session && session_name_is_valid(session) && !session_name_is_template(session) ? session : NULL;
}

DumpWatch *dump_watch_free(DumpWatch *w) {
        if (!w)
                return NULL;
        sd_event_source_disable_unref(w->source);
        safe_close(w->fd);
        for (size_t i = 0; i < w->n_rows; i++)
                free(w->rows[i].session);
        free(w->rows);
        free(w->base);
        free(w);
        return NULL;
}

static Row *find_by_wd(DumpWatch *w, int wd) {
        for (size_t i = 0; i < w->n_rows; i++)
                if (w->rows[i].wd == wd)
                        return w->rows + i;
        return NULL;
}

static Row *find_by_session(DumpWatch *w, const char *session) {
        for (size_t i = 0; i < w->n_rows; i++)
                if (streq(w->rows[i].session, session))
                        return w->rows + i;
        return NULL;
}

static void forget(DumpWatch *w, Row *row) {
        free(row->session);
        *row = w->rows[--w->n_rows];
}

/* A directory is watched once, under the name that it has now: a watch goes with it when it is renamed, and one that is
 * in its place gets another. */
static int add_row(DumpWatch *w, int wd, const char *session) {
        _cleanup_free_ char *copy = NULL;
        Row *row = find_by_wd(w, wd), *rows;

        if (row && streq(row->session, session))
                return 0;
        if (row)
                forget(w, row);
        row = find_by_session(w, session);
        if (row) {
                row->wd = wd;
                return 0;
        }
        copy = strdup(session);
        rows = copy ? reallocarray(w->rows, w->n_rows + 1, sizeof(Row)) : NULL;
        if (!rows)
                return -ENOMEM;
        w->rows = rows;
        rows[w->n_rows++] = (Row) { .wd = wd, .session = steal_ptr(copy) };
        return 0;
}

int dump_watch_add(DumpWatch *w, const char *session) {
        _cleanup_free_ char *path = NULL;
        int wd;

        if (w->n_rows >= DIRECTORIES_MAX)
                return -ENOBUFS;
        if (asprintf(&path, "%s/" DUMP_DIRECTORY_PREFIX "%s", w->base, session) < 0) {
                path = NULL;
                return -ENOMEM;
        }
        wd = inotify_add_watch(w->fd, path, SESSION_EVENTS);
        return wd < 0 ? -errno : add_row(w, wd, session);
}

static void take_directory(DumpWatch *w, const char *name) {
        const char *session = dump_directory_session(name);

        if (!session)
                return;
        (void) dump_watch_add(w, session);
        w->handler.directory(session, w->handler.userdata);
}

/* The handler may do what changes the rows: what it is told is its own copy. */
static void take_event(DumpWatch *w, const struct inotify_event *e) {
        const DumpWatchHandler *h = &w->handler;
        Row *row = find_by_wd(w, e->wd);
        _cleanup_free_ char *session = row ? strdup(row->session) : NULL;

        if (e->mask & IN_Q_OVERFLOW)
                h->lost(h->userdata);
        else if (e->wd == w->base_wd && e->len > 0) {
                take_directory(w, e->name);
                if (e->mask & IN_DELETE)
                        h->base(h->userdata);
        } else if (session && (e->mask & IN_IGNORED)) { /* the directory itself is gone */
                forget(w, row);
                h->directory(session, h->userdata);
        } else if (session && e->len > 0)
                h->entry(session, e->name, e->mask & IN_DELETE, h->userdata);
}

int dump_watch_renew(DumpWatch *w) {
        int wd = inotify_add_watch(w->fd, w->base, BASE_EVENTS);

        if (wd < 0)
                return -errno;
        w->base_wd = wd;
        return 0;
}

static int on_inotify(sd_event_source *source, int fd, uint32_t revents, void *userdata) {
        alignas(struct inotify_event) char data[sizeof(struct inotify_event) * 64 + NAME_MAX + 1];
        DumpWatch *w = userdata;
        ssize_t n;

        n = read(fd, data, sizeof(data));
        for (ssize_t i = 0; i < n;) {
                const struct inotify_event *e = (const struct inotify_event *) (data + i);

                take_event(w, e);
                i += (ssize_t) (sizeof(*e) + e->len);
        }
        return 0;
}

int dump_watch_new(sd_event *event, const char *base, const DumpWatchHandler *handler, DumpWatch **ret) {
        _cleanup_(dump_watch_freep) DumpWatch *w = NULL;
        int r;

        w = calloc(1, sizeof(DumpWatch));
        if (!w)
                return -ENOMEM;
        *w = (DumpWatch) { .fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC), .base = strdup(base), .handler = *handler };
        if (w->fd < 0 || !w->base)
                return w->base ? -errno : -ENOMEM;
        w->base_wd = inotify_add_watch(w->fd, base, BASE_EVENTS);
        if (w->base_wd < 0)
                return -errno;
        r = sd_event_add_io(event, &w->source, w->fd, EPOLLIN, on_inotify, w);
        if (r < 0)
                return r;
        *ret = steal_ptr(w);
        return 0;
}
