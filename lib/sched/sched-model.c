/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A thread is known by the id that the tracepoints have, which is that of the initial PID namespace; an id that is given again is
 * another thread. Its process is that of the side band, or of its own samples.
 *
 * Invariant: a thread whose wait has a time "came" runs on the CPU that has it as running. When a switch says that another thread
 * ran there, records are missing, and since when the thread had run is not known. */

#include "sched-model.h"

#include "array.h"
#include "record-layout.h"

SchedModel *sched_model_free(SchedModel *m) {
        if (!m)
                return NULL;
        sched_events_free(m->events);
        free(m->threads);
        free(m->cpus);
        hash_index_done(&m->by_tid);
        free(m);
        return NULL;
}

int sched_model_new(const PerfDataReader *reader, SchedModel **ret) {
        _cleanup_(sched_model_freep) SchedModel *m = calloc(1, sizeof(*m));
        const PerfDataEvent *events;
        size_t n = perf_data_reader_events(reader, &events);
        int r = m ? sched_events_new(reader, SCHED_EVENTS_ALL, &m->events) : -ENOMEM;

        if (r < 0)
                return r;
        m->threads_max = SCHED_THREADS_MAX;
        m->overwritten = ANY_OF(n, i, events[i].attr.write_backward);
        *ret = steal_ptr(m);
        return 0;
}

static uint64_t sched_hash_tid(uint32_t tid) {
        return hash_mix(0, tid);
}

static uint64_t sched_hash_of(const void *owner, uintptr_t entry) {
        return sched_hash_tid(((const SchedModel *) owner)->threads[entry - 1].tid);
}

static int sched_add_thread(SchedModel *m, uint32_t tid, uint32_t *ret) {
        if (m->n_threads >= m->threads_max)
                return -ENOSPC;
        if (ARRAY_RESERVE(m->threads, m->threads_allocated, m->n_threads + 1) < 0)
                return -ENOMEM;
        *ret = (uint32_t) m->n_threads;
        m->threads[m->n_threads++] = (SchedThread) { .tid = tid, .wait = { .waker = SCHED_NOBODY, .cpu = SCHED_CPU_UNKNOWN } };
        return 0;
}

const SchedThread *sched_model_find(const SchedModel *m, uint32_t tid) {
        uint64_t hash = sched_hash_tid(tid);
        uintptr_t found = HASH_INDEX_FIND(&m->by_tid, hash, entry, m->threads[entry - 1].tid == tid);

        return found > 0 ? m->threads + found - 1 : NULL;
}

/* Finds or adds the newest thread of that id. again: the id is given again. */
static int sched_find_thread(SchedModel *m, uint32_t tid, bool again, uint32_t *ret) {
        const SchedThread *found = sched_model_find(m, tid);
        uintptr_t before = found ? (uintptr_t) (found - m->threads) + 1 : 0;
        uint64_t hash = sched_hash_tid(tid);
        int r;

        if (before > 0 && !again) {
                *ret = (uint32_t) before - 1;
                return 0;
        }
        r = sched_add_thread(m, tid, ret);
        if (r < 0)
                return r;
        if (before == 0)
                return hash_index_add(&m->by_tid, hash, (uintptr_t) *ret + 1, sched_hash_of, m);
        hash_index_replace(&m->by_tid, hash, before, (uintptr_t) *ret + 1);
        return 0;
}

/* The CPU of a sample that does not say it has no entry: *ret is NULL. It is valid until the next call. */
static int sched_find_cpu(SchedModel *m, uint32_t cpu, SchedCpu **ret) {
        *ret = NULL;
        if (cpu >= SCHED_CPUS_MAX)
                return 0;
        if (ARRAY_RESERVE(m->cpus, m->cpus_allocated, (size_t) cpu + 1) < 0)
                return -ENOMEM;
        for (; m->n_cpus <= cpu; m->n_cpus++)
                m->cpus[m->n_cpus] = (SchedCpu) { .running = SCHED_NOBODY, .idle = SCHED_NOBODY };
        *ret = m->cpus + cpu;
        return 0;
}

/* The idle tasks of all CPUs have one id. */
static int sched_find_task(SchedModel *m, uint32_t tid, SchedCpu *cpu, uint32_t *ret) {
        int r = 0;

        if (tid > 0 || !cpu)
                return sched_find_thread(m, tid, false, ret);
        if (cpu->idle == SCHED_NOBODY)
                r = sched_add_thread(m, 0, &cpu->idle);
        *ret = cpu->idle;
        return r;
}

