/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Processes by pid, in a fixed number of chains: a recording has hundreds or thousands of them, not millions. perf writes
 * FINISHED_ROUND after each pass over all rings; what follows it in the file is not older than what the pass before
 * wrote, so that nothing of an exited process can come after the second one. */

#include "process-table.h"

static Process *process_free(Process *p) {
        map_list_done(&p->maps);
        free(p);
        return NULL;
}

void process_table_done(ProcessTable *t) {
        for (size_t i = 0; i < PROCESS_BUCKETS; i++)
                while (t->buckets[i]) {
                        Process *p = t->buckets[i];

                        t->buckets[i] = p->next;
                        process_free(p);
                }
        *t = (ProcessTable) {};
}

Process *process_table_find(const ProcessTable *t, uint32_t pid) {
        Process *p = t->buckets[pid % PROCESS_BUCKETS];

        while (p && p->pid != pid)
                p = p->next;
        return p;
}

int process_table_get(ProcessTable *t, uint32_t pid, Process **ret) {
        Process **bucket = t->buckets + pid % PROCESS_BUCKETS, *p = process_table_find(t, pid);

        if (!p) {
                if (t->n >= PROCESS_MAX)
                        return -ENOSPC;
                p = calloc(1, sizeof(*p));
                if (!p)
                        return -ENOMEM;
                p->pid = pid;
                p->next = *bucket;
                *bucket = p;
                t->n++;
        }
        *ret = p;
        return 0;
}

int process_table_pids(const ProcessTable *t, uint32_t **ret, size_t *ret_n) {
        uint32_t *pids = calloc(t->n + 1, sizeof(*pids));
        size_t n = 0;

        if (!pids)
                return -ENOMEM;
        for (size_t i = 0; i < PROCESS_BUCKETS; i++)
                for (const Process *p = t->buckets[i]; p; p = p->next)
                        pids[n++] = p->pid;
        *ret = pids;
        *ret_n = n;
        return 0;
}

void process_table_exit(ProcessTable *t, uint32_t pid) {
        Process *p = process_table_find(t, pid);

        if (!p || p->exited)
                return;
        p->exited = true;
        p->exit_round = t->round;
        t->n_exited++;
}

static size_t count_maps(const ProcessTable *t, size_t *ret_longest) {
        size_t n = 0, longest = 0;

        for (size_t i = 0; i < PROCESS_BUCKETS; i++)
                for (const Process *p = t->buckets[i]; p; p = p->next) {
                        n += p->maps.n;
                        longest = MAX_OF(longest, p->maps.n);
                }
        *ret_longest = longest;
        return n;
}

int process_table_cut(ProcessTable *t) {
        size_t longest;
        int r = 0;

        (void) count_maps(t, &longest);
        for (size_t i = 0; i < PROCESS_BUCKETS; i++)
                for (Process *p = t->buckets[i]; p && r >= 0; p = p->next)
                        if (p->maps.n > longest / 2)
                                r = map_list_keep_newest(&p->maps, p->maps.n / 2);
        return r;
}

int process_table_note_maps(ProcessTable *t, size_t n) {
        size_t room = PROCESS_TABLE_MAPS_MAX / 4, longest;
        int r = 0;

        t->added += n;
        if (t->added < room)
                return 0;
        t->added = 0;
        while (r >= 0 && count_maps(t, &longest) > PROCESS_TABLE_MAPS_MAX - room)
                r = process_table_cut(t);
        return r;
}

static void drop_exited(ProcessTable *t, Process **link) {
        while (*link) {
                Process *p = *link;

                if (!p->exited || t->round < p->exit_round + 2) {
                        link = &p->next;
                        continue;
                }
                *link = p->next;
                process_free(p);
                t->n--;
                t->n_exited--;
        }
}

void process_table_finish_round(ProcessTable *t) {
        t->round++;
        for (size_t i = 0; t->n_exited > 0 && i < PROCESS_BUCKETS; i++)
                drop_exited(t, t->buckets + i);
}
