/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Keeps the dumps within the limits of [Storage]: those of each session, then those of all. Other files in the
 * sessions' directories count for the limits of use (directory-use.c); unfinished files of a killed recorder, and
 * empty directories without a session, are removed. It runs shortly after a dump came or the disk was full, when the
 * loop is idle, and from time to time for dumps that get too old. A run reads the directories of all sessions, so
 * several events within a moment cause one. A dump that somebody reads stays, and is looked at again soon; so does one
 * that was just requested, whose descriptor is on its way.
 *
 * Nothing is remembered between two runs, so the daemon may be killed at any time. */

#include <sys/statvfs.h>

#include "array.h"
#include "defer.h"
#include "directory-use.h"
#include "dump-watch.h"
#include "fd-file.h"
#include "format-text.h"
#include "parse-size.h"
#include "retention.h"
#include "manager-parts.h"

#define REMOVALS_PER_TURN 64u
#define DELAY_USEC (250 * USEC_PER_MSEC)
#define AGAIN_USEC (60 * USEC_PER_MINUTE)
#define AGAIN_IF_USED_USEC USEC_PER_MINUTE
#define DIRECTORIES_MAX 65536u
#define GIGABYTE (UINT64_C(1) << 30)

/* A recording under its plain name that may be removed. */
typedef struct Leftover {
        char *session, *name;
        uint64_t bytes;
} Leftover;

typedef struct Retention {
        Manager *manager;
        Leftover *leftovers;
        size_t n_leftovers;
        uint64_t other_use; /* of all sessions */
        unsigned n_removed;
        bool failed; /* an error with one file is likely to be the same with all: it is logged once */
        usec_t next;
} Retention;

typedef struct DiskSpace {
        uint64_t size, available;
} DiskSpace;

/* File systems without a size (ramfs, FUSE, 9P) have 0 blocks: their capacity is not known. */
static DiskSpace disk_space(const Manager *m) {
        struct statvfs st;

        if (fstatvfs(m->host.base.fd, &st) < 0 || st.f_blocks == 0)
                return (DiskSpace) { UINT64_MAX, UINT64_MAX };
        return (DiskSpace) { (uint64_t) st.f_blocks * st.f_frsize, (uint64_t) st.f_bavail * st.f_frsize };
}

static uint64_t share(uint64_t size, unsigned percent, uint64_t most) {
        return MIN_OF(size / 100 * percent, most);
}

/* The defaults, without a setting in the session's file and perf-recorderd.conf, are a share of the disk, as for
 * systemd's journal. */
static RetentionLimits session_limits(const Manager *m, const SessionSettings *s, const DiskSpace *space) {
        const StorageSettings *d = &m->host.settings.storage;
        const StorageSettings none = STORAGE_SETTINGS_EMPTY, *own = s ? &s->storage : &none;

        return (RetentionLimits) {
                .max_use = own->max_use ?: d->max_use ?: share(space->size, 5, 2 * GIGABYTE),
                .max_files = own->max_files ?: d->max_files ?: 1000,
                .max_age = own->max_age ?: d->max_age ?: USEC_INFINITY,
                .keep_free = own->keep_free == UINT64_MAX ? 0 : own->keep_free,
        };
}

static RetentionLimits total_limits(const Manager *m, const DiskSpace *space) {
        const DaemonSettings *d = &m->host.settings;

        return (RetentionLimits) {
                .max_use = d->total_max_use ?: share(space->size, 10, 4 * GIGABYTE),
                .max_files = d->total_max_files ?: 10000,
                .max_age = USEC_INFINITY,
                .keep_free = d->storage.keep_free == UINT64_MAX ? share(space->size, 15, 4 * GIGABYTE) : d->storage.keep_free,
        };
}

char *manager_explain_full(const Manager *m, const SessionSettings *s) {
        DiskSpace space = disk_space(m);
        uint64_t own = session_limits(m, s, &space).keep_free, all = total_limits(m, &space).keep_free;
        char number[64];

        if (space.available >= MAX_OF(own, all))
                return NULL;
        return format_text("less of the disk is free than KeepFree=%s", format_size(number, sizeof(number), MAX_OF(own, all)));
}

