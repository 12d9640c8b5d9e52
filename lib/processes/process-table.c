/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Processes by pid. perf writes FINISHED_ROUND after each pass over all rings; records that follow it in the file are
 * not older than those of the previous pass. So no record of an exited process can follow the second one.
 *
 * Within a pass, a process that was started on one CPU and ran on another may have its maps in the file before the FORK
 * that begins it; so may one whose records have equal times. Such a FORK is known by its process, which has maps though
 * nothing began it. */

#include "process-table.h"

#include "array.h"
#include "process-rules.h"

static Process *process_free(Process *p) {
        map_list_done(&p->maps);
        free(p);
        return NULL;
}

void process_table_done(ProcessTable *t) {
        for (size_t i = 0; i < t->n; i++)
                process_free(t->processes[i]);
        free(t->processes);
        hash_index_done(&t->by_pid);
        *t = (ProcessTable) {};
}

Process *process_table_search(ProcessTable *t, uint32_t pid) {
        t->recent = process_find(&t->by_pid, pid);
        return t->recent;
}

static int add_process(ProcessTable *t, uint32_t pid, Process **ret) {
        Process *p;

        if (t->n >= PROCESS_MAX)
                return -ENOSPC;
        if (ARRAY_RESERVE(t->processes, t->allocated, t->n + 1) < 0)
                return -ENOMEM;
        p = calloc(1, sizeof(*p));
        if (!p)
                return -ENOMEM;
        p->pid = pid;
        if (hash_index_add(&t->by_pid, pid, (uintptr_t) p, process_hash, NULL) < 0) {
                free(p);
                return -ENOMEM;
        }
        t->processes[t->n++] = p;
        *ret = p;
        return 0;
}

int process_table_get(ProcessTable *t, uint32_t pid, Process **ret) {
        Process *p = process_table_find(t, pid);

        if (!p)
                return add_process(t, pid, ret);
        *ret = p;
        return 0;
}

/* Puts the parent's maps below those that were read before the record which begins the process. */
static int inherit_below(MapList *child, const MapList *parent) {
        _cleanup_(map_list_done) MapList all = {};
        int r = map_list_copy(&all, parent);

        for (size_t i = 0; r >= 0 && i < child->n; i++)
                r = map_list_put(&all, child->maps + i);
        if (r < 0)
                return r;
        map_list_done(child);
        *child = all;
        all = (MapList) {};
        return 0;
}

int process_table_fork(ProcessTable *t, const PerfRecordTask *task) {
        Process *parent = process_table_find(t, task->ppid), *child;
        bool late;
        int r;

        if (!fork_is_of_process(task)) {
                if (parent) {
                        process_threads_fork(&parent->threads);
                        t->n_exited -= parent->exited; /* after the EXIT of the thread, which seemed to be the last */
                        parent->exited = false;
                }
                return 0;
        }
        r = process_table_get(t, task->pid, &child);
        if (r < 0)
                return r;
        process_threads_exec(&child->threads);
        late = !child->begun && !child->exited && child->maps.n > 0;
        child->begun = true;
        if (!parent || !fork_inherits_maps(task))
                return 0;
        if (late)
                r = inherit_below(&child->maps, &parent->maps);
        else {
                t->n_exited -= child->exited;
                child->exited = false;
                r = map_list_copy(&child->maps, &parent->maps);
        }
        if (r >= 0)
                r = process_table_note_maps(t, parent->maps.n);
        return r < 0 ? r : late ? 2 : 1;
}

int process_table_pids(const ProcessTable *t, uint32_t **ret, size_t *ret_n) {
        uint32_t *pids = calloc(t->n + 1, sizeof(*pids));
        size_t n = 0;

        if (!pids)
                return -ENOMEM;
        for (size_t i = 0; i < t->n; i++)
                if (t->processes[i]->maps.n > 0)
                        pids[n++] = t->processes[i]->pid;
        *ret = pids;
        *ret_n = n;
        return 0;
}

void process_table_exec(ProcessTable *t, uint32_t pid) {
        Process *p = process_table_find(t, pid);

        if (p)
                process_threads_exec(&p->threads);
}

void process_table_exit(ProcessTable *t, const PerfRecordTask *task) {
        Process *p = process_table_find(t, task->pid);

        if (!p || p->exited || !process_threads_exit(&p->threads, task_is_leader(task)))
                return;
        p->exited = true;
        p->exit_round = t->round;
        t->n_exited++;
}

static size_t count_maps(const ProcessTable *t, size_t *ret_longest) {
        size_t n = 0, longest = 0;

        for (size_t i = 0; i < t->n; i++) {
                n += t->processes[i]->maps.n;
                longest = MAX_OF(longest, t->processes[i]->maps.n);
        }
        *ret_longest = longest;
        return n;
}

int process_table_cut(ProcessTable *t) {
        size_t longest;
        int r = 0;

        (void) count_maps(t, &longest);
        for (size_t i = 0; i < t->n && r >= 0; i++) {
                MapList *maps = &t->processes[i]->maps;

                if (maps->n > longest / 2)
                        r = map_list_keep_newest(maps, maps->n / 2);
        }
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

void process_table_finish_round(ProcessTable *t) {
        size_t kept = 0;

        t->round++;
        if (t->n_exited == 0)
                return;
        t->recent = NULL;
        for (size_t i = 0; i < t->n; i++) {
                Process *p = t->processes[i];

                if (!p->exited || t->round < p->exit_round + 2) {
                        t->processes[kept++] = p;
                        continue;
                }
                hash_index_remove(&t->by_pid, p->pid, (uintptr_t) p, process_hash, NULL);
                process_free(p);
                t->n_exited--;
        }
        t->n = kept;
}
