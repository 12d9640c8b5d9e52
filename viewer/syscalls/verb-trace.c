/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* System calls of recordings, out of the events raw_syscalls:sys_enter and sys_exit, whose fields the recordings describe, and the
 * further events that -e names. */

#include "verb-trace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call-view.h"
#include "recording-run.h"
#include "trace-faults.h"
#include "trace-layout.h"
#include "trace-options.h"
#include "wall-clock.h"

#define ENTER_NAME "raw_syscalls:sys_enter"
#define EXIT_NAME  "raw_syscalls:sys_exit"

/* The places of fields of the two events; NULL: the recording does not have it. */
typedef struct TraceEvents {
        CallEvent *further; /* for each event of the recording; without a name: it is not shown */
        size_t n;
        const PerfDataEvent *first;
        const PerfDataEvent *enter, *exit;
        TraceLayout enter_layout, exit_layout;
        const TraceLayoutField *enter_id, *arguments, *exit_id, *result;
} TraceEvents;

typedef struct Trace {
        const TraceOptions *options;
        TraceEvents events;
        TraceFaults faults;
        CallView view;
        SyscallAbi abi;
        uint64_t lost; /* records of the recording so far */
} Trace;

static void trace_events_done(TraceEvents *e) {
        for (size_t i = 0; i < e->n; i++)
                call_event_done(e->further + i);
        free(e->further);
        trace_layout_done(&e->enter_layout);
        trace_layout_done(&e->exit_layout);
        *e = (TraceEvents) {};
}

static void trace_done(Trace *t) {
        trace_events_done(&t->events);
        trace_faults_done(&t->faults);
        call_view_done(&t->view);
}

/* Finds an event whose samples have all that is needed. 0; -ENOENT: there is none; -ENOMEM. */
static int trace_find_event(const PerfDataReader *reader, const char *name, const PerfDataEvent **ret, TraceLayout *layout) {
        const uint64_t needed = PERF_SAMPLE_RAW | PERF_SAMPLE_TIME | PERF_SAMPLE_TID;
        const PerfDataEvent *e = perf_data_reader_find_tracepoint(reader, name);
        const void *data;
        size_t size;
        int r;

        if (!e || (e->attr.sample_type & needed) != needed)
                return -ENOENT;
        r = perf_data_reader_feature(reader, PERF_FEATURE_TRACING_DATA, &data, &size);
        if (r >= 0)
                r = trace_layout_init(layout, data, size, e->attr.config);
        *ret = e;
        return r;
}

static int trace_events_find_calls(TraceEvents *e, const RecordingInput *in) {
        int r, q;

        r = trace_find_event(in->reader, ENTER_NAME, &e->enter, &e->enter_layout);
        q = trace_find_event(in->reader, EXIT_NAME, &e->exit, &e->exit_layout);
        if (r == -ENOMEM || q == -ENOMEM)
                return recording_input_fail(in, "read", -ENOMEM);
        if (r >= 0 && q >= 0) {
                e->enter_id = trace_layout_find(&e->enter_layout, "id");
                e->arguments = trace_layout_find(&e->enter_layout, "args");
                e->exit_id = trace_layout_find(&e->exit_layout, "id");
                e->result = trace_layout_find(&e->exit_layout, "ret");
                if (e->enter_id && e->arguments && e->exit_id && e->result)
                        return 0;
        }
        (void) fprintf(stderr, "%s has no samples of " ENTER_NAME " and " EXIT_NAME " with their fields, threads and times: the "
                       "session 'syscalls' records calls that fail or may wait, 'perfctl trace record' all\n", in->name);
        return -ENODATA;
}

/* Finds the further events that are to be shown, which need samples with threads and times. */
static int trace_events_find_further(TraceEvents *e, const CallOptions *o, const RecordingInput *in) {
        const void *data = NULL;
        size_t n = perf_data_reader_events(in->reader, &e->first), size = 0, found = 0;
        int r;

        e->further = calloc(n + 1, sizeof(*e->further));
        if (!e->further)
                return recording_input_fail(in, "read", -ENOMEM);
        (void) perf_data_reader_feature(in->reader, PERF_FEATURE_TRACING_DATA, &data, &size);
        for (e->n = 0; e->n < n; e->n++) {
                const PerfDataEvent *event = e->first + e->n;
                CallEvent *ret = e->further + e->n;

                if (!event->name || !call_options_want_event(o, event->name) ||
                    (event->attr.sample_type & (PERF_SAMPLE_TIME | PERF_SAMPLE_TID)) != (PERF_SAMPLE_TIME | PERF_SAMPLE_TID))
                        continue;
                ret->name = strdup(event->name);
                r = !ret->name ? -ENOMEM : event->attr.type == PERF_TYPE_TRACEPOINT && data ?
                    trace_layout_init(&ret->layout, data, size, event->attr.config) : 0;
                if (r == -ENOMEM)
                        return recording_input_fail(in, "read", r);
                found++;
        }
        if (found > 0)
                return 0;
        (void) fprintf(stderr, "%s has no event that -e names, with threads and times of its samples\n", in->name);
        return -ENODATA;
}

