/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A thread may begin a call on one CPU and end it on another: records are shown in the order of time. */

#include "trace-live.h"

#include <inttypes.h>

#include "array.h"
#include "call-view.h"
#include "cgroup.h"
#include "cgroup-paths.h"
#include "command.h"
#include "event-set.h"
#include "format-text.h"
#include "parse-time.h"
#include "live-rings.h"
#include "live-target.h"
#include "privilege.h"
#include "sample.h"
#include "stop-signals.h"
#include "thread-name.h"
#include "trace-live-events.h"
#include "trace-live-faults.h"
#include "trace-memory.h"
#include "trace-sums.h"
#include "utf8.h"

#define ROUND_MSEC 100

/* One register of user space, with which samples say whether it is a 32-bit program. */
#if defined(__x86_64__)
#define USER_REGISTERS 1u
#else
#define USER_REGISTERS 0u
#endif
#define ROOT_PAGES 1024u       /* of a ring, for those who may lock as much memory as they like */

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

/* The raw data of the events of signals (include/trace/events/signal.h): a thread takes one, or sends one to another. */
typedef struct RawSignalTaken {
        uint16_t tracepoint;
        uint8_t flags, preempt_count;
        int32_t tid;
        int32_t number, error, code;
        uint64_t handler;
} RawSignalTaken;

typedef struct RawSignalSent {
        uint16_t tracepoint;
        uint8_t flags, preempt_count;
        int32_t tid;
        int32_t number, error, code;
        char receiver_name[16];
        int32_t receiver, to_process, result; /* 0: it was delivered, not ignored or dropped */
} RawSignalSent;

static_assert(offsetof(RawSignalTaken, handler) == 24 && offsetof(RawSignalSent, receiver) == 36, "");

typedef struct TraceLive {
        const TraceLiveOptions *o;
        TraceLiveEvents events;
        EventSet *set;
        TraceLiveFaults *faults; /* NULL: page faults are not shown */
        Command command;
        LiveRings rings;
        CallView view;
        TraceMemory *memory; /* NULL: pointers are shown */
        CgroupPaths groups;  /* with sums by group */
        TraceSums *sums;     /* instead of a set; NULL: there is a set */
        sigset_t waiting;
        bool command_began, command_ended, enough;
        uint64_t lost;      /* events */
        usec_t enable_at; /* CLOCK_MONOTONIC: the events are enabled then; 0: they are */
} TraceLive;

static void trace_live_done(TraceLive *t) {
        (void) trace_memory_free(t->memory);
        (void) trace_sums_free(t->sums);
        (void) trace_live_faults_free(t->faults);
        live_rings_done(&t->rings);
        event_set_free(t->set);
        trace_live_events_done(&t->events);
        command_done(&t->command);
        call_view_done(&t->view);
        cgroup_paths_done(&t->groups);
}

static int trace_live_open(TraceLive *t, Diagnosis *d) {
        Target target = t->o->target;
        EventSetOptions options = EVENT_SET_OPTIONS_DEFAULT;
        int r = trace_live_events_make(&t->events, t->o, d);

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
        if (t->o->calls.time_of_day) {
                options.attr.use_clock = true;
                options.attr.clock = CLOCK_MONOTONIC;
                t->view.lines.to_wall = (int64_t) (now_nsec(CLOCK_REALTIME) - now_nsec(CLOCK_MONOTONIC));
        }
        options.attr.cgroups = t->o->calls.mode == CALL_SUMMARY_CGROUP;
        options.attr.identifier = true;
        options.attr.user_registers = USER_REGISTERS;
        options.attr.address = t->faults;
        options.attr.no_bpf_event = true;
        r = event_set_open(&t->events.specs, &options, &t->set, d);
        STRV_FOREACH(note, r >= 0 ? t->set->notes : NULL)
                (void) fprintf(stderr, "%s\n", *note);
        return r;
}

/* Has the memory that arguments point to read, if the kernel lets a program do that, and if calls are shown at all. */
static void trace_live_open_memory(TraceLive *t) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *sentence = NULL;

        if (t->o->calls.summary_only || t->events.n_calls == 0 ||
            trace_memory_new(t->set, t->o, &t->memory, &d) >= 0)
                return;
        sentence = diagnosis_format(&d);
        (void) fprintf(stderr, "Pointers are shown instead of strings: %s\n", sentence ?: strerror(ENOMEM));
}

