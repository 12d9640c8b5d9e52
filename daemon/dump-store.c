/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The dumps in memory follow the files: every piece of news, be it of inotify, of a recorder or of a call that failed, ends
 * in a look at one name, which adds, drops or replaces what was known of it. A look that changes nothing tells nothing, so
 * that it does not matter how often and from where something is heard. When events were lost all is looked at again.
 *
 * Watched are the base directory, for the sessions' directories, and each of these, whether a session file belongs to it
 * or not. Files have temporary names until they are finished, so that nobody is woken while one is written. */

#include "dump-store.h"

#include <fcntl.h>
#include <limits.h>
#include <stdalign.h>
#include <sys/inotify.h>

#include "directory-tree.h"
#include "fd-file.h"
#include "settings.h"
#include "strv.h"

#define DIRECTORY_PREFIX "session-"
#define DIRECTORIES_MAX 65536u
#define BASE_EVENTS (IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ONLYDIR)
#define SESSION_EVENTS (IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CLOSE_WRITE | IN_ONLYDIR | IN_DONT_FOLLOW)

typedef struct Watched {
        int wd;
        char *session;
} Watched;

struct DumpStore {
        int base_fd;
        char *base;
        Dump **dumps;
        size_t n_dumps;
        int inotify_fd, base_wd;
        sd_event_source *source;
        Watched *watched;
        size_t n_watched;
        DumpStoreObserver observer;
        bool quiet; /* nobody is told yet */
};

const Dump *const *dump_store_all(const DumpStore *s, size_t *ret_n) {
        *ret_n = s->n_dumps;
        return (const Dump *const *) s->dumps;
}

static int compare(const Dump *d, const char *session, const char *name) {
        int r = strcmp(d->session, session);

        return r != 0 ? r : strcmp(d->name, name);
}

/* The place of the dump, or where it would be. */
static size_t find_place(const DumpStore *s, const char *session, const char *name) {
        size_t low = 0, high = s->n_dumps;

        while (low < high) {
                size_t middle = (low + high) / 2;

                if (compare(s->dumps[middle], session, name) < 0)
                        low = middle + 1;
                else
                        high = middle;
        }
        return low;
}

static bool is_at(const DumpStore *s, size_t i, const char *session, const char *name) {
        return i < s->n_dumps && compare(s->dumps[i], session, name) == 0;
}

const Dump *dump_store_find_name(const DumpStore *s, const char *session, const char *name) {
        size_t i = find_place(s, session, name);

        return is_at(s, i, session, name) ? s->dumps[i] : NULL;
}

const Dump *dump_store_find(const DumpStore *s, const char *id) {
        _cleanup_free_ char *session = NULL, *name = NULL;

        return dump_id_split(id, &session, &name) < 0 ? NULL : dump_store_find_name(s, session, name);
}

const Dump *const *dump_store_of(const DumpStore *s, const char *session, size_t *ret_n) {
        size_t i = find_place(s, session, ""), n = 0;

        while (i + n < s->n_dumps && streq(s->dumps[i + n]->session, session))
                n++;
        *ret_n = n;
        return (const Dump *const *) s->dumps + i;
}

const Dump *dump_store_newest(const DumpStore *s, const char *session) {
        const Dump *newest = NULL;
        const Dump *const *all;
        size_t n;

        all = dump_store_of(s, session, &n);
        for (size_t i = 0; i < n; i++)
                if (!newest || all[i]->timestamp >= newest->timestamp)
                        newest = all[i];
        return newest;
}

static void drop(DumpStore *s, size_t i) {
        _cleanup_(dump_freep) Dump *d = s->dumps[i];

        s->n_dumps--;
        memmove(s->dumps + i, s->dumps + i + 1, (s->n_dumps - i) * sizeof(Dump *));
        if (!s->quiet && s->observer.removed)
                s->observer.removed(d, s->observer.userdata);
}

