/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The model follows all that a recording has: what is selected is only shown. So a wait that began before the selected time has the
 * length that it had. */

#include "sched-run.h"

#include <inttypes.h>

#include "utf8.h"

/* A consumer of recordings, which gives a consumer of the scheduler its steps. */
typedef struct SchedReading {
        const SchedConsumer *consumer;
        SchedRun run;
} SchedReading;

static const char *sched_reading_event(const SchedReading *s) {
        return s->consumer->event ?: SCHED_SWITCH;
}

/* Refuses a recording without all samples of the event. */
static int sched_reading_check(void *userdata, const RecordingInput *in) {
        const char *event = sched_reading_event(userdata);
        const PerfDataEvent *e = perf_data_reader_find_tracepoint(in->reader, event);
        const uint64_t needed = PERF_SAMPLE_RAW | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_TID;
        const char *lack = NULL;
        const void *data;
        size_t size;

        if (!e)
                lack = "has no samples of";
        else if ((e->attr.sample_type & needed) != needed ||
                 perf_data_reader_feature(in->reader, PERF_FEATURE_TRACING_DATA, &data, &size) < 0)
                lack = "has no fields, threads, times or CPUs in samples of";
        else if (e->attr.freq || e->attr.sample_period > 1)
                lack = "does not have each";
        if (!lack)
                return 0;
        (void) fprintf(stderr, "%s %s %s: ", in->name, lack, event);
        (void) fputs(streq(event, SCHED_SWITCH) ?
                     "'perfctl sched record' records what is needed, and so does the session 'sched'\n" :
                     "'perfctl lock record' records what is needed\n", stderr);
        return -ENODATA;
}

static bool sched_reading_named(void *userdata, const RecordingInput *in) {
        const SchedReading *s = userdata;

        return s->consumer->names &&
               perf_data_reader_find_tracepoint(in->reader, sched_reading_event(s))->attr.sample_type & PERF_SAMPLE_CALLCHAIN;
}

static int sched_reading_begin(void *userdata, RecordingRun *recording) {
        SchedReading *s = userdata;
        const SchedConsumer *c = s->consumer;
        int r;

        sched_model_free(s->run.model);
        s->run = (SchedRun) { .options = s->run.options, .recording = recording };
        r = sched_model_new(recording->in->reader, &s->run.model);
        return r >= 0 && c->begin ? c->begin(c->userdata, &s->run) : r;
}

static int sched_reading_take(void *userdata, RecordingRun *recording, const Moment *m) {
        SchedReading *s = userdata;
        const SchedConsumer *c = s->consumer;
        SchedRun *run = &s->run;
        SchedStep step;
        int r = sched_model_take(run->model, m, &step);

        if (r == 0 && moment_is_sample(m))
                return c->sample ? c->sample(c->userdata, run, m) : 0;
        if (r == 0 && c->record)
                return c->record(c->userdata, run, m);
        if (r <= 0 || !c->step)
                return MIN_OF(r, 0);
        run->first = run->first ?: step.time;
        run->last = step.time;
        return c->step(c->userdata, run, m, &step);
}

static int sched_reading_end(void *userdata, RecordingRun *recording) {
        SchedReading *s = userdata;
        const SchedConsumer *c = s->consumer;

        return c->end ? c->end(c->userdata, &s->run) : 0;
}

int sched_run_all(const SchedOptions *o, const SchedConsumer *c) {
        SchedReading reading = { .consumer = c, .run.options = o };
        const RecordingRunOptions options = {
                .inputs = &o->inputs, .select = &o->select, .names = &o->names, .verbose = o->verbose,
        };
        const RecordingConsumer consumer = {
                .check = sched_reading_check, .begin = sched_reading_begin, .moment = sched_reading_take,
                .end = sched_reading_end, .named = sched_reading_named, .userdata = &reading, .threads_max = SCHED_THREADS_MAX,
        };
        int status = recording_run_all(&options, &consumer);

        sched_model_free(reading.run.model);
        return status;
}

