/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Fair shares of base and log, in bytes of the records that they unfold to, since dumps and the journal contain these.
 * Each process has a share. If all together exceed the limit, the largest give way, down to a level that leaves the
 * others whole: processes that misbehave, few or many, cannot push out the rest. */

#include "sideband-parts.h"

#define LOG_LEVEL_MIN ((size_t) 64 * 1024) /* bytes of records: a process with less does not give way */

static size_t beyond(size_t n, size_t share) {
        return n > share ? n - share : 0;
}

void sideband_log_count(SidebandTable *t, const SidebandEntry *e, bool enters) {
        size_t *records = e->process ? &e->process->log_records : &t->log.kernel_records, share = t->share;
        size_t before = beyond(*records, share), memory = sideband_entry_size(t, e);

        if (enters) {
                t->log.bytes += memory;
                t->log.records += e->header.size;
                *records += e->header.size;
        } else {
                t->log.bytes -= memory;
                t->log.records -= e->header.size;
                *records -= e->header.size;
        }
        t->log.excess += beyond(*records, share) - before;
}

static size_t sideband_base_of(const SidebandProcess *p) {
        return p->maps ? p->maps->bytes : 0;
}

static size_t sideband_log_of(const SidebandProcess *p) {
        return p->log_records;
}

/* Returns the level to which the larger processes shrink so that all together have no more than so many bytes. Larger
 * ones may use the room that small ones leave. The level only rises, until no further process is below it. */
static size_t sideband_find_level(const SidebandTable *t, size_t bytes, size_t (*of)(const SidebandProcess *p)) {
        size_t level = 0, next = bytes / MAX_OF(t->n_processes, (size_t) 1);

        while (next > level) {
                size_t small = 0, n_large = 0;

                level = next;
                for (const SidebandProcess *p = t->first; p; p = p->next)
                        if (of(p) <= level)
                                small += of(p);
                        else
                                n_large++;
                next = n_large > 0 ? beyond(bytes, small) / n_large : level;
        }
        return level;
}

int sideband_share_base(SidebandTable *t) {
        size_t total = sideband_total_of(t->total, t->n_processes), level;
        int r = 0;

        if (t->base_records <= total)
                return 0;
        level = sideband_find_level(t, total / 4 * 3, sideband_base_of);
        for (SidebandProcess *p = t->first; p && r >= 0; p = p->next)
                if (sideband_base_of(p) > level)
                        r = sideband_maps_shrink(t, p->maps, level);
        return r;
}

/* A pass over the log costs time, so it waits until it frees enough. */
int sideband_share_log(SidebandTable *t) {
        size_t worth = MAX_OF(t->share / 2, t->log.records / 4), level;
        int r = 0;

        if (t->log.excess > worth)
                r = sideband_fold_log(t, t->share);
        if (r < 0 || t->log.records <= t->limit)
                return r;
        level = sideband_find_level(t, t->limit / 2, sideband_log_of);
        return sideband_fold_log(t, MAX_OF(level, LOG_LEVEL_MIN));
}
