/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Invariant: the tasks can do all pieces, whatever the recording says: a sleep waits for a wake that was added when the sleep was
 * the last piece of its task, so all that the wake's own task does before it was added earlier, too. A task that wakes itself
 * would break this: such a wake is left out. */

#include "work-plan.h"

#include "array.h"
#include "saturate.h"

void work_plan_done(WorkPlan *p) {
        for (size_t i = 0; i < p->n_tasks; i++)
                free(p->tasks[i].pieces);
        free(p->tasks);
        *p = (WorkPlan) {};
}

size_t work_plan_count(const WorkPlan *p) {
        size_t n = 0;

        for (size_t i = 0; i < p->n_tasks; i++)
                n += p->tasks[i].n > 0;
        return n;
}

static int work_add_piece(WorkTask *t, const WorkPiece *piece) {
        if (ARRAY_RESERVE(t->pieces, t->allocated, t->n + 1) < 0)
                return -ENOMEM;
        t->pieces[t->n++] = *piece;
        return 0;
}

static int work_add_sleep(WorkPlan *p, WorkTask *t) {
        p->sleeps++;
        return work_add_piece(t, &(WorkPiece) { .kind = WORK_SLEEP });
}

/* Adds that the task ran from the time when it came, or from its last piece on, to this time. */
static int work_add_run(WorkPlan *p, WorkTask *t, bool idle, uint64_t came, uint64_t time) {
        uint64_t since = MAX_OF(came, t->counted <= time ? t->counted : 0);
        WorkPiece run = { .kind = idle ? WORK_PAUSE : WORK_RUN, .nsec = time - since };
        WorkPiece *last = t->n > 0 ? t->pieces + t->n - 1 : NULL;

        t->counted = time;
        if (came == 0 || since >= time)
                return 0;
        if (last && last->kind == run.kind) {
                last->nsec = saturate_sum(last->nsec, run.nsec);
                p->joined++;
                return 0;
        }
        *(idle ? &p->sleeps : &p->runs) += 1;
        return work_add_piece(t, &run);
}

/* A thread whose first event this is has slept. */
static int work_add_wake(WorkPlan *p, WorkTask *waker, uint32_t number) {
        WorkTask *woken = p->tasks + number;
        WorkPiece *last;
        int r = 0;

        p->wakes++;
        if (woken->n == 0 && woken != waker)
                r = work_add_sleep(p, woken);
        if (r < 0)
                return r;
        last = woken->n > 0 ? woken->pieces + woken->n - 1 : NULL;
        if (woken == waker || !last || last->kind != WORK_SLEEP) {
                p->targetless++;
                return 0;
        }
        if (last->woken) {
                p->repeated++;
                return 0;
        }
        last->woken = true;
        return work_add_piece(waker, &(WorkPiece) { .kind = WORK_WAKE, .wakes = number });
}

int work_plan_take(WorkPlan *p, const SchedModel *m, const SchedStep *s) {
        bool switched = sched_event_is_switch(&s->event), idle = m->threads[s->out].tid == 0;
        const SchedWait *wait = switched ? &s->stay : &m->threads[s->out].wait;
        uint32_t number = MAX_OF(s->in, s->out); /* so that both are there */
        WorkTask *task;
        int r;

        if (s->event.kind == SCHED_MIGRATION)
                return 0;
        if (ARRAY_RESERVE(p->tasks, p->allocated, (size_t) number + 1) < 0)
                return -ENOMEM;
        for (; p->n_tasks <= number; p->n_tasks++)
                p->tasks[p->n_tasks] = (WorkTask) {};
        task = p->tasks + s->out;
        r = work_add_run(p, task, idle, wait->came, s->time);
        if (r < 0 || (switched && (idle || s->event.kind != SCHED_OUT_ASLEEP)))
                return r;
        return switched ? work_add_sleep(p, task) : work_add_wake(p, task, s->in);
}
