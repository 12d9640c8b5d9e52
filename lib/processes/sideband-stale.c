/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Finds the processes of which the table may lack records since some were lost. The base has the state at the time of the oldest
 * sample, so that the present name of a process is found by a walk along the log. */

#include "sideband-parts.h"

static void sideband_follow_entry(const SidebandEntry *e) {
        SidebandProcess *p = e->process;

        if (sideband_entry_begins(e)) {
                p->marks.present = p->parent ? p->parent->marks.present : 0;
                p->marks.begun = e->time;
        } else if (e->header.type == PERF_RECORD_COMM && sideband_entry_tid(e) == p->pid) {
                p->marks.present = e->tail;
                if (record_is_exec(&e->header))
                        p->marks.begun = e->time;
        }
}

void sideband_table_find_stale(const SidebandTable *t, uint64_t since, SidebandSeen *seen, size_t n) {
        for (SidebandProcess *p = t->first; p; p = p->next) {
                p->marks.present = p->leader.comm;
                p->marks.begun = 0;
        }
        for (const SidebandEntry *e = t->log.first; e; e = e->next)
                if (e->process)
                        sideband_follow_entry(e);
        for (size_t i = 0; i < n; i++) {
                const SidebandProcess *p = sideband_process_find(t, seen[i].pid);
                uint64_t begun = p && !p->ended ? p->marks.begun : 0;

                seen[i].known = p && !p->ended;
                seen[i].stale = !seen[i].known || begun >= since || p->marks.present == 0 ||
                                !streq((const char *) byte_pool_get(&t->pool, p->marks.present)->data, seen[i].name);
                seen[i].since = MAX_OF(begun, since);
        }
}
