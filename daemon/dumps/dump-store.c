/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The dumps in memory follow the files: every event, whether from inotify, from a recorder or from a failed call,
 * ends in a look at one name, which adds, drops or replaces the dump. A look that changes nothing reports nothing,
 * so that it does not matter how often and from where an event comes. When events were lost, all names are looked
 * at again. */

#include "dump-store.h"

#include <fcntl.h>

#include "array.h"
#include "defer.h"
#include "directory-tree.h"
#include "dump-watch.h"
#include "fd-file.h"
#include "strv.h"
#include "symbols-directory.h"

#define DIRECTORIES_MAX 65536u

struct DumpStore {
        int base_fd;
        char *base;
        Dump **dumps;
        size_t n_dumps;
        DumpWatch *watch;         /* NULL: inotify is not available */
        sd_event *event;
        sd_event_source *measure;
        size_t measured;          /* all dumps before that one are measured */
        DumpStoreObserver observer;
        bool quiet; /* changes are not reported yet */
};

const Dump *const *dump_store_all(const DumpStore *s, size_t *ret_n) {
        *ret_n = s->n_dumps;
        return (const Dump *const *) s->dumps;
}

static int compare(const Dump *d, const char *session, const char *name) {
        int r = strcmp(d->session, session);

        return r != 0 ? r : strcmp(d->name, name);
}