static void describe(RetentionReason reason, const RetentionLimits *l, bool total, char *text, size_t size) {
        const char *prefix = total ? "Total" : "";
        char number[64];

        switch (reason) {
        case RETENTION_MAX_AGE:
                snprintf(text, size, "it is older than MaxAge=%s", format_timespan(number, sizeof(number), l->max_age));
                return;
        case RETENTION_MAX_FILES:
                snprintf(text, size, "there are more than %sMaxFiles=%" PRIu64, prefix, l->max_files);
                return;
        case RETENTION_MAX_USE:
                snprintf(text, size, "they use more than %sMaxUse=%s", prefix, format_size(number, sizeof(number), l->max_use));
                return;
        case RETENTION_KEEP_FREE:
                snprintf(text, size, "less of the disk is free than KeepFree=%s",
                         format_size(number, sizeof(number), l->keep_free));
                return;
        }
}

/* Returns whether it is gone. */
static bool is_removed(Retention *r, const char *session, int k, const char *what, const char *why) {
        JournalSession j = { .name = session };

        if (k == -EBUSY)
                r->next = MIN_OF(r->next, AGAIN_IF_USED_USEC);
        else if (k < 0 && k != -ENOENT && k != -ESTALE) {
                journal_log_session(&j, LOG_WARNING, NULL, "Cannot remove %s, although %s: %s", what, why, strerror(-k));
                r->failed = true;
        } else
                return true;
        return false;
}

static bool remove_one(Retention *r, const Dump *d, const char *why) {
        _cleanup_free_ char *session = strdup(d->session);
        Manager *m = r->manager;
        int k;

        m->removal = why;
        k = dump_store_remove(m->host.dumps, d, true);
        m->removal = NULL;
        return is_removed(r, session, k, "a dump", why);
}

/* The store reads the dump again, and the entry gets that one; NULL: the dump is gone too. */
static void remove_symbols(Retention *r, RetentionEntry *e, const char *why) {
        _cleanup_free_ char *session = strdup(e->dump->session);
        JournalSession j = { .name = session };
        int k = dump_store_remove_symbols(r->manager->host.dumps, &e->dump);

        e->symbols_stay = !is_removed(r, session, k, "the symbols of a dump", why);
        if (e->symbols_stay || !e->dump)
                return;
        e->symbols = 0;
        r->n_removed++;
        journal_log_session(&j, LOG_INFO, NULL, "Removed the symbols of dump %s: %s", e->dump->id, why);
}

/* Removed entries are taken out; the rest stays sorted. */
static size_t apply(Retention *r, RetentionEntry *entries, size_t n, const RetentionLimits *l, bool total) {
        while (r->n_removed < REMOVALS_PER_TURN) {
                usec_t now = now_usec(CLOCK_REALTIME);
                RetentionTarget target;
                RetentionReason reason;
                char why[160];
                size_t i;

                i = retention_pick(entries, n, l, now, disk_space(r->manager).available, &target, &reason);
                if (i >= n || r->failed) {
                        r->next = MIN_OF(r->next, retention_next(entries, n, l, now));
                        return n;
                }
                describe(reason, l, total, why, sizeof(why));
                if (target == RETENTION_SYMBOLS)
                        remove_symbols(r, &entries[i], why);
                else
                        entries[i].stays = !remove_one(r, entries[i].dump, why);
                if (target == RETENTION_SYMBOLS ? entries[i].dump != NULL : entries[i].stays)
                        continue;
                r->n_removed++;
                memmove(entries + i, entries + i + 1, (--n - i) * sizeof(RetentionEntry));
        }
        r->next = 0;
        return n;
}