static int trace_check_faults(const CallOptions *o, const RecordingInput *in) {
        const PerfDataEvent *events;
        size_t n = perf_data_reader_events(in->reader, &events);

        if (ANY_OF(n, i, trace_faults_want(o, events + i)))
                return 0;
        (void) fprintf(stderr, "%s has no page faults with threads, times and addresses: 'perfctl record -c 1 -d -e "
                       "minor-faults,major-faults' records them\n", in->name);
        return -ENODATA;
}

static int trace_check(void *userdata, const RecordingInput *in) {
        Trace *t = userdata;
        const CallOptions *o = &t->options->calls;
        WallClock clock = {};
        const char *machine;
        int r;

        t->abi = perf_data_reader_feature_string(in->reader, PERF_FEATURE_ARCH, &machine) < 0 ? SYSCALL_X86_64 :
                 syscall_abi_from_machine(machine);
        if (t->abi < 0) {
                (void) fprintf(stderr, "%s is of a machine whose system calls are not known here: %s\n", in->name, machine);
                return -EOPNOTSUPP;
        }
        if (o->time_of_day && wall_clock_read(in->reader, &clock) < 0) {
                (void) fprintf(stderr, "%s does not say which time of day its times are; it would, if it was recorded with -k "
                               "monotonic\n", in->name);
                return -ENODATA;
        }
        t->view.lines.to_wall = (int64_t) (clock.wall - clock.time);
        trace_events_done(&t->events);
        r = call_options_have_calls(o) ? trace_events_find_calls(&t->events, in) : 0;
        if (r >= 0 && o->events)
                r = trace_events_find_further(&t->events, o, in);
        return r < 0 || !(o->minor_faults || o->major_faults) ? r : trace_check_faults(o, in);
}

static bool trace_names(void *userdata, const RecordingInput *in) {
        const Trace *t = userdata;

        return t->options->calls.minor_faults || t->options->calls.major_faults;
}

static int trace_begin(void *userdata, RecordingRun *run) {
        Trace *t = userdata;

        t->lost = 0;
        call_view_begin(&t->view, t->abi, CALL_HEADS_OF_SEVERAL);
        return 0;
}

static bool trace_is_selected(RecordingRun *run, const Moment *m, const char *name) {
        const PerfSample *s = m->sample;

        return m->selected != MOMENT_OTHER_TASK && recording_run_wants_cpu(run, s->cpu) && recording_run_wants_time(run, m->time) &&
               sample_selection_has_thread(&run->selection, s->pid, s->tid, name ?: "");
}

static int trace_take_event(Trace *t, RecordingRun *run, const Moment *m) {
        const CallEvent *e = t->events.further + (m->event - t->events.first);
        const char *name = replay_name(run->replay, m->name);
        const PerfSample *s = m->sample;
        CallThread *thread;
        int r = e->name ? call_view_thread(&t->view, s->pid, s->tid, name, &thread) : 0;

        return r < 0 || !e->name || !trace_is_selected(run, m, name) ? r :
               call_view_event(&t->view, thread, m->time, e, s->raw, s->raw_size);
}

static int trace_take_fault(Trace *t, RecordingRun *run, const Moment *m) {
        const char *name = replay_name(run->replay, m->name);
        CallThread *thread;
        CallFault fault;
        int r = call_view_thread(&t->view, m->sample->pid, m->sample->tid, name, &thread);

        if (r < 0 || !trace_is_selected(run, m, name))
                return r;
        r = trace_faults_name(&t->faults, run, m, &fault);
        return r < 0 ? r : call_view_fault(&t->view, thread, m->time, &fault);
}

