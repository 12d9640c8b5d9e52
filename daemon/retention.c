/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The rules of [Storage]. What is too old goes, and then the oldest ones while there are too many, or they are too large, or
 * too little of the disk is free. Those that stay because somebody reads them count, so that others go in their place. */

#include "retention.h"

static int compare(const void *a, const void *b) {
        const Dump *x = ((const RetentionEntry *) a)->dump, *y = ((const RetentionEntry *) b)->dump;

        return x->timestamp != y->timestamp ? (x->timestamp < y->timestamp ? -1 : 1) : strcmp(x->name, y->name);
}

void retention_sort(RetentionEntry *entries, size_t n) {
        if (n > 0)
                qsort(entries, n, sizeof(RetentionEntry), compare);
}

/* A clock that was wrong makes none old. */
static bool is_too_old(const Dump *d, const RetentionLimits *l, usec_t now) {
        return l->max_age != USEC_INFINITY && d->timestamp < now && now - d->timestamp > l->max_age;
}

bool retention_is_too_much(const RetentionEntry *entries, size_t n, const RetentionLimits *l, uint64_t free,
                           RetentionReason *ret_reason) {
        uint64_t use = l->other_use;

        for (size_t i = 0; i < n; i++)
                use += entries[i].dump->usage;
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

size_t retention_pick(const RetentionEntry *entries, size_t n, const RetentionLimits *l, usec_t now, uint64_t free,
                      RetentionReason *ret_reason) {
        for (size_t i = 0; i < n; i++)
                if (!entries[i].stays && is_too_old(entries[i].dump, l, now)) {
                        *ret_reason = RETENTION_MAX_AGE;
                        return i;
                }
        if (!retention_is_too_much(entries, n, l, free, ret_reason))
                return n;
        for (size_t i = 0; i < n; i++)
                if (!entries[i].stays && !entries[i].newest)
                        return i;
        return n;
}

usec_t retention_next(const RetentionEntry *entries, size_t n, const RetentionLimits *l, usec_t now) {
        if (l->max_age == USEC_INFINITY)
                return USEC_INFINITY;
        for (size_t i = 0; i < n; i++)
                if (!entries[i].stays && entries[i].dump->timestamp < now)
                        return l->max_age - MIN_OF(l->max_age, now - entries[i].dump->timestamp) + 1;
        return USEC_INFINITY;
}
