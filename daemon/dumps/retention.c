/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The rules of [Storage]. Dumps that are too old are removed, and then the oldest ones while there are too many, or
 * they are too large, or too little of the disk is free. Dumps that stay because somebody reads them count, so that
 * others are removed instead.
 *
 * A unit that restarts every few seconds makes many dumps that nobody asked for: they are removed before all others.
 *
 * If space is short, symbols are removed before recordings, which cannot be made again: those of the oldest dump
 * first. Removing symbols that a newer dump shares frees nothing; they, and those of the newest dump, are removed
 * only if symbols use more than recordings, so that a history that fills its limit keeps some. */

#include "retention.h"

#include <perf-recorder/dump-facts.h>

/* A dump that also answers another trigger may have been asked for. */
static bool is_of_restart(const RetentionEntry *e) {
        return !e->newest && e->dump->n_triggers <= 1 && streq(e->dump->trigger, PR_TRIGGER_UNIT_RESTART);
}

static int compare(const void *a, const void *b) {
        const Dump *x = ((const RetentionEntry *) a)->dump, *y = ((const RetentionEntry *) b)->dump;
        bool x_first = is_of_restart(a), y_first = is_of_restart(b);

        if (x_first != y_first)
                return x_first ? -1 : 1;
        return x->timestamp != y->timestamp ? (x->timestamp < y->timestamp ? -1 : 1) : strcmp(x->name, y->name);
}

typedef struct Share {
        TreeFile file;
        size_t entry; /* in the sorted entries */
} Share;

/* The dump that is removed last of all that share a file comes first. */
static int compare_shares(const void *a, const void *b) {
        const Share *x = a, *y = b;

        if (x->file.inode != y->file.inode)
                return x->file.inode < y->file.inode ? -1 : 1;
        return (x->entry < y->entry) - (x->entry > y->entry);
}

static int count_symbols(RetentionEntry *entries, size_t n) {
        _cleanup_free_ Share *shares = NULL;
        size_t n_shares = 0;

        for (size_t i = 0; i < n; i++)
                n_shares += entries[i].dump->symbols.n_files;
        if (n_shares == 0)
                return 0;
        shares = calloc(n_shares, sizeof(Share));
        if (!shares)
                return -ENOMEM;
        n_shares = 0;
        for (size_t i = 0; i < n; i++)
                for (size_t k = 0; k < entries[i].dump->symbols.n_files; k++)
                        shares[n_shares++] = (Share) { .file = entries[i].dump->symbols.files[k], .entry = i };
        qsort(shares, n_shares, sizeof(Share), compare_shares);
        for (size_t i = 0; i < n_shares; i++)
                if (i == 0 || shares[i].file.inode != shares[i - 1].file.inode)
                        entries[shares[i].entry].symbols += shares[i].file.bytes;
        return 0;
}

int retention_sort(RetentionEntry *entries, size_t n) {
        if (n == 0)
                return 0;
        qsort(entries, n, sizeof(RetentionEntry), compare);
        return count_symbols(entries, n);
}

static uint64_t own_use(const RetentionEntry *e) {
        return dump_file_usage(e->dump) + e->dump->symbols.directories;
}

/* A dump with a time in the future, from a wrong clock, is not old. */
static bool is_too_old(const Dump *d, const RetentionLimits *l, usec_t now) {
        return l->max_age != USEC_INFINITY && d->timestamp < now && now - d->timestamp > l->max_age;
}

bool retention_is_too_much(const RetentionEntry *entries, size_t n, const RetentionLimits *l, uint64_t free,
                           RetentionReason *ret_reason) {
        uint64_t use = l->other_use;

        for (size_t i = 0; i < n; i++)
                use += own_use(&entries[i]) + entries[i].symbols;
        if (n > l->max_files)
                *ret_reason = RETENTION_MAX_FILES;
        else if (use > l->max_use)
                *ret_reason = RETENTION_MAX_USE;
        else if (free < l->keep_free)
                *ret_reason = RETENTION_KEEP_FREE;
        else
                return false;
        return true;
}

static bool has_removable_symbols(const RetentionEntry *e) {
        return dump_has_symbols(e->dump) && !e->stays && !e->symbols_stay;
}

static size_t pick_symbols(const RetentionEntry *entries, size_t n) {
        uint64_t recordings = 0, symbols = 0;

        for (size_t i = 0; i < n; i++) {
                if (has_removable_symbols(&entries[i]) && !entries[i].newest && entries[i].symbols > 0)
                        return i;
                recordings += dump_file_usage(entries[i].dump);
                symbols += entries[i].symbols;
        }
        for (size_t i = 0; i < n && symbols > recordings; i++)
                if (has_removable_symbols(&entries[i]))
                        return i;
        return n;
}

size_t retention_pick(const RetentionEntry *entries, size_t n, const RetentionLimits *l, usec_t now, uint64_t free,
                      RetentionTarget *ret_target, RetentionReason *ret_reason) {
        size_t symbols;

        *ret_target = RETENTION_DUMP;
        for (size_t i = 0; i < n; i++)
                if (!entries[i].stays && is_too_old(entries[i].dump, l, now)) {
                        *ret_reason = RETENTION_MAX_AGE;
                        return i;
                }
        if (!retention_is_too_much(entries, n, l, free, ret_reason))
                return n;
        symbols = *ret_reason == RETENTION_MAX_FILES ? n : pick_symbols(entries, n);
        if (symbols < n) {
                *ret_target = RETENTION_SYMBOLS;
                return symbols;
        }
        for (size_t i = 0; i < n; i++)
                if (!entries[i].stays && !entries[i].newest &&
                    (*ret_reason == RETENTION_MAX_FILES || own_use(&entries[i]) + entries[i].symbols > 0))
                        return i;
        return n;
}

usec_t retention_next(const RetentionEntry *entries, size_t n, const RetentionLimits *l, usec_t now) {
        usec_t next = USEC_INFINITY;

        for (size_t i = 0; i < n && l->max_age != USEC_INFINITY; i++) {
                usec_t left = l->max_age - MIN_OF(l->max_age, now - entries[i].dump->timestamp) + 1;

                if (!entries[i].stays && entries[i].dump->timestamp < now)
                        next = MIN_OF(next, left);
        }
        return next;
}
