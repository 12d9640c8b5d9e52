/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Rings of all CPUs are read in rounds. A thread may begin a call on one CPU and end it on another: records are shown in the order
 * of time, those of a round after the next one, behind which none can be older. A quiet machine has rounds, too. */

#include "trace-live.h"

#include <inttypes.h>
#include <poll.h>

#include "array.h"
#include "call-view.h"
#include "command.h"
#include "event-set.h"
#include "format-text.h"
#include "grammar.h"
#include "parse-time.h"
#include "record-cursor.h"
#include "record-order.h"
#include "sample.h"
#include "stop-signals.h"
#include "thread-name.h"
#include "trace-memory.h"
#include "trace-sums.h"
#include "utf8.h"

#define ENTER_NAME "raw_syscalls:sys_enter"
#define EXIT_NAME  "raw_syscalls:sys_exit"
#define ROUND_MSEC 100
#define ROOT_PAGES 1024u       /* of a ring, for those who may lock as much memory as they like */
#define FILTERED_CALLS_MAX 64u /* that the kernel is asked to look for */
#define FILTERED_THREADS_MAX 64u /* that it is asked to pass over; its filters have less than a page */

/* The raw data of the two events (include/trace/events/syscalls.h of the kernel), behind the eight bytes of all tracepoints, whose
 * first two are the number of the tracepoint. */
typedef struct RawCall {
        uint16_t tracepoint;
        uint8_t flags, preempt_count;
        int32_t tid;
        int64_t number;
        uint64_t values[CALL_ARGUMENTS]; /* the arguments; or the result, alone */
} RawCall;

#define RAW_CALL_LEAST offsetof(RawCall, values[1])

typedef struct TraceLive {
        const TraceLiveOptions *o;
        EventSpecs specs;
        EventSet *set;
        Command command;
        RecordOrder order;
        CallView view;
        TraceMemory *memory; /* NULL: pointers are shown */
        TraceSums *sums;     /* instead of a set; NULL: there is a set */
        int *cpus;           /* with sums: the target's */
        pid_t *tids;
        size_t n_cpus, n_tids;
        sigset_t waiting;
        struct pollfd *fds; /* of rings, then of the command */
        size_t n_fds;
        bool command_began, command_ended, enough;
        usec_t enable_at; /* CLOCK_MONOTONIC: the events are enabled then; 0: they are */
} TraceLive;

static void trace_live_done(TraceLive *t) {
        (void) trace_memory_free(t->memory);
        (void) trace_sums_free(t->sums);
        free(t->cpus);
        free(t->tids);
        event_set_free(t->set);
        event_specs_done(&t->specs);
        command_done(&t->command);
        record_order_done(&t->order);
        call_view_done(&t->view);
        free(t->fds);
}

static bool call_is_exec(uint32_t number) {
        const char *name = syscall_name(SYSCALL_X86_64, number);

        return name && streq(name, "execve");
}

/* Returns whether the kernel is to tell of a call: -e names it, the command begins with it, or descriptors are followed by it. */
static bool trace_live_wants(const TraceLive *t, uint32_t number) {
        return call_options_want(&t->o->calls, SYSCALL_X86_64, number) || (t->o->command && call_is_exec(number)) ||
               (call_view_names_descriptors(&t->view) && call_descriptors_want(SYSCALL_X86_64, number));
}

/* Puts a condition of the kernel's filters for each thread of the processes that are left out. Those that begin later, or are too
 * many, are passed over here. */
static int trace_live_put_left_out(const TraceLive *t, TextBuffer *filter, Diagnosis *d) {
        _cleanup_free_ int *cpus = NULL;
        _cleanup_free_ pid_t *tids = NULL;
        size_t n_cpus, n_tids = 0;
        int r = 0;

        if (target_has_cpu(&t->o->target))
                text_buffer_format(filter, "common_pid != %d", getpid());
        if (t->o->left_out.n_pids > 0)
                r = target_resolve(&t->o->left_out, NULL, &cpus, &n_cpus, &tids, &n_tids, d);
        for (size_t i = 0; i < MIN_OF(n_tids, FILTERED_THREADS_MAX); i++)
                text_buffer_format(filter, "%scommon_pid != %d", filter->n > 0 ? " && " : "", tids[i]);
        return r;
}

