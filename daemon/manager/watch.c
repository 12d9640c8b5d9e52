/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* inotify(7) on the directories of the search path and the drop-in directories in them, and on those of
 * perf-recorderd.conf. A missing directory is waited for in its nearest existing ancestor. Directories are watched,
 * not files, so that a rename over a file, which editors and configuration tools do, is a change like any other.
 *
 * After every change the set of watches is made again from the directories that exist now: adding an existing watch
 * costs nothing, and there is no state that could differ from the file system. No file is read; events of other files
 * in the same directories wake the loop and are dropped. A change is reported when no other one has followed for a
 * moment, because files are written in several steps, or when a caller is about to look at the sessions.
 *
 * The descriptor is our own, since sd_event_add_inotify(3) reads only in a turn of the loop, and such a caller
 * cannot wait for one. */

#include <dirent.h>
#include <limits.h>
#include <stdalign.h>
#include <sys/inotify.h>

#include "array.h"
#include "defer.h"
#include "fd-file.h"
#include "parse-time.h"
#include "strv.h"
#include "watch.h"

#define SETTLE_USEC (200 * USEC_PER_MSEC)
#define ENTRIES_MAX 16384 /* drop-in directories looked at in one directory */
#define DEPTH_MAX 64
#define READS_MAX 1024 /* in one call: more than the kernel queues by default */
#define ANCESTOR_EVENTS (IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
#define DIRECTORY_EVENTS (ANCESTOR_EVENTS | IN_CLOSE_WRITE | IN_ATTRIB | IN_MOVED_FROM | IN_DELETE)

typedef struct Watched {
        int wd;
        const char *suffix; /* of the names that matter: ".session", ".conf"; NULL: name */
        char *name;         /* the part of the path that is waited for */
} Watched;

struct SessionWatch {
        int fd;
        sd_event_source *source, *timer;
        char **directories;
        char **settings; /* directories of perf-recorderd.conf */
        char *perf_config; /* NULL: none */
        Watched *watched;
        size_t n_watched;
        void (*changed)(void *userdata);
        void *userdata;
};

static void free_watched(Watched *watched, size_t n) {
        for (size_t i = 0; i < n; i++)
                free(watched[i].name);
        free(watched);
}

SessionWatch *session_watch_free(SessionWatch *w) {
        if (!w)
                return NULL;
        sd_event_source_disable_unref(w->source);
        sd_event_source_disable_unref(w->timer);
        safe_close(w->fd);
        strv_free(w->directories);
        strv_free(w->settings);
        free(w->perf_config);
        free_watched(w->watched, w->n_watched);
        free(w);
        return NULL;
}

/* A directory that is watched for several names has a row for each. */
static int add_row(SessionWatch *w, const char *path, uint32_t events, const char *suffix, const char *name) {
        _cleanup_free_ char *copy = NULL;
        int wd;

        if (name) {
                copy = strdup(name);
                if (!copy)
                        return -ENOMEM;
        }
        if (ARRAY_RESERVE_NEXT(w->watched, w->n_watched) < 0)
                return -ENOMEM;
        wd = inotify_add_watch(w->fd, path, events | IN_MASK_ADD);
        if (wd < 0)
                return -errno;
        w->watched[w->n_watched++] = (Watched){ .wd = wd, .suffix = suffix, .name = steal_ptr(copy) };
        return 0;
}

/* Watches the nearest existing directory above path, for the next part of path. */
static int add_ancestor(SessionWatch *w, const char *path) {
        _cleanup_free_ char *above = strdup(path);
        int r = -ENOENT;

        if (!above)
                return -ENOMEM;
        for (unsigned i = 0; i < DEPTH_MAX && (r == -ENOENT || r == -ENOTDIR); i++) {
                char *slash = strrchr(above, '/');

                if (!slash || !slash[1])
                        return r;
                *slash = '\0';
                r = add_row(w, slash == above ? "/" : above, ANCESTOR_EVENTS, NULL, slash + 1);
        }
        return r;
}

static int add_drop_ins(SessionWatch *w, const char *directory) {
        _cleanup_closedir_ DIR *d = opendir(directory);
        struct dirent *e;
        int r;

        for (size_t i = 0; d && i < ENTRIES_MAX && (e = readdir(d)); i++) {
                _cleanup_free_ char *path = NULL;
                size_t n = strlen(e->d_name);

                if (n < 10 || !streq(e->d_name + n - 10, ".session.d"))
                        continue;
                path = path_join(directory, e->d_name);
                if (!path)
                        return -ENOMEM;
                r = add_row(w, path, DIRECTORY_EVENTS, ".conf", NULL);
                if (r < 0 && r != -ENOENT && r != -ENOTDIR)
                        return r;
        }
        return 0;
}

/* A directory that is made between the first look and the watch above it is found by the second look. */
static int add_directory(SessionWatch *w, const char *path, const char *suffix) {
        int r;

        r = add_row(w, path, DIRECTORY_EVENTS, suffix, NULL);
        if (r == -ENOENT || r == -ENOTDIR) {
                r = add_ancestor(w, path);
                if (r >= 0)
                        r = add_row(w, path, DIRECTORY_EVENTS, suffix, NULL);
        }
        return r == -ENOENT || r == -ENOTDIR ? 0 : r;
}