/* Threads that are there before count when lines name them while several live. */
static int trace_live_add_threads(TraceLive *t) {
        CallThread *thread;
        int r = 0;

        for (size_t i = 0; r >= 0 && t->set && i < t->set->n_tids && target_has_task(&t->o->target); i++)
                if (t->set->tids[i] > 0)
                        r = call_model_thread(&t->view.model, (uint32_t) t->set->tids[i], &thread);
        return r;
}

/* Lets the events go, and then the command. */
static int trace_live_start(TraceLive *t, Diagnosis *d) {
        int r = t->set ? event_set_enable_tracking(t->set) : 0;

        t->enable_at = t->o->delay > 0 ? now_usec(CLOCK_MONOTONIC) + t->o->delay * USEC_PER_MSEC : 0;
        t->command_began = t->enable_at > 0 || t->o->groups; /* its exec is not seen then */
        if (r >= 0 && t->set && t->enable_at == 0)
                r = event_set_enable(t->set, NULL, true);
        if (r >= 0 && t->o->command && call_options_name_descriptors(&t->o->calls, true))
                r = call_descriptors_learn(&t->view.descriptors, (uint32_t) t->command.pid);
        if (r < 0 || !t->o->command)
                return r;
        r = command_start(&t->command);
        return r < 0 ? diagnosis_set(d, r, "Workload failed: %s", strerror(-r)) : 0;
}

/* Before its exec, the command is a copy of us, whose calls are of no interest. */
static bool trace_live_has_begun(const TraceLive *t, uint32_t pid) {
        return t->command_began || pid != (uint32_t) t->command.pid;
}

static int trace_live_take_signal(TraceLive *t, const PerfSample *s) {
        RawSignalTaken raw;
        CallThread *thread;
        int r;

        if (s->raw_size < sizeof(raw) || !trace_live_has_begun(t, s->pid))
                return 0;
        memcpy(&raw, s->raw, sizeof(raw));
        r = call_view_thread(&t->view, s->pid, s->tid, NULL, &thread);
        return r < 0 ? r : call_view_signal(&t->view, thread, &(SyscallSignal) {
                .number = raw.number, .has_code = true, .code = raw.code, .error = raw.error,
                .by_default = raw.handler == (uintptr_t) SIG_DFL,
        }, true);
}

static int trace_live_take_sent_signal(TraceLive *t, const PerfSample *s) {
        RawSignalSent raw;

        if (s->raw_size < sizeof(raw))
                return 0;
        memcpy(&raw, s->raw, sizeof(raw));
        if (raw.result == 0)
                call_view_send(&t->view, (uint32_t) raw.receiver, raw.number, raw.code, s->pid);
        return 0;
}

static int trace_live_take_sample(TraceLive *t, const struct perf_event_header *record) {
        const struct perf_event_attr *attr;
        /* There may be all of them for each control group. Records of the program that reads memory are like those of calls. */
        size_t spec = live_rings_member(&t->rings, record, &attr) % t->events.specs.n_specs;
        size_t first_fault = t->events.n_calls + t->events.n_signals + t->events.n_further;
        RawCall call = {};
        CallThread *thread;
        uint32_t number;
        CallFault fault;
        PerfSample s;
        int r;

        /* Calls without a process are those of others, outside of this container. */
        if (sample_parse(attr, record, &s) < 0 || (spec < t->events.n_calls && s.tid == 0) || s.pid == (uint32_t) getpid() ||
            ANY_OF(t->o->left_out.n_pids, i, (uint32_t) t->o->left_out.pids[i] == s.pid))
                return 0;
        if (spec >= t->events.n_calls && spec < t->events.n_calls + t->events.n_signals)
                return (spec == t->events.n_calls ? trace_live_take_signal : trace_live_take_sent_signal)(t, &s);
        r = call_view_thread(&t->view, s.pid, s.tid, NULL, &thread);
        if (r >= 0 && t->o->calls.mode == CALL_SUMMARY_CGROUP) {
                const char *path;

                r = cgroup_paths_get(&t->groups, s.cgroup, &path);
                if (r >= 0)
                        r = call_sums_set_group(&t->view.sums, thread, path);
        }
        if (r < 0)
                return r;
        if (!*thread->name)
                thread_name_read(thread->tid, thread->name, sizeof(thread->name));
        if (spec >= first_fault) {
                r = trace_live_faults_name(t->faults, &s, record->misc, attr->config == PERF_COUNT_SW_PAGE_FAULTS_MAJ, &fault);
                return r < 0 || !trace_live_has_begun(t, s.pid) ? r : call_view_fault(&t->view, thread, s.time, &fault);
        }
        if (spec >= t->events.n_calls + t->events.n_signals)
                return call_view_event(&t->view, thread, s.time, t->events.further + spec - t->events.n_calls - t->events.n_signals,
                                       s.raw, s.raw_size);
        if (s.raw_size < RAW_CALL_LEAST)
                return 0;
        memcpy(&call, s.raw, MIN_OF((size_t) s.raw_size, sizeof(call))); /* it lies at any address */
        if (call.tracepoint == 0)
                return call_view_take_memory(&t->view, thread, s.raw, s.raw_size);
        number = (uint32_t) call.number | (s.user_abi == PERF_SAMPLE_REGS_ABI_32 ? SYSCALL_COMPAT : 0);
        if (call.tracepoint == t->set->members[0].attr.config)
                return call_view_enter(&t->view, thread, s.time, number, call.values, trace_live_has_begun(t, s.pid));
        number = call.number < 0 ? CALL_NUMBER_NONE : call_thread_number(thread, t->view.abi, number);
        if (s.pid == (uint32_t) t->command.pid && call.values[0] == 0 && trace_live_is_exec(number))
                t->command_began = true;
        return call_view_exit(&t->view, thread, s.time, number, (int64_t) call.values[0], trace_live_has_begun(t, s.pid));
}