/* The kernel passes over other calls than those of -e, if they are few, over our own, and over processes that are left out. */
static int trace_live_filter(TraceLive *t, Diagnosis *d) {
        _cleanup_(text_buffer_done) TextBuffer filter = {};
        const CallOptions *o = &t->o->calls;
        size_t n = 0;
        int r = trace_live_put_left_out(t, &filter, d);

        if (r < 0)
                return r;
        for (uint32_t i = 0; o->words && i < syscall_count(SYSCALL_X86_64); i++)
                n += trace_live_wants(t, i);
        if (n > 0 && n <= FILTERED_CALLS_MAX) {
                const char *before = filter.n > 0 ? " && (" : "(";

                for (uint32_t i = 0; i < syscall_count(SYSCALL_X86_64); i++)
                        if (trace_live_wants(t, i)) {
                                text_buffer_format(&filter, "%sid == %" PRIu32, before, i);
                                before = " || ";
                        }
                text_buffer_putc(&filter, ')');
        }
        text_buffer_putc(&filter, '\0');
        if (filter.error < 0)
                return filter.error;
        return *filter.data ? event_specs_set_filter(&t->specs, filter.data, d) : 0;
}

/* Has the kernel sum up, where only sums are wanted and it can: without a sentence if not. */
static int trace_live_open_sums(TraceLive *t) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        Target target = t->o->target;
        int r;

        if (!t->o->calls.summary_only)
                return 0;
        if (!target_has_task(&target)) /* with threads, it is only run */
                target.command = t->command.pid;
        r = target_resolve(&target, NULL, &t->cpus, &t->n_cpus, &t->tids, &t->n_tids, &d);
        if (r >= 0)
                (void) trace_sums_new(t->o, t->tids, t->n_tids, target.command, &t->sums, &d);
        return r == -ENOMEM ? r : 0;
}

static int trace_live_open(TraceLive *t, Diagnosis *d) {
        Target target = t->o->target;
        EventSetOptions options = EVENT_SET_OPTIONS_DEFAULT;
        int r = event_specs_parse(&t->specs, ENTER_NAME "," EXIT_NAME, NULL, d);

        if (r >= 0)
                r = trace_live_filter(t, d);
        if (r < 0)
                return r;
        if (!target_has_cpu(&target) && !target_has_task(&target))
                target.command = t->command.pid;
        options.target = &target;
        options.groups = t->o->groups;
        options.pages = t->o->pages ?: geteuid() == 0 ? ROOT_PAGES : 0;
        options.delayed = true;
        options.attr.frequency = 0;
        options.attr.period = 1;
        options.attr.inherit = !t->o->no_inherit;
        options.attr.sample_time = true;
        options.attr.no_bpf_event = true;
        r = event_set_open(&t->specs, &options, &t->set, d);
        STRV_FOREACH(note, r >= 0 ? t->set->notes : NULL)
                (void) fprintf(stderr, "%s\n", *note);
        return r;
}

/* Has the memory that arguments point to read, if the kernel lets a program do that, and if calls are shown at all. */
static void trace_live_open_memory(TraceLive *t) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *sentence = NULL;

        if (t->o->calls.summary_only || trace_memory_new(t->set, &t->view, target_has_cpu(&t->o->target), &t->memory, &d) >= 0)
                return;
        sentence = diagnosis_format(&d);
        (void) fprintf(stderr, "Pointers are shown instead of strings: %s\n", sentence ?: strerror(ENOMEM));
}

static int trace_live_watch(TraceLive *t) {
        t->fds = calloc((t->set ? t->set->n_rings : 0) + 1, sizeof(*t->fds));
        if (!t->fds)
                return -ENOMEM;
        for (size_t i = 0; t->set && i < t->set->n_rings; i++)
                t->fds[t->n_fds++] = (struct pollfd) { .fd = t->set->rings[i].fd, .events = POLLIN };
        t->fds[t->n_fds++] = (struct pollfd) { .fd = t->o->command ? t->command.pidfd : -1, .events = POLLIN };
        return 0;
}

/* Lets the events go, and then the command. */
static int trace_live_start(TraceLive *t, Diagnosis *d) {
        int r = t->set ? event_set_enable_tracking(t->set) : 0;

        t->enable_at = t->o->delay > 0 ? now_usec(CLOCK_MONOTONIC) + t->o->delay * USEC_PER_MSEC : 0;
        t->command_began = t->enable_at > 0;
        if (r >= 0 && t->set && t->enable_at == 0)
                r = event_set_enable(t->set, NULL, true);
        if (r >= 0 && t->o->command && call_view_names_descriptors(&t->view))
                r = call_descriptors_learn(&t->view.descriptors, (uint32_t) t->command.pid);
        if (r < 0 || !t->o->command)
                return r;
        r = command_start(&t->command);
        return r < 0 ? diagnosis_set(d, r, "Workload failed: %s", strerror(-r)) : 0;
}