static int collect(Manager *m, const Dump *const *dumps, size_t n, RetentionEntry **ret) {
        _cleanup_free_ RetentionEntry *entries = calloc(n + 1, sizeof(RetentionEntry));
        int r;

        if (!entries)
                return -ENOMEM;
        for (size_t i = 0; i < n; i++)
                entries[i] = (RetentionEntry) {
                        .dump = dumps[i],
                        .newest = sessions_find(&m->sessions, dumps[i]->session) &&
                                  dump_store_newest(m->host.dumps, dumps[i]->session) == dumps[i],
                };
        r = retention_sort(entries, n);
        if (r < 0)
                return r;
        *ret = steal_ptr(entries);
        return 0;
}

/* Called before a dump is removed, since nobody finds these by name. session: only of that one; NULL: of all. */
static void remove_leftovers(Retention *r, const char *session, const RetentionEntry *entries, size_t n, RetentionLimits *l) {
        RetentionReason reason;

        for (size_t i = 0; i < r->n_leftovers; i++) {
                Leftover *left = &r->leftovers[i];
                JournalSession j = { .name = left->session };
                _cleanup_close_ int fd = -EBADF;

                if (!left->name || (session && !streq(session, left->session)))
                        continue;
                if (!retention_is_too_much(entries, n, l, disk_space(r->manager).available, &reason) ||
                    reason == RETENTION_MAX_FILES)
                        return;
                fd = dump_directory_open(r->manager->host.base.fd, left->session);
                if (fd < 0 || directory_use_remove(fd, left->name) < 0)
                        continue;
                journal_log_session(&j, LOG_INFO, NULL, "Removed %s: %s", left->name,
                                    reason == RETENTION_MAX_USE ? "more is used than the limits allow"
                                                                : "less of the disk is free than KeepFree= says");
                l->other_use -= MIN_OF(l->other_use, left->bytes);
                left->name = (free(left->name), NULL);
        }
}

static int note_leftover(Retention *r, const char *session, DirectoryUse *u) {
        char *copy;

        if (!u->recording)
                return 0;
        copy = strdup(session);
        if (!copy || ARRAY_RESERVE_NEXT(r->leftovers, r->n_leftovers) < 0) {
                free(copy);
                return -ENOMEM;
        }
        r->leftovers[r->n_leftovers++] = (Leftover) { copy, steal_ptr(u->recording), u->recording_bytes };
        return 0;
}

/* Removes what nobody needs in the session's directory; returns the bytes of the files that belong to no dump. */
static int look_into(Retention *r, const char *session, uint64_t *ret_bytes) {
        _cleanup_(directory_use_done) DirectoryUse u = {};
        const Session *s = sessions_find(&r->manager->sessions, session);
        _cleanup_close_ int fd = dump_directory_open(r->manager->host.base.fd, session);
        _cleanup_free_ char *name = NULL;

        *ret_bytes = 0;
        if (fd < 0 || directory_use_read(fd, s != NULL, &u) < 0)
                return 0;
        if (!s && u.empty) {
                name = format_text(DUMP_DIRECTORY_PREFIX "%s", session);
                if (!name)
                        return -ENOMEM;
                (void) directory_use_remove_directory(r->manager->host.base.fd, name, fd);
                return 0;
        }
        *ret_bytes = u.bytes;
        r->other_use += u.bytes;
        return note_leftover(r, session, &u);
}

static int retain_session(Retention *r, const char *session, const DiskSpace *space) {
        _cleanup_free_ RetentionEntry *entries = NULL;
        const Session *s = sessions_find(&r->manager->sessions, session);
        RetentionLimits limits = session_limits(r->manager, s ? session_view(s).settings : NULL, space);
        const Dump *const *dumps;
        size_t n;
        int k;

        k = look_into(r, session, &limits.other_use);
        if (k < 0)
                return k;
        dumps = dump_store_of(r->manager->host.dumps, session, &n);
        k = collect(r->manager, dumps, n, &entries);
        if (k < 0)
                return k;
        r->other_use -= limits.other_use;
        remove_leftovers(r, session, entries, n, &limits);
        r->other_use += limits.other_use;
        (void) apply(r, entries, n, &limits, false);
        return 0;
}