/* Takes what a sample says of the thread that runs at that moment. */
static void sched_note_sample(SchedThread *t, const Moment *moment) {
        const PerfSample *s = moment->sample;
        uint64_t fields = moment->event->attr.sample_type;

        if (fields & PERF_SAMPLE_TID && s->tid == t->tid && (int32_t) s->pid > 0)
                t->pid = s->pid;
        if (fields & PERF_SAMPLE_CGROUP && moment->cgroup > 0)
                t->cgroup = moment->cgroup;
}

/* The names of the kernel's workers are longer in the side band: they say what a worker does. */
static void sched_set_name(SchedThread *t, const char name[static SCHED_NAME_SIZE]) {
        if (*name && !startswith(t->name, name))
                memcpy(t->name, name, SCHED_NAME_SIZE);
}

static void sched_take_names(SchedModel *m, const Moment *moment, SchedThread *out, SchedThread *in) {
        char name[SCHED_NAME_SIZE];

        if (out && sched_events_name_out(m->events, moment, name))
                sched_set_name(out, name);
        if (sched_events_name_in(m->events, moment, name))
                sched_set_name(in, name);
}

static void sched_leave(SchedModel *m, SchedThread *t, const SchedStep *step) {
        bool ready = step->event.kind == SCHED_OUT_RUNNABLE;

        t->wait = (SchedWait) {
                .left = step->time, .ready = ready ? step->time : 0, .waker = SCHED_NOBODY, .cpu = step->cpu,
                .state = step->event.state, .lost = m->lost,
        };
        t->exited = t->exited || step->event.kind == SCHED_OUT_DEAD;
}

static void sched_come(SchedModel *m, SchedThread *t, const SchedStep *step) {
        if (t->wait.came > 0 || t->wait.left > step->time) /* the switch that it left with is missing */
                t->wait = (SchedWait) { .waker = SCHED_NOBODY };
        if (t->wait.ready > step->time)
                t->wait.ready = 0;
        t->wait.came = step->time;
        t->wait.cpu = step->cpu;
        t->wait.lost = m->lost;
}

static int sched_take_switch(SchedModel *m, const Moment *moment, SchedStep *step) {
        SchedThread *out, *in;
        SchedCpu *cpu;
        int r = sched_find_cpu(m, step->cpu, &cpu);

        if (r >= 0)
                r = sched_find_task(m, step->event.out, cpu, &step->out);
        if (r >= 0)
                r = sched_find_task(m, step->event.in, cpu, &step->in);
        if (r < 0)
                return r;
        out = m->threads + step->out;
        in = m->threads + step->in;
        sched_note_sample(out, moment);
        sched_take_names(m, moment, out, in);
        if (cpu && cpu->since == 0 && m->overwritten)
                m->lost = step->time;
        if (!cpu || cpu->running != step->out || out->wait.came > step->time)
                out->wait = (SchedWait) { .waker = SCHED_NOBODY };
        step->stay = out->wait;
        if (step->out != step->in)
                sched_leave(m, out, step);
        sched_come(m, in, step);
        step->wait = in->wait;
        if (cpu) {
                cpu->running = step->in;
                cpu->since = step->time;
        }
        return 1;
}

/* The first waking of a wait counts; that of a thread which runs, or only was preempted, does not. */
static void sched_wake(SchedModel *m, const SchedStep *step) {
        SchedThread *t = m->threads + step->in;

        if (t->wait.came > 0 || t->wait.ready > 0)
                return;
        t->wait.ready = step->time;
        t->wait.waker = step->out;
        if (step->event.to != SCHED_CPU_UNKNOWN)
                t->wait.cpu = step->event.to;
}

static int sched_take_other(SchedModel *m, const Moment *moment, SchedStep *step) {
        bool begins = step->event.kind == SCHED_WAKING_NEW;
        SchedCpu *cpu;
        SchedThread *t;
        int r = sched_find_cpu(m, step->cpu, &cpu);

        if (r >= 0)
                r = sched_find_task(m, step->event.out, cpu, &step->out);
        if (r >= 0)
                r = sched_find_thread(m, step->event.in, false, &step->in);
        if (r >= 0 && begins && m->threads[step->in].exited)
                r = sched_find_thread(m, step->event.in, true, &step->in);
        if (r < 0)
                return r;
        sched_note_sample(m->threads + step->out, moment);
        t = m->threads + step->in;
        sched_take_names(m, moment, NULL, t);
        t->wait.born = t->wait.born || begins;
        if (step->event.kind != SCHED_MIGRATION)
                sched_wake(m, step);
        else if (t->wait.came == 0)
                t->wait.cpu = step->event.to;
        return 1;
}

