/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The meaning of an error of perf_event_open(2), or of mmap(2) on its descriptor, with a remedy. The kernel gives only
 * a number, which has several meanings; the event, the target and the kernel's settings show which one applies. */

#include "attr.h"

#include <limits.h>
#include "fd-file.h"
#include "privilege.h"
#include "sysctl.h"
#include "tracepoint.h"
#include "utf8.h"

#define COMM_SIZE 64u /* bytes: 16 of the kernel, of which each may become U+FFFD */

/* A process that is one's own is refused, too, if it is not dumpable: the kernel asks ptrace's question
 * (PTRACE_MODE_READ_REALCREDS). A process's first thread is opened first, so the thread that fails has its number. */
static int diagnose_refused_process(Diagnosis *d, int error, const char *name, pid_t pid) {
        _cleanup_free_ char *comm = NULL;
        char path[64], shown[COMM_SIZE] = "";
        size_t size = 0;

        (void) snprintf(path, sizeof(path), "/proc/%d/comm", (int) pid);
        if (read_file(path, COMM_SIZE, &comm, &size) >= 0 && size > 0) {
                comm[size - 1] = '\0'; /* the kernel's line end */
                (void) utf8_line_to(shown, sizeof(shown), comm);
        }
        return diagnosis_set(d, error, "No permission to open the %s event for process %d%s%s%s: it is another user's or not "
                             "dumpable (prctl(2)), or a security module forbids perf_event_open; root or CAP_PERFMON is needed",
                             name, (int) pid, *shown ? " (" : "", shown, *shown ? ")" : "");
}

/* The settings and capabilities of this process don't matter then. */
static int diagnose_filter(Diagnosis *d, int error, const char *name) {
        if (sysctl_read("kernel/perf_event_paranoid", INT_MIN) == INT_MIN)
                return diagnosis_set(d, error, "This kernel has no perf events (CONFIG_PERF_EVENTS)");
        return diagnosis_set(d, error, "No permission to open the %s event: a seccomp filter, as that of a container or a service, "
                             "refuses perf_event_open(2); allow it there (SystemCallFilter=perf_event_open in a unit)", name);
}

/* Debian's kernels have 3 and above: nothing is allowed without the capability. */
static int diagnose_permission(Diagnosis *d, int error, const char *name, const struct perf_event_attr *a, int cpu, pid_t tid) {
        int paranoid = sysctl_read("kernel/perf_event_paranoid", 2), wanted = -1;
        const char *what = "all events";

        if (a->namespaces && !privilege_have_perfmon())
                return diagnosis_set(d, error, "No permission to record the namespaces of processes (--namespaces) with the %s "
                                     "event: root or CAP_PERFMON is needed, whatever kernel.perf_event_paranoid is", name);
        if (privilege_have_perfmon())
                return diagnosis_set(d, error, "No permission to open the %s event, although this process has CAP_PERFMON: a "
                                     "security module forbids it, or the capability is that of a container's user namespace, "
                                     "which the kernel does not count", name);
        if (a->type == PERF_TYPE_TRACEPOINT && (a->sample_type & PERF_SAMPLE_RAW) && paranoid > -1 &&
            (tid < 0 || !tracepoint_is_syscall(name)))
                what = "tracepoints with their data";
        else if (cpu >= 0 && tid < 0 && paranoid > 0)
                what = "whole CPUs", wanted = 0;
        else if (!a->exclude_kernel && paranoid > 1)
                what = "the kernel", wanted = 1;
        else if (paranoid > 2)
                wanted = 2;
        else if (tid > 0)
                return diagnose_refused_process(d, error, name, tid);
        else
                return diagnosis_set(d, error, "No permission to open the %s event: a security module forbids "
                                     "perf_event_open; root or CAP_PERFMON is needed", name);
        return diagnosis_set(d, error, "No permission to open the %s event: kernel.perf_event_paranoid is %d, recording %s needs "
                             "%d or less, or root, or CAP_PERFMON (sysctl kernel.perf_event_paranoid=%d)",
                             name, paranoid, what, wanted, wanted);
}

static int diagnose_absent(Diagnosis *d, int error, const char *name, const struct perf_event_attr *a) {
        if (attr_is_counter(a))
                return diagnosis_set(d, error, "The %s event is not supported: this machine (a virtual one?) has no such counter; "
                                     "cpu-clock samples by time everywhere", name);
        return diagnosis_set(d, error, "The %s event is not supported by this kernel or machine", name);
}

/* Branch stacks need records of the CPU that few machines and no software event have; the substitute depends on their
 * purpose. */
