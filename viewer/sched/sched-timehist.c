/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A line for each time that a thread leaves its CPU: how long it had it, what it had waited for that, and of this how long it could
 * have run. "-" is a time that the recording does not have, since it began before the first record or records were lost. A thread
 * that was preempted could have run all of its wait.
 *
 * The lines are those of perf sched timehist of Linux 6.18. */

#include "sched-views.h"

#include <inttypes.h>

#include "array.h"
#include "sched-chain.h"
#include "timehist-sums.h"

#define NAME_WIDTH 30u /* of the column, as long as no name is wider */
#define DASHES "------------------------------------------------------------" \
               "------------------------------------------------------------"

typedef struct Timehist {
        const SchedOptions *options;
        TextBuffer out;
        unsigned width;     /* of names */
        uint32_t n_cpus;    /* columns */
        uint32_t *slept;    /* by CPU: the thread that left it to its idle task; SCHED_NOBODY */
        size_t n_slept, slept_allocated;
        TimehistSums sums;
} Timehist;

static void timehist_done(Timehist *t) {
        text_buffer_done(&t->out);
        timehist_sums_done(&t->sums);
        free(t->slept);
}

static void timehist_put_head(Timehist *t) {
        const SchedOptions *o = t->options;
        TextBuffer *out = &t->out;

        text_buffer_format(out, "%15s %6s ", "time", "cpu");
        if (o->timehist.cpus) {
                text_buffer_putc(out, ' ');
                for (uint32_t i = 0; i < t->n_cpus; i++)
                        text_buffer_hex(out, i % 16, 0);
                text_buffer_putc(out, ' ');
        }
        text_buffer_format(out, " %-*s  %9s  %9s  %9s%s\n", (int) t->width, "task name", "wait time", "sch delay", "run time",
                           o->timehist.state ? "  state" : "");
        text_buffer_format(out, "%15s %-6s ", "", "");
        if (o->timehist.cpus)
                text_buffer_format(out, " %*s ", (int) t->n_cpus, "");
        text_buffer_format(out, " %-*s  %9s  %9s  %9s\n", (int) t->width, "[tid/pid]", "(msec)", "(msec)", "(msec)");
        text_buffer_format(out, "%.15s %.6s ", DASHES, DASHES);
        if (o->timehist.cpus)
                text_buffer_format(out, " %.*s ", (int) t->n_cpus, DASHES);
        text_buffer_format(out, " %.*s  %.9s  %.9s  %.9s%s\n", (int) t->width, DASHES, DASHES, DASHES, DASHES,
                           o->timehist.state ? "  -----" : "");
}

/* The CPUs that the recording says were online, those before them, and those that it has events of. */
static uint32_t timehist_count_cpus(const SchedRun *run) {
        uint32_t n[2] = {};
        const void *data;
        size_t size;

        if (perf_data_reader_feature(run->recording->in->reader, PERF_FEATURE_NRCPUS, &data, &size) >= 0 && size >= sizeof(n))
                memcpy(n, data, sizeof(n));
        return MIN_OF(MAX_OF(n[0], 1u), (uint32_t) sizeof(DASHES) - 1);
}

static int timehist_begin(void *userdata, SchedRun *run) {
        Timehist *t = userdata;

        timehist_sums_done(&t->sums);
        t->n_slept = 0;
        t->n_cpus = timehist_count_cpus(run);
        if (!t->options->timehist.summary_only && !t->options->json)
                timehist_put_head(t);
        return t->out.error;
}

static void timehist_put_time(TextBuffer *out, uint64_t time) {
        text_buffer_decimal(out, time / NSEC_PER_SEC, 8);
        text_buffer_putc(out, '.');
        text_buffer_digits(out, time % NSEC_PER_SEC / NSEC_PER_USEC, 6);
}

/* Puts the columns up to the name of the thread. mark: what the CPU's own column has. */
static void timehist_put_place(Timehist *t, const SchedThread *thread, uint64_t time, uint32_t cpu, char mark, bool idle) {
        char text[SCHED_TEXT_SIZE];
        const char *name = idle || thread->tid > 0 ? sched_thread_text(thread, text) : sched_thread_name(thread, text);
        TextBuffer *out = &t->out;

        t->width = MAX_OF(t->width, (unsigned) strlen(name));
        timehist_put_time(out, time);
        text_buffer_puts(out, " [");
        text_buffer_digits(out, cpu, 4);
        text_buffer_puts(out, "] ");
        if (t->options->timehist.cpus) {
                text_buffer_putc(out, ' ');
                for (uint32_t i = 0; i < t->n_cpus; i++)
                        text_buffer_putc(out, i == cpu ? mark : ' ');
                text_buffer_putc(out, ' ');
        }
        text_buffer_putc(out, ' ');
        text_buffer_puts(out, name);
        text_buffer_padded(out, "", t->width - (unsigned) strlen(name) + 1);
}

