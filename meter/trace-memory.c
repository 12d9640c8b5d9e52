/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The program, trace-memory.bpf.c, is compiled when this is built, and is a part of it. */

#include "trace-memory.h"

#include <unistd.h>

#include "array.h"
#include "call-descriptors.h"
#include "cgroup.h"
#include "kernel-program.h"
#include "syscall-signature.h"
#include "trace-live-events.h"
#include "trace-memory-program.h"

KERNEL_PROGRAM_OBJECT(trace_memory_object, PROGRAM_OBJECT);

struct TraceMemory {
        KernelProgram program;
        Event *events; /* by ring */
        size_t n_events;
};

TraceMemory *trace_memory_free(TraceMemory *m) {
        if (!m)
                return NULL;
        kernel_program_done(&m->program);
        for (size_t i = 0; i < m->n_events; i++)
                event_done(m->events + i);
        free(m->events);
        free(m);
        return NULL;
}

/* Opens an event on each CPU whose records go to the ring that the set has there. */
static int trace_memory_open_events(TraceMemory *m, const EventSet *set) {
        int r = 0;

        m->events = calloc(set->n_rings, sizeof(*m->events));
        if (!m->events)
                return -ENOMEM;
        for (size_t i = 0; r >= 0 && i < set->n_rings; i++) {
                struct perf_event_attr attr = {
                        .type = PERF_TYPE_SOFTWARE, .size = sizeof(attr), .config = PERF_COUNT_SW_BPF_OUTPUT, .sample_period = 1,
                        .sample_type = set->members[0].attr.sample_type, .read_format = set->members[0].attr.read_format,
                        .sample_regs_user = set->members[0].attr.sample_regs_user, .sample_id_all = 1,
                        .use_clockid = set->members[0].attr.use_clockid,
                        .clockid = set->members[0].attr.clockid,
                };
                const Event owner = { .fd = set->rings[i].fd };
                Event *e = m->events + m->n_events;

                if (set->rings[i].cpu < 0)
                        return -ENODEV;
                *e = (Event) EVENT_EMPTY;
                r = event_open(e, &set->ops, &attr, -1, set->rings[i].cpu, -1, PERF_FLAG_FD_CLOEXEC);
                if (r < 0)
                        break;
                m->n_events++;
                r = event_set_output(e, &set->ops, &owner);
                if (r >= 0)
                        r = kernel_program_set(&m->program, "rings", (uint32_t) set->rings[i].cpu, &e->fd);
        }
        return r;
}

/* Tells the program which memory the wanted calls have. */
static int trace_memory_set_rules(TraceMemory *m, const TraceLiveOptions *o) {
        int r = 0;

        for (uint32_t i = 0; r >= 0 && i < MEMORY_CALLS; i++) {
                const SyscallSignature *s = syscall_signature(SYSCALL_X86_64, i);
                MemoryRules rules = { .replaces = s && startswith(s->name, "execve") };

                if (!s || !trace_live_wants(o, i))
                        continue;
                for (unsigned k = 0; k < MEMORY_ARGUMENTS; k++) {
                        rules.arguments[k] = syscall_argument_memory(s, SYSCALL_X86_64, k);
                        rules.wanted |= rules.arguments[k].kind != ARGUMENT_MEMORY_NONE;
                        if (s->arguments[k].kind == ARGUMENT_FD_PAIR_OUT)
                                rules.pair = k;
                }
                if (call_options_name_descriptors(&o->calls, true) && call_descriptors_are_numbered(s))
                        rules.opens = s->result == RESULT_FD ? MEMORY_OPENS_RESULT : MEMORY_OPENS_PAIR;
                rules.wanted |= rules.opens;
                if (rules.wanted)
                        r = kernel_program_set(&m->program, "rules", i, &rules);
        }
        return r;
}

/* Hands the control groups over. The kernel takes only those of the unified hierarchy: with others, all threads are read. */
static uint32_t trace_memory_set_groups(TraceMemory *m, char **groups) {
        uint32_t n = 0;

        STRV_FOREACH(group, groups) {
                _cleanup_close_ int fd = cgroup_open(NULL, *group, NULL);

                if (n == MEMORY_GROUPS || fd < 0 || kernel_program_set(&m->program, "groups", n, &fd) < 0)
                        return 0;
                n++;
        }
        return n;
}

static int trace_memory_set_threads(TraceMemory *m, const EventSet *set, const TraceLiveOptions *o, bool all) {
        const MemorySettings settings = {
                .all = all, .own_pid = (uint32_t) getpid(), .left_out = o->left_out.n_pids > 0,
                .n_groups = trace_memory_set_groups(m, o->groups),
        };
        const uint8_t one = 1;
        int r = kernel_program_set(&m->program, "settings", 0, &settings);

        for (size_t i = 0; r >= 0 && i < MIN_OF(o->left_out.n_pids, (size_t) MEMORY_LEFT_OUT); i++)
                r = kernel_program_set(&m->program, "left_out", (uint32_t) o->left_out.pids[i], &one);

        for (size_t i = 0; r >= 0 && !all && i < set->n_tids; i++)
                r = kernel_program_set(&m->program, "traced", (uint32_t) set->tids[i], &one);
        return r;
}

int trace_memory_new(const EventSet *set, const TraceLiveOptions *o, TraceMemory **ret, Diagnosis *d) {
        bool all = set->tids[0] < 0;
        _cleanup_(trace_memory_freep) TraceMemory *m = calloc(1, sizeof(*m));
        int r = m ? kernel_program_load(&m->program, trace_memory_object, trace_memory_object_end, d) : -ENOMEM;

        if (r < 0)
                return r;
        r = trace_memory_open_events(m, set);
        if (r >= 0)
                r = trace_memory_set_rules(m, o);
        if (r >= 0)
                r = trace_memory_set_threads(m, set, o, all);
        if (r >= 0)
                r = kernel_program_attach(&m->program, all ? "follow" : NULL);
        if (r == -ENODEV)
                return diagnosis_set(d, r, "there are no rings of CPUs with --no-inherit");
        if (r < 0)
                return kernel_program_refuse(d, r, "the program that reads them can't be attached");
        *ret = steal_ptr(m);
        return 0;
}