static int trace_live_take(TraceLive *t, const OrderedRecord *ordered) {
        const struct perf_event_header *record = ordered->record;
        const PerfRecordComm *comm = (const void *) record;
        const PerfRecordTask *task = (const void *) record;
        char name[CALL_NAME_SIZE] = "";
        CallThread *thread;
        int r;

        switch (record->type) {
        case PERF_RECORD_SAMPLE:
                return trace_live_take_sample(t, record);
        case PERF_RECORD_COMM:
                if (comm->pid == (uint32_t) t->command.pid && record->misc & PERF_RECORD_MISC_COMM_EXEC)
                        t->command_began = true;
                (void) utf8_line_to(name, sizeof(name), comm->name);
                return call_view_thread(&t->view, comm->pid, comm->tid, name, &thread);
        case PERF_RECORD_FORK:
                r = call_view_thread(&t->view, task->ppid, task->ptid, NULL, &thread); /* it gives its name on */
                if (r < 0)
                        return r;
                if (!*thread->name)
                        thread_name_read(thread->tid, thread->name, sizeof(thread->name));
                return call_view_fork(&t->view, task->ppid, task->ptid, task->pid, task->tid);
        case PERF_RECORD_EXIT:
                return call_view_end_thread(&t->view, task->tid, task->ppid, true);
        case PERF_RECORD_LOST:
                t->lost += ((const PerfRecordLost *) record)->lost;
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

        while (r >= 0 && !t->enough && (record = record_order_next(&t->rings.order))) {
                if (record->record->type == PERF_RECORD_SAMPLE || record_is_whole(record->record, 0))
                        r = trace_live_take(t, record);
                if (r >= 0 && t->faults && record->record->type != PERF_RECORD_SAMPLE &&
                    record_is_whole(record->record, 0))
                        r = trace_live_faults_take(t->faults, record->record);
                t->enough = call_view_is_enough(&t->view);
        }
        if (r >= 0 && t->faults)
                r = trace_live_faults_take(t->faults, &(struct perf_event_header) {
                        .type = PERF_RECORD_FINISHED_ROUND, .size = sizeof(struct perf_event_header),
                });
        return r < 0 ? r : text_buffer_flush(&t->view.out);
}

/* No event has the signal that ended a process, unless a traced one sent it. */
static void trace_live_end_command(TraceLive *t) {
        int number = 0;

        command_end(&t->command);
        (void) command_exit_status(&t->command, &number);
        if (number > 0)
                call_view_kill(&t->view, (uint32_t) t->command.pid, number);
}

static int trace_live_run(TraceLive *t) {
        int r = 0;

        while (r >= 0 && !t->enough && !t->command_ended) {
                usec_t now = now_usec(CLOCK_MONOTONIC), round = ROUND_MSEC * USEC_PER_MSEC;
                const struct timespec timeout = {
                        .tv_nsec = (long) ((t->enable_at > now ? MIN_OF(t->enable_at - now, round) : round) * NSEC_PER_USEC),
                };

                t->command_ended = live_rings_wait(&t->rings, &timeout, &t->waiting);
                if (t->command_ended)
                        trace_live_end_command(t);
                if (t->enable_at > 0 && now_usec(CLOCK_MONOTONIC) >= t->enable_at) {
                        r = event_set_enable(t->set, NULL, true);
                        t->enable_at = 0;
                }
                if (r >= 0)
                        r = live_rings_read(&t->rings);
                if (r >= 0)
                        r = trace_live_show(t);
                /* Ctrl-C goes to the command, too, whose end ends this; the second one does so in any case. */
                if (stop_signals_number() > 0 && (!t->o->command || stop_signals_number() != SIGINT || stop_signals_count() > 1))
                        break;
                if (t->o->groups && !live_target_has_groups(t->set, t->o->groups)) {
                        (void) fprintf(stderr, "The control groups that were traced are gone\n");
                        break;
                }
                if (target_has_task(&t->o->target) && !(t->set ? event_set_has_threads(t->set) : trace_sums_have_threads(t->sums)))
                        break;
        }
        if (t->set)
                (void) event_set_enable(t->set, NULL, false);
        trace_live_end_command(t);
        if (r >= 0)
                r = t->sums ? trace_sums_read(t->sums, &t->o->calls, &t->view.sums) : live_rings_read(&t->rings);
        if (r >= 0)
                r = record_order_finish(&t->rings.order);
        if (r >= 0)
                r = trace_live_show(t);
        if (r < 0)
                return r;
        call_view_end(&t->view);
        if (t->lost > 0)
                (void) fprintf(stderr, "Lost %" PRIu64 " events: larger buffers (-m), fewer calls (-e) or sums (-s) lose less\n",
                               t->lost);
        return call_view_finish(&t->view);
}

int trace_live(const TraceLiveOptions *o, FILE *out) {
        _cleanup_(trace_live_done) TraceLive t = {
                .o = o, .command = COMMAND_EMPTY, .view = { .options = &o->calls, .out.file = out, .descriptors.live = true },
        };
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *sentence = NULL;
        int status, number = 0, r = o->command ? command_fork(&t.command, o->command, false) : 0;

        call_view_begin(&t.view, SYSCALL_X86_64, o->output ? CALL_HEADS_OF_FILE : target_has_cpu(&o->target) ? CALL_HEADS_ALWAYS :
                        CALL_HEADS_OF_SEVERAL);
        if (r >= 0 && (o->calls.minor_faults || o->calls.major_faults))
                r = trace_live_faults_new(&t.faults);
        if (r >= 0 && o->calls.summary_only && trace_sums_new(o, t.command.pid, &t.sums) == -ENOMEM)
                r = -ENOMEM;
        if (r >= 0 && !t.sums)
                r = trace_live_open(&t, &d);
        if (r >= 0 && !t.sums)
                trace_live_open_memory(&t);
        if (r >= 0)
                r = trace_live_add_threads(&t);
        if (r >= 0)
                r = live_rings_init(&t.rings, t.set, o->command ? t.command.pidfd : -1);
        t.view.lines.memory = t.memory;
        stop_signals_catch(&t.waiting);
        if (r >= 0)
                r = trace_live_start(&t, &d);
        if (r >= 0)
                r = trace_live_run(&t);
        if (r < 0) {
                sentence = d.sentence ? diagnosis_format(&d) : NULL;
                (void) fprintf(stderr, "%s%s\n", sentence ? "" : "Failed to trace: ", sentence ?: strerror(-r));
                if (r == -EACCES && t.events.specs.n_specs == 0 && !privilege_have_perfmon())
                        (void) fputs("Besides, all but root ('sudo perfctl trace') need CAP_PERFMON, or kernel.perf_event_paranoid "
                                     "at 1 or less to trace their own processes, at -1 for whole CPUs\n", stderr);
                return t.command.exec_error > 0 ? 255 : EXIT_FAILURE;
        }
        status = command_exit_status(&t.command, &number);
        if (number > 0) {
                (void) fprintf(stderr, "%s: %s\n", o->command[0], strsignal(number));
                status = 128 + number; /* as shells have it */
        }
        if (fflush(out) != 0 && out != stderr) {
                (void) fprintf(stderr, "Failed to write to %s: %s\n", o->output, strerror(errno));
                status = EXIT_FAILURE;
        }
        stop_signals_raise(&t.waiting);
        return status;
}