static int insert(DumpStore *s, size_t i, Dump *d) {
        Dump **dumps;

        if (s->n_dumps >= DUMPS_MAX)
                return -ENOBUFS;
        dumps = reallocarray(s->dumps, s->n_dumps + 1, sizeof(Dump *));
        if (!dumps)
                return -ENOMEM;
        s->dumps = dumps;
        memmove(dumps + i + 1, dumps + i, (s->n_dumps - i) * sizeof(Dump *));
        dumps[i] = d;
        s->n_dumps++;
        return 0;
}

static void take(DumpStore *s, size_t i, Dump *read) {
        _cleanup_(dump_freep) Dump *d = read;
        const Dump *added = d;

        if (insert(s, i, d) < 0)
                return;
        d = NULL;
        if (!s->quiet && s->observer.added)
                s->observer.added(added, s->observer.userdata);
}

/* The same file: only what lies beside it can have changed. */
static void refresh(DumpStore *s, size_t i, Dump *d) {
        Dump *old = s->dumps[i];

        if (streq(old->symbols_path, d->symbols_path) && old->usage == d->usage) {
                dump_free(d);
                return;
        }
        s->dumps[i] = d;
        dump_free(old);
        if (!s->quiet && s->observer.changed)
                s->observer.changed(d, s->observer.userdata);
}

static void look(DumpStore *s, int directory_fd, const char *session, const char *name) {
        size_t i = find_place(s, session, name);
        Dump *d = NULL;
        int r;

        r = directory_fd < 0 ? -ENOENT : dump_read(directory_fd, s->base, session, name, &d);
        if (r == -ENOMEM || r == -EMFILE || r == -ENFILE)
                return;
        if (r >= 0 && is_at(s, i, session, name) && dump_is_same(s->dumps[i], d)) {
                refresh(s, i, d);
                return;
        }
        if (is_at(s, i, session, name))
                drop(s, i);
        if (r >= 0)
                take(s, find_place(s, session, name), d);
}