static void timehist_put_known(TextBuffer *out, bool known, uint64_t nsec) {
        if (known)
                timehist_put_msec(out, nsec, 6);
        else
                text_buffer_puts(out, "         - ");
}

/* A thread that began has waited for nothing. */
static bool timehist_wait(const SchedWait *stay, uint64_t *ret) {
        *ret = stay->left > 0 ? stay->came - stay->left : 0;
        return stay->came > 0 && (stay->left > 0 || stay->born);
}

static bool timehist_delay(const SchedThread *thread, const SchedWait *stay, uint64_t *ret) {
        *ret = 0;
        return stay->came > 0 && (thread->tid == 0 || sched_wait_delay(stay, ret));
}

static int timehist_put_switch(Timehist *t, SchedRun *run, const Moment *m, const SchedStep *s, uint64_t since, uint64_t until) {
        const SchedThread *thread = run->model->threads + s->out, *next = run->model->threads + s->in;
        char name[SCHED_TEXT_SIZE];
        TextBuffer *out = &t->out;
        uint64_t nsec;
        bool known;
        size_t begin;
        int r = 0;

        timehist_put_place(t, thread, until, s->cpu, thread->tid == 0 ? 'i' : 's', true);
        known = timehist_wait(&s->stay, &nsec);
        timehist_put_known(out, known, nsec);
        known = timehist_delay(thread, &s->stay, &nsec);
        timehist_put_known(out, known, nsec);
        timehist_put_known(out, since > 0, until - since);
        if (t->options->timehist.state)
                text_buffer_format(out, " %5c ", thread->tid == 0 ? 'I' : s->event.state);
        if (t->options->timehist.next) {
                text_buffer_puts(out, " next: ");
                begin = out->n;
                text_buffer_format(out, "%s[%" PRIu32 "]", sched_thread_name(next, name), next->tid);
                text_buffer_padded(out, "", t->width - (unsigned) MIN_OF(out->n - begin + 6, (size_t) t->width));
        } else if (t->options->timehist.wakeups)
                text_buffer_padded(out, "", t->width + 2);
        if (t->options->timehist.chains && m->sample->n_callchain > 0 && thread->tid > 0)
                r = sched_chain_put(run->recording->replay, m, t->options->timehist.max_stack, out);
        text_buffer_putc(out, '\n');
        return r < 0 ? r : out->error;
}

static int timehist_put_switch_json(Timehist *t, const SchedRun *run, const SchedStep *s, uint64_t since, uint64_t until) {
        const SchedThread *thread = run->model->threads + s->out;
        JsonWriter w = { .out = &t->out };
        char state[2] = { s->event.state };
        uint64_t nsec;

        json_writer_begin(&w, NULL, '{');
        json_writer_text(&w, "event", "switch");
        json_writer_number(&w, "timestamp", until);
        json_writer_number(&w, "cpu", s->cpu);
        sched_thread_put_json(&w, thread);
        if (timehist_wait(&s->stay, &nsec))
                json_writer_number(&w, "wait_nsec", nsec);
        if (timehist_delay(thread, &s->stay, &nsec))
                json_writer_number(&w, "delay_nsec", nsec);
        if (since > 0)
                json_writer_number(&w, "run_nsec", until - since);
        json_writer_text(&w, "state", state);
        json_writer_begin(&w, "next", '{');
        sched_thread_put_json(&w, run->model->threads + s->in);
        json_writer_end(&w, '}');
        json_writer_end(&w, '}');
        text_buffer_putc(&t->out, '\n');
        return t->out.error;
}

/* The time of an idle CPU is summed for the thread that left it. */
static int timehist_take_idle(Timehist *t, const SchedRun *run, const SchedStep *s, uint64_t nsec) {
        const SchedWait none = {};
        uint32_t *slept;
        int r = 0;

        if (s->cpu >= SCHED_CPUS_MAX)
                return 0;
        if (ARRAY_RESERVE(t->slept, t->slept_allocated, (size_t) s->cpu + 1) < 0)
                return -ENOMEM;
        for (; t->n_slept <= s->cpu; t->n_slept++)
                t->slept[t->n_slept] = SCHED_NOBODY;
        slept = t->slept + s->cpu;
        if (run->model->threads[s->out].tid == 0 && *slept != SCHED_NOBODY)
                r = timehist_sums_add(&t->sums, *slept, nsec, &none);
        *slept = run->model->threads[s->in].tid == 0 ? s->out : SCHED_NOBODY;
        return r;
}