/* Watches its directory, since programs often replace a file instead of writing to it. */
static int add_file(SessionWatch *w, const char *path) {
        const char *slash = strrchr(path, '/');
        _cleanup_free_ char *directory = strndup(path, slash == path ? 1 : (size_t) (slash - path));
        int r;

        if (!directory)
                return -ENOMEM;
        r = add_row(w, directory, DIRECTORY_EVENTS, NULL, slash + 1);
        if (r == -ENOENT || r == -ENOTDIR)
                r = add_ancestor(w, directory);
        return r;
}

static int add_settings(SessionWatch *w, const char *root) {
        _cleanup_free_ char *file = path_join(root, DAEMON_SETTINGS_NAME), *drop_ins = path_join(root, DAEMON_SETTINGS_NAME ".d");
        int r = file && drop_ins ? add_file(w, file) : -ENOMEM;

        return r < 0 ? r : add_directory(w, drop_ins, ".conf");
}

static bool has_watch(const SessionWatch *w, int wd) {
        for (size_t i = 0; i < w->n_watched; i++)
                if (w->watched[i].wd == wd)
                        return true;
        return false;
}

static int watch_all(SessionWatch *w) {
        Watched *old = steal_ptr(w->watched);
        size_t n_old = w->n_watched;
        int r = 0;

        w->n_watched = 0;
        STRV_FOREACH(directory, w->directories) {
                int k = add_directory(w, *directory, ".session");

                if (k >= 0)
                        k = add_drop_ins(w, *directory);
                if (k < 0 && r >= 0)
                        r = k;
        }
        STRV_FOREACH(root, w->settings)
                if (r >= 0)
                        r = add_settings(w, *root);
        if (r >= 0 && w->perf_config)
                r = add_file(w, w->perf_config);
        for (size_t i = 0; i < n_old; i++)
                if (!has_watch(w, old[i].wd))
                        (void) inotify_rm_watch(w->fd, old[i].wd);
        free_watched(old, n_old);
        return r;
}

static bool ends_with(const char *s, const char *suffix) {
        size_t n = strlen(s), k = strlen(suffix);

        return n >= k && streq(s + n - k, suffix);
}

static bool row_matters(const Watched *row, const struct inotify_event *e) {
        if (e->mask & (IN_DELETE_SELF | IN_MOVE_SELF))
                return true;
        if (e->len == 0)
                return false;
        if (!row->suffix)
                return streq(row->name, e->name);
        return ends_with(e->name, row->suffix) || (streq(row->suffix, ".session") && ends_with(e->name, ".session.d"));
}

static bool event_matters(const SessionWatch *w, const struct inotify_event *e) {
        if (e->mask & IN_Q_OVERFLOW)
                return true;
        for (size_t i = 0; i < w->n_watched; i++)
                if (w->watched[i].wd == e->wd && row_matters(&w->watched[i], e))
                        return true;
        return false;
}

static int on_settled(sd_event_source *source, uint64_t usec, void *userdata) {
        SessionWatch *w = userdata;

        (void) watch_all(w);
        w->changed(w->userdata);
        return 0;
}

/* Reads once. Returns false if there was nothing to read. */
static bool read_events(SessionWatch *w, bool *matters) {
        alignas(struct inotify_event) char data[sizeof(struct inotify_event) * 64 + NAME_MAX + 1];
        const struct inotify_event *e;
        ssize_t n;

        n = read(w->fd, data, sizeof(data));
        for (ssize_t i = 0; i < n; i += (ssize_t) (sizeof(*e) + e->len)) {
                e = (const struct inotify_event *) (data + i);
                *matters = *matters || event_matters(w, e);
        }
        return n > 0;
}

static int on_inotify(sd_event_source *source, int fd, uint32_t revents, void *userdata) {
        SessionWatch *w = userdata;
        bool matters = false;

        (void) read_events(w, &matters);
        if (matters)
                defer_for(sd_event_source_get_event(w->source), &w->timer, SETTLE_USEC, USEC_PER_MSEC, on_settled, w);
        return 0;
}

void session_watch_catch_up(SessionWatch *w) {
        bool matters = w->timer && sd_event_source_get_enabled(w->timer, NULL) > 0;

        for (unsigned i = 0; i < READS_MAX && read_events(w, &matters); i++)
                ;
        if (!matters)
                return;
        if (w->timer)
                (void) sd_event_source_set_enabled(w->timer, SD_EVENT_OFF);
        (void) on_settled(w->timer, 0, w);
}

int session_watch_set_perf_config(SessionWatch *w, const char *path) {
        return free_and_strdup(&w->perf_config, path) < 0 ? -ENOMEM : watch_all(w);
}

int session_watch_new(sd_event *event, const SearchPath *path, char *const *settings, void (*changed)(void *userdata),
                      void *userdata, SessionWatch **ret) {
        _cleanup_(session_watch_freep) SessionWatch *w = NULL;
        int r;

        w = calloc(1, sizeof(SessionWatch));
        if (!w)
                return -ENOMEM;
        *w = (SessionWatch){ .fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC), .changed = changed, .userdata = userdata };
        if (w->fd < 0)
                return -errno;
        r = strv_extend_strv(&w->directories, path->directories);
        if (r >= 0)
                r = strv_extend_strv(&w->settings, settings);
        if (r >= 0)
                r = free_and_strdup(&w->perf_config, path->perf_config);
        if (r < 0)
                return r;
        r = sd_event_add_io(event, &w->source, w->fd, EPOLLIN, on_inotify, w);
        if (r < 0)
                return r;
        r = watch_all(w);
        if (r < 0)
                return r;
        *ret = steal_ptr(w);
        return 0;
}
