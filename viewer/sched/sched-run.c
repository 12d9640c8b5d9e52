/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The model follows all that a recording has: what is selected is only shown. So a wait that began before the selected time has the
 * length that it had. */

#include "sched-run.h"

#include <inttypes.h>

#include "progress.h"
#include "recording-damage.h"
#include "recording-lendings.h"
#include "utf8.h"

#define STATUS_FAILED 1

static void sched_run_done(SchedRun *run) {
        sched_model_free(run->model);
        replay_free(run->replay);
        symbols_free(run->symbols);
        machine_view_done(&run->machine);
        free(run->spans);
}

/* Refuses a recording without all samples of an event. An error is printed. */
static int sched_run_check(const RecordingInput *in, const char *event) {
        const PerfDataEvent *e = sched_events_find(in->reader, event);
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

static int sched_run_begin(SchedRun *run, const RecordingInputs *all, size_t number, const SchedConsumer *c, Watcher watcher) {
        const SchedOptions *o = run->options;
        SampleSelection units = { .units = o->select.units };
        ReplayOptions options = {
                .selection = &units, .others = MOMENT_OTHER_TIME, .machine = &run->machine, .watcher = watcher,
        };
        const char *event = c->event ?: SCHED_SWITCH;
        int r = sched_run_check(run->in, event);

        if (r < 0)
                return r;
        options.named = c->names && sched_events_find(run->in->reader, event)->attr.sample_type & PERF_SAMPLE_CALLCHAIN;
        r = selection_options_find(&o->select, run->in, &run->spans, &run->selection);
        if (r < 0)
                return r;
        r = recording_inputs_leave_out_common(all, number, &run->spans, &run->selection.n_spans);
        run->selection.spans = run->spans;
        if (r >= 0)
                r = machine_view_init(&run->machine);
        if (r >= 0)
                recording_lendings_select(all->inputs + number, run->spans, run->selection.n_spans);
        if (r >= 0 && options.named)
                r = name_options_symbols(&o->names, o->verbose, run->in, &run->symbols);
        options.symbols = run->symbols;
        if (r >= 0)
                r = replay_new(run->in->reader, &options, &run->replay);
        if (r >= 0)
                r = sched_model_new(run->in->reader, &run->model);
        return r < 0 ? recording_input_fail(run->in, "read", r) : 0;
}

static int sched_run_take(SchedRun *run, const SchedConsumer *c, const Moment *m) {
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

/* Returns the exit status; *ret_error is an error that ends everything. */
static int sched_run_read(SchedRun *run, const SchedConsumer *c, int *ret_error) {
        Moment m;
        int r = c->begin ? c->begin(c->userdata, run) : 0, read = 1;

        while (r >= 0 && (read = replay_next(run->replay, &m)) == 1)
                r = sched_run_take(run, c, &m);
        if (r >= 0 && c->end)
                r = c->end(c->userdata, run);
        *ret_error = r == -ENOSPC ? 0 : r;
        if (r == -ENOSPC)
                (void) fprintf(stderr, "%s has more than %u threads: what follows is not shown\n", run->in->name,
                               SCHED_THREADS_MAX);
        else if (r < 0)
                return recording_input_fail(run->in, "show", r), STATUS_FAILED;
        recording_lendings_remark(run->in);
        return recording_damage_print(replay_totals(run->replay), run->in, read) | (r < 0);
}

/* Reads a recording. Returns the exit status. */
static int sched_run_one(const SchedOptions *o, const RecordingInputs *all, size_t number, const SchedConsumer *c, int *ret_error) {
        _cleanup_(sched_run_done) SchedRun run = { .options = o, .in = all->inputs + number };
        Progress progress;
        Watcher watcher = progress_begin(&progress, "Reading", run.in->name);
        int status;

        *ret_error = sched_run_begin(&run, all, number, c, watcher);
        status = *ret_error < 0 ? STATUS_FAILED : sched_run_read(&run, c, ret_error);
        progress_end(&progress);
        return status;
}

int sched_run_all(const SchedOptions *o, const SchedConsumer *c) {
        _cleanup_(recording_inputs_done) RecordingInputs all = {};
        int status = EXIT_SUCCESS, r = 0;

        if (recording_inputs_open(&all, &o->inputs) < 0)
                return STATUS_FAILED;
        for (size_t i = 0; r >= 0 && i < all.n; i++)
                status |= sched_run_one(o, &all, i, c, &r);
        return r < 0 ? STATUS_FAILED : status;
}

bool sched_run_wants_thread(const SchedRun *run, uint32_t number) {
        const SampleSelection *s = &run->selection;
        const SchedThread *t = run->model->threads + number;
        char name[SCHED_TEXT_SIZE];

        if (s->n_pids == 0 && s->n_tids == 0 && !s->comms && !s->units)
                return true;
        return t->tid > 0 && sample_selection_has_thread(s, t->pid, t->tid, sched_thread_name(t, name)) &&
               (!s->units || cgroup_names_wants(&run->machine.cgroups, t->cgroup));
}

bool sched_run_cut(const SchedRun *run, uint64_t *since, uint64_t *until) {
        const SampleSelection *s = &run->selection;

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
        const CgroupNames *c = &run->machine.cgroups;
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