static int timehist_take_switch(Timehist *t, SchedRun *run, const Moment *m, const SchedStep *s) {
        const SchedOptions *o = t->options;
        uint64_t since = s->stay.came, until = s->time;
        bool idle = run->model->threads[s->out].tid == 0;
        int r = 0;

        if (!sched_run_cut(run, &since, &until) || !recording_run_wants_cpu(run->recording, s->cpu))
                return 0;
        t->sums.first = t->sums.first ?: until;
        t->sums.last = until;
        if (!sched_run_wants_thread(run, s->out))
                return 0;
        if (!o->timehist.idle || idle)
                r = timehist_sums_add(&t->sums, s->out, since > 0 ? until - since : 0, &s->stay);
        if (r >= 0 && o->timehist.idle)
                r = timehist_take_idle(t, run, s, since > 0 ? until - since : 0);
        if (r < 0 || o->timehist.summary_only || (o->timehist.idle && !idle))
                return r;
        return o->json ? timehist_put_switch_json(t, run, s, since, until) : timehist_put_switch(t, run, m, s, since, until);
}

static int timehist_put_other_json(Timehist *t, const SchedRun *run, const SchedStep *s) {
        bool moved = s->event.kind == SCHED_MIGRATION;
        JsonWriter w = { .out = &t->out };

        json_writer_begin(&w, NULL, '{');
        json_writer_text(&w, "event", moved ? "migration" : "waking");
        json_writer_number(&w, "timestamp", s->time);
        json_writer_number(&w, "cpu", s->cpu);
        sched_thread_put_json(&w, run->model->threads + s->out);
        json_writer_begin(&w, moved ? "moved" : "woken", '{');
        sched_thread_put_json(&w, run->model->threads + s->in);
        json_writer_end(&w, '}');
        if (moved) {
                json_writer_number(&w, "from", s->event.from);
                json_writer_number(&w, "to", s->event.to);
        }
        json_writer_end(&w, '}');
        text_buffer_putc(&t->out, '\n');
        return t->out.error;
}

static int timehist_put_other(Timehist *t, const SchedRun *run, const SchedStep *s) {
        bool moved = s->event.kind == SCHED_MIGRATION;
        char text[SCHED_TEXT_SIZE];

        timehist_put_place(t, run->model->threads + s->out, s->time, s->cpu, moved ? 'm' : ' ', false);
        text_buffer_format(&t->out, "%33s%s: %s", "", moved ? "migrated" : "awakened",
                           sched_thread_text(run->model->threads + s->in, text));
        if (moved)
                text_buffer_format(&t->out, " cpu %" PRIu32 " => %" PRIu32, s->event.from, s->event.to);
        text_buffer_putc(&t->out, '\n');
        return t->out.error;
}

/* Wakings and migrations are shown if one of both threads is selected. */
static int timehist_take_other(Timehist *t, const SchedRun *run, const SchedStep *s) {
        const SchedOptions *o = t->options;
        bool moved = s->event.kind == SCHED_MIGRATION;

        if (!recording_run_wants_time(run->recording, s->time) || !recording_run_wants_cpu(run->recording, s->cpu) ||
            !(sched_run_wants_thread(run, s->out) || sched_run_wants_thread(run, s->in)))
                return 0;
        if (moved && timehist_sums_add_migration(&t->sums, s->in) < 0)
                return -ENOMEM;
        if (o->timehist.summary_only || !(moved ? o->timehist.migrations : o->timehist.wakeups))
                return 0;
        return o->json ? timehist_put_other_json(t, run, s) : timehist_put_other(t, run, s);
}

static int timehist_step(void *userdata, SchedRun *run, const Moment *m, const SchedStep *s) {
        return sched_event_is_switch(&s->event) ? timehist_take_switch(userdata, run, m, s) : timehist_take_other(userdata, run, s);
}

static int timehist_record(void *userdata, SchedRun *run, const Moment *m) {
        Timehist *t = userdata;

        if (m->record->type != PERF_RECORD_LOST || t->options->json || t->options->timehist.summary_only ||
            !recording_run_wants_time(run->recording, m->time))
                return 0;
        timehist_put_time(&t->out, m->time);
        text_buffer_format(&t->out, " lost %" PRIu64 " events", ((const PerfRecordLost *) m->record)->lost);
        if (m->sample->cpu != UINT32_MAX)
                text_buffer_format(&t->out, " on cpu %" PRIu32, m->sample->cpu);
        text_buffer_putc(&t->out, '\n');
        return t->out.error;
}

static int timehist_end(void *userdata, SchedRun *run) {
        Timehist *t = userdata;
        bool sums = t->options->timehist.summary || t->options->timehist.summary_only;
        int r = 0;

        if (sums)
                r = t->options->json ? timehist_sums_put_json(&t->sums, run, &t->out) :
                                       timehist_sums_put(&t->sums, run, t->width, &t->out);
        return r < 0 ? r : text_buffer_flush(&t->out);
}

int sched_timehist(const SchedOptions *o) {
        _cleanup_(timehist_done) Timehist t = { .options = o, .out = { .file = stdout }, .width = NAME_WIDTH };
        const SchedConsumer consumer = {
                .begin = timehist_begin, .step = timehist_step, .record = timehist_record, .end = timehist_end, .userdata = &t,
                .names = o->timehist.chains && !o->timehist.summary_only && !o->json,
        };

        return sched_run_all(o, &consumer);
}