/* The index of the dump, or where it would be. */
static size_t find_place(const DumpStore *s, const char *session, const char *name) {
        return LOWER_BOUND(s->n_dumps, i, compare(s->dumps[i], session, name) < 0);
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
        return n > 0 ? (const Dump *const *) s->dumps + i : NULL;
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

static int on_measure(sd_event_source *source, void *userdata);

static void measure_later(DumpStore *s) {
        s->measured = 0;
        defer_once(s->event, &s->measure, SD_EVENT_PRIORITY_IDLE, on_measure, s);
}

static int insert(DumpStore *s, size_t i, Dump *d) {
        if (s->n_dumps >= DUMPS_MAX)
                return -ENOBUFS;
        if (ARRAY_RESERVE_NEXT(s->dumps, s->n_dumps) < 0)
                return -ENOMEM;
        memmove(s->dumps + i + 1, s->dumps + i, (s->n_dumps - i) * sizeof(Dump *));
        s->dumps[i] = d;
        s->n_dumps++;
        return 0;
}

static void take(DumpStore *s, size_t i, Dump *read) {
        _cleanup_(dump_freep) Dump *d = read;
        const Dump *added = d;

        if (insert(s, i, d) < 0)
                return;
        d = NULL;
        if (!added->symbols.measured)
                measure_later(s);
        if (!s->quiet && s->observer.added)
                s->observer.added(added, s->observer.userdata);
}

/* The same file: only the symbols beside it can have changed. */
static void refresh(DumpStore *s, size_t i, Dump *d) {
        Dump *old = s->dumps[i];

        if (streq(old->symbols.path, d->symbols.path)) {
                dump_free(d);
                return;
        }
        s->dumps[i] = d;
        dump_free(old);
        if (!d->symbols.measured)
                measure_later(s);
        if (!s->quiet && s->observer.changed)
                s->observer.changed(d, s->observer.userdata);
}

static void look(DumpStore *s, int directory_fd, const char *session, const char *name) {
        size_t i = find_place(s, session, name);
        Dump *d = NULL;
        int r;

        if (directory_fd >= 0 && !s->quiet && s->observer.found && !is_at(s, i, session, name))
                s->observer.found(directory_fd, session, name, s->observer.userdata);
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

/* One dump in each turn, when the loop is idle: after a boot everything has to be read from the disk. */
static int on_measure(sd_event_source *source, void *userdata) {
        DumpStore *s = userdata;

        for (; s->measured < s->n_dumps; s->measured++) {
                Dump *d = s->dumps[s->measured];
                _cleanup_close_ int fd = -EBADF;

                if (d->symbols.measured)
                        continue;
                fd = dump_directory_open(s->base_fd, d->session);
                d->symbols.measured = true;
                if (fd >= 0 && dump_measure(fd, d) >= 0 && s->observer.changed)
                        s->observer.changed(d, s->observer.userdata);
                defer_once(s->event, &s->measure, SD_EVENT_PRIORITY_IDLE, on_measure, s);
                return 0;
        }
        return 0;
}

/* The dump that "symbols.TIME" belongs to; NULL: none. */
static char *dump_of_symbols(const char *name) {
        _cleanup_free_ char *dump = symbols_directory_file(name);

        return dump && dump_name_is_valid(dump) ? steal_ptr(dump) : NULL;
}

void dump_store_look(DumpStore *s, const char *session, const char *name) {
        _cleanup_close_ int fd = -EBADF;

        if (!dump_name_is_valid(name))
                return;
        fd = dump_directory_open(s->base_fd, session);
        if (fd >= 0 || fd == -ENOENT || fd == -ENOTDIR || fd == -ELOOP)
                look(s, fd, session, name);
}

/* Compares the known dumps of a session with its files. Symbols without their dump were left when that was removed. */
static void look_at_directory(DumpStore *s, const char *session) {
        _cleanup_strv_free_ char **known = NULL;
        _cleanup_closedir_ DIR *d = NULL;
        const Dump *const *all;
        struct dirent *e;
        size_t n;
        int fd;

        fd = dump_directory_open(s->base_fd, session);
        if (fd == -EMFILE || fd == -ENFILE || fd == -ENOMEM)
                return;
        d = fd < 0 ? NULL : fdopendir(fd);
        if (fd >= 0 && !d) {
                safe_close(fd);
                return;
        }
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

/* Sessions with known dumps, even if their directory is gone. */
static int look_at_known(DumpStore *s) {
        _cleanup_strv_free_ char **known = NULL;
        int r;

        for (size_t i = 0; i < s->n_dumps; i++)
                if (i == 0 || !streq(s->dumps[i]->session, s->dumps[i - 1]->session)) {
                        r = strv_extend(&known, s->dumps[i]->session);
                        if (r < 0)
                                return r;
                }
        for (size_t i = 0; known && known[i]; i++)
                look_at_directory(s, known[i]);
        return 0;
}

static int look_at_all(DumpStore *s) {
        _cleanup_closedir_ DIR *d = opendir(s->base);
        struct dirent *e;
        int r;

        if (!d)
                return -errno;
        r = look_at_known(s);
        for (size_t i = 0; r >= 0 && i < DIRECTORIES_MAX && (e = readdir(d)); i++) {
                const char *session = dump_directory_session(e->d_name);

                if (!session)
                        continue;
                if (s->watch) /* first, so that no event is missed between the look and the watch */
                        (void) dump_watch_add(s->watch, session);
                look_at_directory(s, session);
        }
        return r;
}

/* If a user removes a dump by hand, its symbols go too; if it is moved elsewhere, they stay, since it may need
 * them. */
static void on_entry(const char *session, const char *name, bool removed, void *userdata) {
        _cleanup_free_ char *owner = dump_of_symbols(name);
        _cleanup_close_ int fd = -EBADF;
        DumpStore *s = userdata;

        dump_store_look(s, session, owner ?: name);
        if (!removed || !dump_name_is_valid(name))
                return;
        fd = dump_directory_open(s->base_fd, session);
        if (fd >= 0 && faccessat(fd, name, F_OK, AT_SYMLINK_NOFOLLOW) < 0 && errno == ENOENT)
                (void) symbols_directory_remove(fd, name);
}

static void on_directory(const char *session, void *userdata) {
        look_at_directory(userdata, session);
}

static void on_lost(void *userdata) {
        (void) look_at_all(userdata);
}

int dump_store_new(sd_event *event, int base_fd, const char *base, const DumpStoreObserver *observer, DumpStore **ret,
                   bool *ret_watching) {
        DumpWatchHandler handler = { .entry = on_entry, .directory = on_directory, .lost = on_lost };
        _cleanup_(dump_store_freep) DumpStore *s = NULL;
        int r;

        handler.userdata = s = calloc(1, sizeof(DumpStore));
        if (!s)
                return -ENOMEM;
        *s = (DumpStore) { .event = event, .base_fd = base_fd, .base = strdup(base), .observer = *observer, .quiet = true };
        if (!s->base)
                return -ENOMEM;
        *ret_watching = dump_watch_new(event, base, &handler, &s->watch) >= 0;
        r = look_at_all(s);
        if (r < 0)
                return r;
        s->quiet = false;
        *ret = steal_ptr(s);
        return 0;
}

void dump_store_follow(DumpStore *s) {
        if (s->watch)
                (void) dump_watch_follow(s->watch);
        (void) look_at_all(s);
}

DumpStore *dump_store_free(DumpStore *s) {
        if (!s)
                return NULL;
        dump_watch_free(s->watch);
        sd_event_source_disable_unref(s->measure);
        for (size_t i = 0; i < s->n_dumps; i++)
                dump_free(s->dumps[i]);
        free(s->dumps);
        free(s->base);
        free(s);
        return NULL;
}

int dump_store_open(DumpStore *s, const Dump *d, int *ret_fd) {
        _cleanup_close_ int directory_fd = dump_directory_open(s->base_fd, d->session);

        return directory_fd < 0 ? directory_fd : dump_open(directory_fd, d, ret_fd);
}

int dump_store_open_symbols(DumpStore *s, const Dump *d, int *ret_fd) {
        _cleanup_close_ int directory_fd = dump_directory_open(s->base_fd, d->session);

        return directory_fd < 0 ? directory_fd : dump_open_symbols(directory_fd, d, ret_fd);
}

int dump_store_remove(DumpStore *s, const Dump *d, bool unless_used) {
        _cleanup_close_ int directory_fd = dump_directory_open(s->base_fd, d->session);
        _cleanup_free_ char *session = strdup(d->session), *name = strdup(d->name);
        int r;

        if (!session || !name)
                return -ENOMEM;
        r = directory_fd < 0 ? directory_fd : dump_remove(directory_fd, d, unless_used);
        if (r != -EBUSY)
                dump_store_look(s, session, name);
        return r;
}

int dump_store_remove_symbols(DumpStore *s, const Dump **d) {
        _cleanup_close_ int directory_fd = dump_directory_open(s->base_fd, (*d)->session);
        _cleanup_free_ char *session = strdup((*d)->session), *name = strdup((*d)->name);
        int r;

        if (!session || !name)
                return -ENOMEM;
        r = directory_fd < 0 ? directory_fd : dump_remove_symbols(directory_fd, *d);
        if (r == -EBUSY)
                return r;
        dump_store_look(s, session, name);
        *d = dump_store_find_name(s, session, name);
        return r;
}

bool dump_store_is_measured(const DumpStore *s) {
        for (size_t i = s->measured; i < s->n_dumps; i++)
                if (!s->dumps[i]->symbols.measured)
                        return false;
        return true;
}