/* Lists the sessions of all directories, whether these exist or not. */
static int list_directories(const Manager *m, char ***ret) {
        _cleanup_strv_free_ char **sessions = NULL;
        _cleanup_closedir_ DIR *d = NULL;
        const struct dirent *e;
        int r = open_directory_at(m->host.base.fd, ".", &d);

        for (size_t i = 0; r >= 0 && i < DIRECTORIES_MAX && (e = readdir(d)); i++) {
                const char *session = dump_directory_session(e->d_name);

                if (session)
                        r = strv_extend(&sessions, session);
        }
        if (r < 0)
                return r;
        *ret = steal_ptr(sessions);
        return 0;
}

static int retain_all(Retention *r, const DiskSpace *space) {
        _cleanup_free_ RetentionEntry *entries = NULL;
        RetentionLimits limits = total_limits(r->manager, space);
        const Dump *const *dumps;
        size_t n;
        int k;

        limits.other_use = r->other_use;
        dumps = dump_store_all(r->manager->host.dumps, &n);
        k = collect(r->manager, dumps, n, &entries);
        if (k < 0)
                return k;
        remove_leftovers(r, NULL, entries, n, &limits);
        (void) apply(r, entries, n, &limits, true);
        return 0;
}

static void retention_done(Retention *r) {
        for (size_t i = 0; i < r->n_leftovers; i++) {
                free(r->leftovers[i].session);
                free(r->leftovers[i].name);
        }
        free(r->leftovers);
}

static int on_retention(sd_event_source *source, void *userdata);

static void run_when_idle(Manager *m) {
        defer_once(m->host.event, &m->retention, SD_EVENT_PRIORITY_IDLE, on_retention, m);
}

static int on_time(sd_event_source *source, uint64_t usec, void *userdata) {
        run_when_idle(userdata);
        return 0;
}

/* Makes a new timer, since defer_for() cannot change the accuracy of one. */
static int run_in(Manager *m, usec_t delay, usec_t accuracy) {
        m->retention_timer = sd_event_source_disable_unref(m->retention_timer);
        return sd_event_add_time_relative(m->host.event, &m->retention_timer, CLOCK_MONOTONIC, delay, accuracy, on_time, m);
}

/* Without a dump or another file no timer is needed. */
static void wait_for_next(Retention *r) {
        Manager *m = r->manager;
        size_t n;

        (void) dump_store_all(m->host.dumps, &n);
        m->retention_timer = sd_event_source_disable_unref(m->retention_timer);
        if (n > 0 || r->other_use > 0)
                (void) run_in(m, r->next, USEC_PER_SEC);
}

static int on_retention(sd_event_source *source, void *userdata) {
        _cleanup_(retention_done) Retention r = { .manager = userdata, .next = AGAIN_USEC };
        _cleanup_strv_free_ char **sessions = NULL;
        DiskSpace space = disk_space(r.manager);
        int k;

        r.manager->retains = false;
        if (r.manager->adoption) /* it is not known yet which sessions record */
                return 0;
        if (!dump_store_is_measured(r.manager->host.dumps)) { /* the store measures them in the next turns */
                run_when_idle(r.manager);
                return 0;
        }
        r.manager->retains = true;
        k = list_directories(r.manager, &sessions);
        for (size_t i = 0; k >= 0 && sessions && sessions[i]; i++)
                k = retain_session(&r, sessions[i], &space);
        if (k >= 0)
                k = retain_all(&r, &space);
        if (k < 0)
                journal_log(LOG_WARNING, "Cannot check the limits on dumps: %s", strerror(-k));
        wait_for_next(&r);
        r.manager->retains = false;
        return 0;
}

void manager_retain_later(Manager *m) {
        if (!m->retains)
                m->retains = run_in(m, DELAY_USEC, USEC_PER_MSEC) >= 0;
}