/* Returns what a record is read by. The side band has an event of its own, and losses are told by any. */
static const struct perf_event_attr *trace_live_attr(const TraceLive *t, const struct perf_event_header *record) {
        const EventSet *set = t->set;
        uint64_t id;

        for (size_t i = 0; i < set->n_members && record->type != PERF_RECORD_SAMPLE; i++) {
                if (!set->members[i].only_sideband)
                        continue;
                memcpy(&id, (const uint8_t *) record + record->size - sizeof(id), sizeof(id)); /* PERF_SAMPLE_IDENTIFIER */
                if (record->type != PERF_RECORD_LOST ||
                    ANY_OF(set->n_events, k, set->events[k].id == id && set->events[k].member == i))
                        return &set->members[i].attr;
        }
        return &set->members[0].attr;
}

/* Reads all rings, which ends a round. */
static int trace_live_read(TraceLive *t) {
        static uint64_t scratch[RECORD_SCRATCH_SIZE / sizeof(uint64_t)];
        const struct perf_event_header *record;
        struct iovec segments[2];
        PerfSample s;
        unsigned n;
        int r = 0;

        for (size_t i = 0; r >= 0 && t->set && i < t->set->n_rings; i++) {
                size_t bytes = ring_read_begin(t->set->rings + i, segments, &n);
                RecordCursor cursor;

                if (bytes == 0)
                        continue;
                record_cursor_init(&cursor, segments, n, scratch);
                while (r >= 0 && record_cursor_next(&cursor, &record) > 0) {
                        const struct perf_event_attr *attr = trace_live_attr(t, record);

                        if ((record->type == PERF_RECORD_SAMPLE ? sample_parse : sample_parse_trailer)(attr, record, &s) >= 0)
                                r = record_order_put(&t->order, &(OrderedRecord) { .time = s.time, .record = record }, false);
                }
                ring_consume(t->set->rings + i, bytes);
        }
        return r < 0 ? r : record_order_finish_round(&t->order);
}

/* Before its exec, the command is a copy of us, whose calls are of no interest. */
static bool trace_live_has_begun(const TraceLive *t, uint32_t pid) {
        return t->command_began || pid != (uint32_t) t->command.pid;
}

static int trace_live_take_sample(TraceLive *t, const struct perf_event_header *record) {
        const struct perf_event_attr *attr = &t->set->members[0].attr;
        RawCall call = {};
        CallThread *thread;
        PerfSample s;
        int r;

        if (sample_parse(attr, record, &s) < 0 || s.raw_size < RAW_CALL_LEAST ||
            ANY_OF(t->o->left_out.n_pids, i, (uint32_t) t->o->left_out.pids[i] == s.pid))
                return 0;
        memcpy(&call, s.raw, MIN_OF((size_t) s.raw_size, sizeof(call))); /* it lies at any address */
        r = call_view_thread(&t->view, s.pid, s.tid, NULL, &thread);
        if (r < 0)
                return r;
        if (!*thread->name)
                thread_name_read(thread->tid, thread->name, sizeof(thread->name));
        if (call.tracepoint == 0)
                return call_thread_take_memory(thread, s.raw, s.raw_size);
        if (call.tracepoint == attr->config)
                return call_view_enter(&t->view, thread, s.time, (uint32_t) call.number, call.values,
                                       trace_live_has_begun(t, s.pid));
        if (s.pid == (uint32_t) t->command.pid && call.values[0] == 0 && call_is_exec((uint32_t) call.number))
                t->command_began = true;
        return call_view_exit(&t->view, thread, s.time, (uint32_t) call.number, (int64_t) call.values[0],
                              trace_live_has_begun(t, s.pid));
}

static int trace_live_take(TraceLive *t, const OrderedRecord *ordered) {
        const struct perf_event_header *record = ordered->record;
        const PerfRecordComm *comm = (const void *) record;
        const PerfRecordTask *task = (const void *) record;
        char name[CALL_NAME_SIZE] = "";
        CallThread *thread;

        switch (record->type) {
        case PERF_RECORD_SAMPLE:
                return trace_live_take_sample(t, record);
        case PERF_RECORD_COMM:
                (void) utf8_line_to(name, sizeof(name), comm->name);
                return call_view_thread(&t->view, comm->pid, comm->tid, name, &thread);
        case PERF_RECORD_FORK:
                return call_view_fork(&t->view, task->ppid, task->ptid, task->pid, task->tid);
        case PERF_RECORD_EXIT:
                if (task->pid == task->tid)
                        call_descriptors_forget(&t->view.descriptors, task->pid);
                return 0;
        case PERF_RECORD_LOST:
                call_view_lose(&t->view, ordered->time, ((const PerfRecordLost *) record)->lost, true);
                return 0;
        default:
                return 0;
        }
}