bool sched_run_wants_thread(const SchedRun *run, uint32_t number) {
        const SampleSelection *s = &run->recording->selection;
        const SchedThread *t = run->model->threads + number;
        char name[SCHED_TEXT_SIZE];

        if (s->n_pids == 0 && s->n_tids == 0 && !s->comms && !s->units)
                return true;
        return t->tid > 0 && sample_selection_has_thread(s, t->pid, t->tid, sched_thread_name(t, name)) &&
               (!s->units || cgroup_names_wants(&run->recording->machine.cgroups, t->cgroup));
}

bool sched_run_cut(const SchedRun *run, uint64_t *since, uint64_t *until) {
        const SampleSelection *s = &run->recording->selection;

        for (size_t i = 0; i < s->n_spans; i++) {
                const SampleSpan *span = s->spans + i;
                bool begins = *until < span->since, ends = span->until > 0 && (*since > 0 ? *since : *until) > span->until;

                if (begins || ends)
                        continue;
                if (*since > 0)
                        *since = MAX_OF(*since, span->since);
                if (span->until > 0)
                        *until = MIN_OF(*until, span->until);
                return true;
        }
        return s->n_spans == 0;
}

const char *sched_thread_name(const SchedThread *t, char buf[static SCHED_TEXT_SIZE]) {
        char text[THREAD_NAME_SIZE];

        if (t->tid == 0)
                return memcpy(buf, "swapper", sizeof("swapper"));
        if (!*t->name) {
                (void) snprintf(buf, SCHED_TEXT_SIZE, ":%" PRIu32, t->tid);
                return buf;
        }
        memcpy(text, t->name, sizeof(t->name));
        (void) utf8_line_to(buf, SCHED_TEXT_SIZE, text);
        return buf;
}

const char *sched_thread_text(const SchedThread *t, char buf[static SCHED_TEXT_SIZE]) {
        char name[SCHED_TEXT_SIZE];

        if (t->tid == 0)
                return memcpy(buf, "<idle>", sizeof("<idle>"));
        (void) sched_thread_name(t, name);
        if (t->pid > 0 && t->pid != t->tid)
                (void) snprintf(buf, SCHED_TEXT_SIZE, "%.40s[%" PRIu32 "/%" PRIu32 "]", name, t->tid, t->pid);
        else
                (void) snprintf(buf, SCHED_TEXT_SIZE, "%.40s[%" PRIu32 "]", name, t->tid);
        return buf;
}

/* A process has the name of its main thread, if that is known. */
const char *sched_run_label(const SchedRun *run, uint32_t number, char buf[static SCHED_LABEL_SIZE]) {
        const SchedThread *t = run->model->threads + number;
        const CgroupNames *c = &run->recording->machine.cgroups;
        const SchedThread *main_thread;
        SchedBy by = run->options->by;
        char name[SCHED_TEXT_SIZE];

        if (t->tid == 0)
                (void) snprintf(buf, SCHED_LABEL_SIZE, "<idle>");
        else if (by == SCHED_BY_UNIT)
                (void) snprintf(buf, SCHED_LABEL_SIZE, "%s",
                                t->cgroup > 0 ? cgroup_names_text(c, c->groups[t->cgroup - 1].unit) ?: "" : "");
        else if (by == SCHED_BY_PROCESS) {
                main_thread = t->pid > 0 ? sched_model_find(run->model, t->pid) : NULL;
                (void) snprintf(buf, SCHED_LABEL_SIZE, "%s:%" PRIu32, sched_thread_name(main_thread ?: t, name), t->pid ?: t->tid);
        } else if (by == SCHED_BY_THREAD)
                (void) snprintf(buf, SCHED_LABEL_SIZE, "%s:%" PRIu32, sched_thread_name(t, name), t->tid);
        else
                (void) snprintf(buf, SCHED_LABEL_SIZE, "%s", sched_thread_name(t, name));
        return buf;
}