static int diagnose_branches(Diagnosis *d, int error, const char *name, const struct perf_event_attr *a) {
        if (a->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK)
                return diagnosis_set(d, error, "Call stacks by branch records (--call-graph lbr) are not available with the %s "
                                     "event: they need a hardware event on a CPU that keeps such records (LBR), which this "
                                     "machine (a virtual one?) does not show; --call-graph fp or --call-graph dwarf works "
                                     "everywhere", name);
        return diagnosis_set(d, error, "Branch stacks (-b, -j) are not available with the %s event: they need a hardware event on "
                             "a CPU that keeps records of branches (LBR, BRBE), which this machine (a virtual one?) does not show; "
                             "call stacks (-g) show at least by which calls a sample was reached", name);
}

static int diagnose_unsupported(Diagnosis *d, int error, const char *name, const struct perf_event_attr *a) {
        if (a->sample_type & PERF_SAMPLE_BRANCH_STACK)
                return diagnose_branches(d, error, name, a);
        if (a->precise_ip > 0)
                return diagnosis_set(d, error, "The %s event can't be sampled that precisely here: try it without the "
                                     "modifier p", name);
        if (attr_is_counter(a))
                return diagnosis_set(d, error, "The %s event can't be sampled here: its counter raises no interrupt", name);
        return diagnosis_set(d, error, "The %s event can be counted but not sampled", name);
}

static int diagnose_invalid(Diagnosis *d, int error, const char *name, const struct perf_event_attr *a, int cpu) {
        if (a->type == PERF_TYPE_BREAKPOINT)
                return diagnosis_set(d, error, "The %s event is not a breakpoint that this machine can set: "
                                     "its length, its alignment or the kind of access is wrong", name);
        if (a->sample_type & PERF_SAMPLE_BRANCH_STACK)
                return diagnose_branches(d, error, name, a);
        if (cpu < 0 || !(a->sample_type & PERF_SAMPLE_CPU))
                return diagnosis_set(d, error, "The %s event can't be opened for a process: try all CPUs (-a)", name);
        if (a->type >= PERF_TYPE_MAX)
                return diagnosis_set(d, error, "The %s event can't be sampled: its PMU only counts (perf stat), or does not take "
                                     "these terms", name);
        return diagnosis_set(d, error, "The kernel does not take the %s event with these options", name);
}

int attr_diagnose_open(Diagnosis *d, int error, const char *name, const struct perf_event_attr *attr, int cpu, pid_t tid) {
        switch (error) {
        case -EACCES:
        case -EPERM:
                if (privilege_is_filtered())
                        return diagnose_filter(d, error, name);
                return diagnose_permission(d, error, name, attr, cpu, tid);
        case -ENOENT:
        case -ENXIO:
                return diagnose_absent(d, error, name, attr);
        case -EMFILE:
        case -ENFILE:
                return diagnosis_set(d, error, "Too many events are open: no more descriptors; name fewer events, CPUs or threads, "
                                     "or raise the limit (ulimit -n, LimitNOFILE=, fs.nr_open)");
        case -ENOMEM:
                if (attr->sample_type & PERF_SAMPLE_CALLCHAIN)
                        return diagnosis_set(d, error, "Not enough memory for the %s event with call chains: "
                                             "kernel.perf_event_max_stack is %d, less may do", name,
                                             sysctl_read("kernel/perf_event_max_stack", 127));
                return diagnosis_set(d, error, "Not enough memory for the %s event", name);
        case -ENODEV:
                if (cpu >= 0)
                        return diagnosis_set(d, error, "CPU %d does not exist or is not online", cpu);
                return diagnose_absent(d, error, name, attr);
        case -EOVERFLOW:
                return diagnosis_set(d, error, "The %s event asks for call stacks of %u frames: "
                                     "kernel.perf_event_max_stack allows %d", name, attr->sample_max_stack,
                                     sysctl_read("kernel/perf_event_max_stack", 127));
        case -ENOSPC:
                return diagnosis_set(d, error, "The %s event finds all hardware breakpoints in use", name);
        case -ESRCH:
                return diagnosis_set(d, error, "There is no thread %d any more", tid);
        case -EOPNOTSUPP:
                return diagnose_unsupported(d, error, name, attr);
        case -EBUSY:
                return diagnosis_set(d, error, "Another user has the counter of the %s event exclusively", name);
        case -EINVAL:
                return diagnose_invalid(d, error, name, attr, cpu);
        case -ENOSYS:
                return diagnose_filter(d, error, name);
        default:
                return diagnosis_set(d, error, "Opening the %s event failed: %s", name, strerror(-error));
        }
}

int attr_diagnose_mmap(Diagnosis *d, int error, unsigned pages) {
        if (error == -EPERM)
                return diagnosis_set(d, error, "No permission to lock a ring of %u pages in memory: take a smaller one (-m), "
                                     "or raise kernel.perf_event_mlock_kb (now %d) or the limit on locked memory (ulimit -l)",
                                     pages, sysctl_read("kernel/perf_event_mlock_kb", 516));
        if (error == -ENOMEM)
                return diagnosis_set(d, error, "Not enough memory for a ring of %u pages: take a smaller one (-m)", pages);
        return diagnosis_set(d, error, "Mapping a ring of %u pages failed: %s", pages, strerror(-error));
}