/* Finds the thread that a record of the kernel is about. 1: *ret is that; 0: an idle task, which has no thread of its own. */
static int sched_find_recorded(SchedModel *m, uint32_t pid, uint32_t tid, bool again, SchedThread **ret) {
        uint32_t number;
        int r = tid > 0 ? sched_find_thread(m, tid, again, &number) : 0;

        if (r < 0 || tid == 0)
                return r;
        *ret = m->threads + number;
        (*ret)->pid = pid;
        return 1;
}

/* A record without a time says what was so at the beginning. */
static int sched_take_task(SchedModel *m, const Moment *moment) {
        const PerfRecordTask *task = (const void *) moment->record;
        bool begins = moment->record->type == PERF_RECORD_FORK && moment->time > 0;
        const SchedThread *parent;
        SchedThread *t;
        int r = sched_find_recorded(m, task->pid, task->tid, begins, &t);

        if (r <= 0)
                return r;
        t->wait.born = t->wait.born || begins;
        t->exited = moment->record->type == PERF_RECORD_EXIT;
        if (moment->record->type != PERF_RECORD_FORK)
                return 0;
        t->parent = task->pid == task->tid ? task->ppid : task->pid;
        parent = sched_model_find(m, task->ptid);
        if (begins && parent && parent != t)
                memcpy(t->name, parent->name, sizeof(t->name));
        return 0;
}

static int sched_take_name(SchedModel *m, const PerfRecordComm *comm) {
        SchedThread *t;
        int r = sched_find_recorded(m, comm->pid, comm->tid, false, &t);

        if (r <= 0)
                return r;
        memset(t->name, 0, sizeof(t->name));
        memcpy(t->name, comm->name, strnlen(comm->name, sizeof(t->name) - 1));
        return 0;
}

/* Since when the CPU's thread runs is not known any more. */
static int sched_take_loss(SchedModel *m, const Moment *moment) {
        SchedCpu *cpu;
        int r = sched_find_cpu(m, moment->sample->cpu, &cpu);

        m->lost = MAX_OF(m->lost, moment->time);
        if (r >= 0 && cpu)
                cpu->running = SCHED_NOBODY;
        for (size_t i = 0; r >= 0 && !cpu && i < m->n_cpus; i++)
                m->cpus[i].running = SCHED_NOBODY;
        return r;
}

static int sched_take_record(SchedModel *m, const Moment *moment) {
        switch (moment->record->type) {
        case PERF_RECORD_FORK:
        case PERF_RECORD_EXIT:
                return sched_take_task(m, moment);
        case PERF_RECORD_COMM:
                return sched_take_name(m, (const void *) moment->record);
        case PERF_RECORD_LOST:
        case PERF_RECORD_LOST_SAMPLES:
                return sched_take_loss(m, moment);
        default:
                return 0;
        }
}

int sched_model_take(SchedModel *m, const Moment *moment, SchedStep *ret) {
        bool known = moment_is_sample(moment) && moment->event && moment->event->attr.sample_type & PERF_SAMPLE_CPU;

        if (!moment_is_sample(moment))
                return sched_take_record(m, moment);
        *ret = (SchedStep) { .time = moment->time, .cpu = known ? moment->sample->cpu : SCHED_CPU_UNKNOWN };
        if (!sched_events_of(m->events, moment, &ret->event) || moment->time == 0)
                return 0;
        switch (ret->event.kind) {
        case SCHED_WAKING:
        case SCHED_WAKING_NEW:
        case SCHED_MIGRATION:
                return sched_take_other(m, moment, ret);
        default:
                return sched_take_switch(m, moment, ret);
        }
}

int sched_model_find_task(SchedModel *m, const Moment *moment, uint32_t *ret) {
        uint64_t fields = moment->event->attr.sample_type;
        SchedCpu *cpu;
        int r = sched_find_cpu(m, fields & PERF_SAMPLE_CPU ? moment->sample->cpu : SCHED_CPU_UNKNOWN, &cpu);

        if (r >= 0)
                r = sched_find_task(m, moment->sample->tid, cpu, ret);
        if (r >= 0)
                sched_note_sample(m->threads + *ret, moment);
        return r;
}