static int trace_take_call(Trace *t, RecordingRun *run, const Moment *m) {
        const char *name = replay_name(run->replay, m->name);
        const PerfSample *s = m->sample;
        bool enters = m->event == t->events.enter, selected = trace_is_selected(run, m, name);
        /* Registers, if it has some, say that a 32-bit program runs. */
        bool is_32 = (s->sample_type & PERF_SAMPLE_REGS_USER && s->user_abi == PERF_SAMPLE_REGS_ABI_32) ||
                     (s->sample_type & PERF_SAMPLE_REGS_INTR && s->intr_abi == PERF_SAMPLE_REGS_ABI_32);
        uint32_t compat = is_32 && t->abi == SYSCALL_X86_64 ? SYSCALL_COMPAT : 0;
        uint64_t arguments[CALL_ARGUMENTS] = {}, number, result;
        const uint8_t *bytes;
        CallThread *thread;
        size_t n;
        int r;

        if (!trace_field_number(enters ? t->events.enter_id : t->events.exit_id, s->raw, s->raw_size, &number) ||
            !(enters ? trace_field_bytes(t->events.arguments, s->raw, s->raw_size, &bytes, &n) :
              trace_field_number(t->events.result, s->raw, s->raw_size, &result)))
                return 0;
        r = call_view_thread(&t->view, s->pid, s->tid, name, &thread);
        if (r >= 0 && t->options->calls.mode == CALL_SUMMARY_CGROUP)
                r = call_sums_set_group(&t->view.sums, thread, replay_cgroup(run->replay, m->cgroup));
        if (r < 0)
                return r;
        if (!enters)
                return call_view_exit(&t->view, thread, m->time, call_thread_number(thread, t->abi, (uint32_t) number | compat),
                                      (int64_t) result, selected);
        memcpy(arguments, bytes, MIN_OF(n, sizeof(arguments)));
        return call_view_enter(&t->view, thread, m->time, (uint32_t) number | compat, arguments, selected);
}

/* Follows threads that begin and end, and losses. */
static int trace_take_record(Trace *t, RecordingRun *run, const Moment *m) {
        const PerfRecordTask *task = (const void *) m->record;
        const PerfRecordComm *comm = (const void *) m->record;
        uint64_t lost = replay_totals(run->replay)->lost_records;
        const CallThread *ending;
        CallThread *thread;

        switch (m->record->type) {
        case PERF_RECORD_FORK:
                return m->time > 0 ? call_view_fork(&t->view, task->ppid, task->ptid, task->pid, task->tid) : 0;
        case PERF_RECORD_EXIT:
                ending = call_model_find(&t->view.model, task->tid);
                return call_view_end_thread(&t->view, task->tid, task->ppid, recording_run_wants_time(run, m->time) &&
                                            m->selected != MOMENT_OTHER_TASK && ending &&
                                            sample_selection_has_thread(&run->selection, task->pid, task->tid, ending->name));
        case PERF_RECORD_COMM: /* of a thread that was there before */
                return m->time == 0 ? call_view_thread(&t->view, comm->pid, comm->tid, NULL, &thread) : 0;
        case PERF_RECORD_LOST:
        case PERF_RECORD_LOST_SAMPLES:
                call_view_lose(&t->view, m->time, lost - t->lost, recording_run_wants_time(run, m->time));
                t->lost = lost;
                return 0;
        default:
                return 0;
        }
}

static int trace_moment(void *userdata, RecordingRun *run, const Moment *m) {
        Trace *t = userdata;
        int r = 0;

        if (!moment_is_sample(m))
                r = trace_take_record(t, run, m);
        else if (m->event == t->events.enter || m->event == t->events.exit)
                r = trace_take_call(t, run, m);
        if (r >= 0 && moment_is_sample(m) && m->event && t->events.n > 0)
                r = trace_take_event(t, run, m);
        if (r >= 0 && moment_is_sample(m) && m->event && trace_faults_want(&t->options->calls, m->event))
                r = trace_take_fault(t, run, m);
        return r < 0 ? r : call_view_is_enough(&t->view);
}

static int trace_end(void *userdata, RecordingRun *run) {
        Trace *t = userdata;

        call_view_end(&t->view);
        return t->view.out.error;
}

static int trace_show(const TraceOptions *o) {
        _cleanup_(trace_done) Trace t = { .options = o, .view = { .options = &o->calls, .out.file = stdout } };
        const NameOptions names = { .plain_addresses = true };
        const RecordingRunOptions options = { .inputs = &o->inputs, .select = &o->select, .names = &names, .verbose = o->verbose };
        const RecordingConsumer consumer = {
                .check = trace_check, .begin = trace_begin, .moment = trace_moment, .end = trace_end, .named = trace_names,
                .data_maps = trace_names(&t, NULL), .userdata = &t, .threads_max = CALL_THREADS_MAX,
        };
        int status = recording_run_all(&options, &consumer), r = call_view_finish(&t.view);

        if (r < 0)
                (void) fprintf(stderr, "Failed to show system calls: %s\n", strerror(-r));
        else if (status == EXIT_SUCCESS && t.view.lines.n == 0 && t.view.sums.n == 0)
                (void) fprintf(stderr, "Nothing is shown: no call that was recorded is one of those that are asked for\n");
        return r < 0 ? EXIT_FAILURE : status;
}

int verb_trace(int argc, char **argv) {
        _cleanup_(trace_options_done) TraceOptions o = {};
        int r = trace_options_parse(&o, argc, argv);

        if (r != 0)
                return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
        return trace_show(&o);
}