static int open_directory(const DumpStore *s, const char *session) {
        _cleanup_free_ char *name = NULL;
        int fd;

        if (asprintf(&name, DIRECTORY_PREFIX "%s", session) < 0) {
                name = NULL;
                return -ENOMEM;
        }
        fd = openat(s->base_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        return fd < 0 ? -errno : fd;
}

/* "perf.data.….symfs" is news of the dump that it belongs to; NULL: of none. */
static char *dump_of_symbols(const char *name) {
        _cleanup_free_ char *dump = NULL;
        const char *dot = strrchr(name, '.');

        if (!dot || !streq(dot, ".symfs"))
                return NULL;
        dump = strndup(name, (size_t) (dot - name));
        return dump && dump_name_is_valid(dump) ? steal_ptr(dump) : NULL;
}

void dump_store_look(DumpStore *s, const char *session, const char *name) {
        _cleanup_close_ int fd = -EBADF;

        if (!dump_name_is_valid(name))
                return;
        fd = open_directory(s, session);
        if (fd >= 0 || fd == -ENOENT || fd == -ENOTDIR || fd == -ELOOP)
                look(s, fd, session, name);
}

/* Those that were there and those that are there now. Symbols whose dump is not there were left by whoever removed it. */
static void look_at_directory(DumpStore *s, const char *session) {
        _cleanup_strv_free_ char **known = NULL;
        _cleanup_closedir_ DIR *d = NULL;
        const Dump *const *all;
        struct dirent *e;
        size_t n;
        int fd;

        fd = open_directory(s, session);
        if (fd == -EMFILE || fd == -ENFILE || fd == -ENOMEM)
                return;
        d = fd < 0 ? NULL : fdopendir(fd);
        all = dump_store_of(s, session, &n);
        for (size_t i = 0; i < n; i++)
                if (strv_extend(&known, all[i]->name) < 0)
                        return;
        STRV_FOREACH(name, known)
                look(s, d ? dirfd(d) : -EBADF, session, *name);
        while (d && (e = readdir(d))) {
                _cleanup_free_ char *owner = dump_of_symbols(e->d_name);

                if (dump_name_is_valid(e->d_name))
                        look(s, dirfd(d), session, e->d_name);
                else if (owner && faccessat(dirfd(d), owner, F_OK, AT_SYMLINK_NOFOLLOW) < 0 && errno == ENOENT)
                        (void) directory_tree_remove(dirfd(d), e->d_name);
        }
}

static Watched *find_watched(DumpStore *s, int wd, const char *session) {
        for (size_t i = 0; i < s->n_watched; i++)
                if (session ? streq(s->watched[i].session, session) : s->watched[i].wd == wd)
                        return s->watched + i;
        return NULL;
}

static void forget_watched(DumpStore *s, Watched *w) {
        free(w->session);
        *w = s->watched[--s->n_watched];
}

/* A directory is watched once, under the name that it has now: a watch goes with it when it is renamed, and one that is
 * in its place gets another. */
static int add_row(DumpStore *s, int wd, const char *session) {
        _cleanup_free_ char *copy = NULL;
        Watched *w, *rows;

        w = find_watched(s, wd, NULL);
        if (w && streq(w->session, session))
                return 0;
        if (w)
                forget_watched(s, w);
        w = find_watched(s, -1, session);
        if (w) {
                w->wd = wd;
                return 0;
        }
        copy = strdup(session);
        rows = copy ? reallocarray(s->watched, s->n_watched + 1, sizeof(Watched)) : NULL;
        if (!rows)
                return -ENOMEM;
        s->watched = rows;
        rows[s->n_watched++] = (Watched) { .wd = wd, .session = steal_ptr(copy) };
        return 0;
}

static int watch_directory(DumpStore *s, const char *session) {
        _cleanup_free_ char *path = NULL;
        int wd;

        if (s->inotify_fd < 0)
                return 0;
        if (s->n_watched >= DIRECTORIES_MAX)
                return -ENOBUFS;
        if (asprintf(&path, "%s/" DIRECTORY_PREFIX "%s", s->base, session) < 0) {
                path = NULL;
                return -ENOMEM;
        }
        wd = inotify_add_watch(s->inotify_fd, path, SESSION_EVENTS);
        if (wd < 0)
                return -errno;
        return add_row(s, wd, session);
}

static const char *session_of_directory(const char *name) {
        const char *session = startswith(name, DIRECTORY_PREFIX);

        return session && session_name_is_valid(session) && !session_name_is_template(session) ? session : NULL;
}

/* Watched first, so that nothing comes between the look and the watch. */
static void take_directory(DumpStore *s, const char *name) {
        const char *session = session_of_directory(name);

        if (!session)
                return;
        (void) watch_directory(s, session);
        look_at_directory(s, session);
}

static int look_at_all(DumpStore *s) {
        _cleanup_strv_free_ char **names = NULL, **known = NULL;
        int r;

        for (size_t i = 0; i < s->n_dumps; i++)
                if (i == 0 || !streq(s->dumps[i]->session, s->dumps[i - 1]->session)) {
                        r = strv_extend(&known, s->dumps[i]->session);
                        if (r < 0)
                                return r;
                }
        for (size_t i = 0; known && known[i]; i++)
                look_at_directory(s, known[i]);
        r = list_directory(s->base, DIRECTORIES_MAX, &names);
        if (r < 0)
                return r;
        STRV_FOREACH(name, names)
                take_directory(s, *name);
        return 0;
}

/* The directory itself went, or was moved away. */
static void lose_directory(DumpStore *s, Watched *w) {
        _cleanup_free_ char *session = steal_ptr(w->session);

        forget_watched(s, w);
        look_at_directory(s, session);
}

/* Who removes a dump by hand means its symbols too; who moves it elsewhere may want them. */
static void remove_symbols_of(DumpStore *s, const char *session, const char *name) {
        _cleanup_free_ char *symbols = dump_symbols_name(name);
        _cleanup_close_ int fd = open_directory(s, session);

        if (symbols && fd >= 0 && faccessat(fd, name, F_OK, AT_SYMLINK_NOFOLLOW) < 0 && errno == ENOENT)
                (void) directory_tree_remove(fd, symbols);
}

static void take_event(DumpStore *s, const struct inotify_event *e) {
        Watched *w = find_watched(s, e->wd, NULL);
        _cleanup_free_ char *owner = NULL, *session = NULL;

        if (e->mask & IN_Q_OVERFLOW)
                (void) look_at_all(s);
        else if (e->wd == s->base_wd && e->len > 0)
                take_directory(s, e->name);
        else if (w && (e->mask & IN_IGNORED))
                lose_directory(s, w);
        else if (w && e->len > 0) {
                session = strdup(w->session);
                owner = dump_of_symbols(e->name);
                if (!session)
                        return;
                dump_store_look(s, session, owner ?: e->name);
                if ((e->mask & IN_DELETE) && dump_name_is_valid(e->name))
                        remove_symbols_of(s, session, e->name);
        }
}

static int on_inotify(sd_event_source *source, int fd, uint32_t revents, void *userdata) {
        alignas(struct inotify_event) char data[sizeof(struct inotify_event) * 64 + NAME_MAX + 1];
        DumpStore *s = userdata;
        ssize_t n;

        n = read(fd, data, sizeof(data));
        for (ssize_t i = 0; i < n;) {
                const struct inotify_event *e = (const struct inotify_event *) (data + i);

                take_event(s, e);
                i += (ssize_t) (sizeof(*e) + e->len);
        }
        return 0;
}

static int begin_watch(DumpStore *s, sd_event *event) {
        int r;

        s->inotify_fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
        if (s->inotify_fd < 0)
                return -errno;
        s->base_wd = inotify_add_watch(s->inotify_fd, s->base, BASE_EVENTS);
        r = s->base_wd < 0 ? -errno : sd_event_add_io(event, &s->source, s->inotify_fd, EPOLLIN, on_inotify, s);
        if (r < 0)
                s->inotify_fd = safe_close(s->inotify_fd);
        return r;
}

int dump_store_new(sd_event *event, int base_fd, const char *base, const DumpStoreObserver *observer, DumpStore **ret,
                   bool *ret_watching) {
        _cleanup_(dump_store_freep) DumpStore *s = NULL;
        int r;

        s = calloc(1, sizeof(DumpStore));
        if (!s)
                return -ENOMEM;
        *s = (DumpStore) { .base_fd = base_fd, .base = strdup(base), .inotify_fd = -EBADF, .observer = *observer, .quiet = true };
        if (!s->base)
                return -ENOMEM;
        *ret_watching = begin_watch(s, event) >= 0;
        r = look_at_all(s);
        if (r < 0)
                return r;
        s->quiet = false;
        *ret = steal_ptr(s);
        return 0;
}

DumpStore *dump_store_free(DumpStore *s) {
        if (!s)
                return NULL;
        sd_event_source_disable_unref(s->source);
        safe_close(s->inotify_fd);
        for (size_t i = 0; i < s->n_watched; i++)
                free(s->watched[i].session);
        free(s->watched);
        for (size_t i = 0; i < s->n_dumps; i++)
                dump_free(s->dumps[i]);
        free(s->dumps);
        free(s->base);
        free(s);
        return NULL;
}

int dump_store_open(DumpStore *s, const Dump *d, int *ret_fd) {
        _cleanup_close_ int directory_fd = open_directory(s, d->session);

        return directory_fd < 0 ? directory_fd : dump_open(directory_fd, d, ret_fd);
}

int dump_store_remove(DumpStore *s, const Dump *d, bool unless_used) {
        _cleanup_close_ int directory_fd = open_directory(s, d->session);
        _cleanup_free_ char *session = strdup(d->session), *name = strdup(d->name);
        int r;

        if (!session || !name)
                return -ENOMEM;
        r = directory_fd < 0 ? directory_fd : dump_remove(directory_fd, d, unless_used);
        if (r != -EBUSY)
                dump_store_look(s, session, name);
        return r;
}