/* Shows what is due. */
static int trace_live_show(TraceLive *t) {
        const OrderedRecord *record;
        int r = 0;

        while (r >= 0 && !t->enough && (record = record_order_next(&t->order))) {
                if (record->record->type == PERF_RECORD_SAMPLE || record_is_whole(record->record, 0))
                        r = trace_live_take(t, record);
                t->enough = call_view_is_enough(&t->view);
        }
        return r < 0 ? r : text_buffer_flush(&t->view.out);
}

static bool trace_live_has_threads(const TraceLive *t) {
        if (t->set)
                return event_set_has_threads(t->set);
        return ANY_OF(t->n_tids, i, kill(t->tids[i], 0) >= 0 || errno != ESRCH);
}

static int trace_live_finish_sums(TraceLive *t) {
        uint64_t lost = 0;
        int r = trace_sums_read(t->sums, &t->o->calls, &t->view.sums, &lost);

        if (lost > 0)
                (void) fprintf(stderr, "LOST %" PRIu64 " events: there are more threads or calls than are summed up\n", lost);
        return r;
}

static int trace_live_run(TraceLive *t) {
        int r = 0;

        while (r >= 0 && !t->enough && !t->command_ended) {
                usec_t now = now_usec(CLOCK_MONOTONIC), round = ROUND_MSEC * USEC_PER_MSEC;
                const struct timespec timeout = {
                        .tv_nsec = (long) ((t->enable_at > now ? MIN_OF(t->enable_at - now, round) : round) * NSEC_PER_USEC),
                };

                (void) ppoll(t->fds, t->n_fds, &timeout, &t->waiting);
                t->command_ended = t->fds[t->n_fds - 1].revents != 0;
                if (t->enable_at > 0 && now_usec(CLOCK_MONOTONIC) >= t->enable_at) {
                        r = event_set_enable(t->set, NULL, true);
                        t->enable_at = 0;
                }
                if (r >= 0)
                        r = trace_live_read(t);
                if (r >= 0)
                        r = trace_live_show(t);
                /* Ctrl-C goes to the command, too, whose end ends this. */
                if (stop_signals_number() > 0 && (!t->o->command || stop_signals_number() != SIGINT))
                        break;
                if (target_has_task(&t->o->target) && !trace_live_has_threads(t))
                        break;
        }
        if (t->set)
                (void) event_set_enable(t->set, NULL, false);
        command_end(&t->command);
        if (r >= 0)
                r = t->sums ? trace_live_finish_sums(t) : trace_live_read(t);
        if (r >= 0)
                r = record_order_finish(&t->order);
        if (r >= 0)
                r = trace_live_show(t);
        if (r < 0)
                return r;
        call_view_end(&t->view);
        return call_view_finish(&t->view);
}

int trace_live(const TraceLiveOptions *o, FILE *out) {
        _cleanup_(trace_live_done) TraceLive t = {
                .o = o, .command = COMMAND_EMPTY, .view = { .options = &o->calls, .out.file = out, .descriptors.live = true },
        };
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *sentence = NULL;
        int status, number = 0, r = o->command ? command_fork(&t.command, o->command, false) : 0;

        if (r >= 0)
                r = trace_live_open_sums(&t);
        if (r >= 0 && !t.sums)
                r = trace_live_open(&t, &d);
        if (r >= 0 && !t.sums)
                trace_live_open_memory(&t);
        if (r >= 0)
                r = trace_live_watch(&t);
        call_view_begin(&t.view, SYSCALL_X86_64, true);
        t.view.lines.memory = t.memory;
        stop_signals_catch(&t.waiting);
        if (r >= 0)
                r = trace_live_start(&t, &d);
        if (r >= 0)
                r = trace_live_run(&t);
        if (r < 0) {
                sentence = d.sentence ? diagnosis_format(&d) : NULL;
                (void) fprintf(stderr, "%s%s\n", sentence ? "" : "Failed to trace: ", sentence ?: strerror(-r));
                return t.command.exec_error > 0 ? 255 : EXIT_FAILURE;
        }
        status = command_exit_status(&t.command, &number);
        if (number > 0)
                (void) fprintf(stderr, "%s: %s\n", o->command[0], strsignal(number));
        (void) fflush(out);
        stop_signals_raise(&t.waiting);
        return status;
}
