/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Each message names the event and a remedy. */

#include <limits.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "attr.h"
#include "check-main.h"
#include "privilege.h"
#include "refused-call.h"
#include "sysctl.h"

static void assert_says(int error, struct perf_event_attr a, int cpu, pid_t tid, const char *says) {
        _cleanup_(diagnosis_done) Diagnosis d = {};

        ck_assert_int_eq(attr_diagnose_open(&d, error, "the-event", &a, cpu, tid), error);
        ck_assert_msg(strstr(d.sentence, says) != NULL, "%d: %s", error, d.sentence);
        ck_assert_msg(d.sentence[strlen(d.sentence) - 1] != '.', "%s", d.sentence);
}

START_TEST(test_open) {
        struct perf_event_attr clock = { .type = PERF_TYPE_SOFTWARE }, cycles = { .type = PERF_TYPE_HARDWARE },
                               precise = { .type = PERF_TYPE_HARDWARE, .precise_ip = 2 }, breakpoint = { .type = PERF_TYPE_BREAKPOINT },
                               chains = { .sample_type = PERF_SAMPLE_CALLCHAIN }, pmu = { .type = 20 },
                               lbr = { .sample_type = PERF_SAMPLE_BRANCH_STACK,
                                       .branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK },
                               branches = { .sample_type = PERF_SAMPLE_BRANCH_STACK, .branch_sample_type = PERF_SAMPLE_BRANCH_ANY },
                               on_cpu = { .type = 20, .sample_type = PERF_SAMPLE_CPU };

        assert_says(-ENOENT, cycles, 0, -1, "the-event event is not supported: this machine");
        assert_says(-ENOENT, clock, 0, -1, "not supported by this kernel");
        assert_says(-EACCES, clock, 0, -1, "No permission to open the the-event");
        assert_says(-EPERM, clock, -1, 5, "CAP_PERFMON");
        assert_says(-EMFILE, clock, 0, -1, "LimitNOFILE=");
        assert_says(-ENOMEM, clock, 0, -1, "Not enough memory");
        assert_says(-ENOMEM, chains, 0, -1, "perf_event_max_stack");
        assert_says(-ENODEV, cycles, 7, -1, "CPU 7");
        assert_says(-ENODEV, cycles, -1, 5, "not supported");
        assert_says(-ENOSPC, breakpoint, 0, -1, "hardware breakpoints in use");
        assert_says(-ESRCH, clock, 0, 4242, "4242");
        assert_says(-EOPNOTSUPP, precise, 0, -1, "modifier p");
        assert_says(-EOPNOTSUPP, cycles, 0, -1, "no interrupt");
        assert_says(-EOPNOTSUPP, pmu, 0, -1, "counted but not sampled");
        assert_says(-EOPNOTSUPP, lbr, 0, -1, "--call-graph fp or --call-graph dwarf");
        assert_says(-EINVAL, lbr, 0, -1, "(LBR)");
        assert_says(-EOPNOTSUPP, branches, 0, -1, "Branch stacks (-b, -j)");
        assert_says(-EOVERFLOW, chains, 0, -1, "kernel.perf_event_max_stack allows");
        assert_says(-EBUSY, cycles, 0, -1, "exclusively");
        assert_says(-EINVAL, breakpoint, 0, -1, "breakpoint");
        assert_says(-EINVAL, pmu, 0, 5, "(-a)");
        assert_says(-EINVAL, on_cpu, 0, -1, "its PMU only counts");
        on_cpu.type = PERF_TYPE_RAW;
        assert_says(-EINVAL, on_cpu, 0, -1, "does not take");
        assert_says(-ENOSYS, clock, 0, -1, "a seccomp filter");
        assert_says(-EIO, clock, 0, -1, strerror(EIO));
}
END_TEST

/* The kernel shows data of tracepoints to those who may see everything, but for system calls of one's own processes. */
START_TEST(test_tracepoints) {
        struct perf_event_attr a = { .type = PERF_TYPE_TRACEPOINT, .sample_type = PERF_SAMPLE_RAW };
        static const struct {
                const char *name;
                int cpu;
                pid_t tid;
                const char *says;
        } cases[] = {
                { "sched:sched_switch", -1, 5, "recording tracepoints with their data needs -1 or less" },
                { "raw_syscalls:sys_enter", 0, -1, "recording tracepoints with their data needs -1 or less" },
                { "raw_syscalls:sys_enter", -1, 5, "recording the kernel needs 1 or less" },
                { "syscalls:sys_enter_openat", -1, 5, "recording the kernel needs 1 or less" },
        };

        if (sysctl_read("kernel/perf_event_paranoid", 2) < 2)
                return; /* nothing of this is refused then */
        if (geteuid() == 0 && setresuid(65534, 65534, 65534) < 0)
                return;
        if (privilege_have_perfmon())
                return;
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_(diagnosis_done) Diagnosis d = {};

                ck_assert_int_eq(attr_diagnose_open(&d, -EACCES, cases[i].name, &a, cases[i].cpu, cases[i].tid), -EACCES);
                ck_assert_msg(strstr(d.sentence, cases[i].says) != NULL, "%s: %s", cases[i].name, d.sentence);
        }
}
END_TEST

/* A process may have any name. */
START_TEST(test_refused_process) {
        struct perf_event_attr user = { .type = PERF_TYPE_SOFTWARE, .exclude_kernel = 1 };
        char named[128];

        if (sysctl_read("kernel/perf_event_paranoid", 2) > 2)
                return; /* the setting is the reason then */
        if (geteuid() == 0 && setresuid(65534, 65534, 65534) < 0)
                return;
        ck_assert_int_eq(prctl(PR_SET_NAME, "a\033[1m\nb"), 0);
        (void) snprintf(named, sizeof(named), "the-event event for process %d (a?[1m b): it is another user's or",
                        (int) getpid());
        assert_says(-EACCES, user, -1, getpid(), named);
        assert_says(-EACCES, user, -1, INT_MAX, "for process 2147483647: it is");
        assert_says(-EACCES, user, -1, -1, "the-event event: a security module");
}
END_TEST

/* Neither the setting nor a capability is the reason. */
START_TEST(test_filtered) {
        struct perf_event_attr clock = { .type = PERF_TYPE_SOFTWARE };
        static const int errors[] = { EPERM, EACCES, ENOSYS };

        if (privilege_have_perfmon())
                assert_says(-EACCES, clock, 0, -1, "although this process has CAP_PERFMON: a security module");
        for (size_t i = 0; i < ELEMENTSOF(errors); i++) { /* the last filter's error counts */
                if (refuse_call(SYS_perf_event_open, errors[i]) < 0)
                        return;
                assert_says(-errors[i], clock, 0, -1, "a seccomp filter, as that of a container or a service, refuses");
                assert_says(-errors[i], clock, -1, getpid(), "SystemCallFilter=perf_event_open");
        }
}
END_TEST

/* The kernel wants a capability for them. */
START_TEST(test_namespaces) {
        struct perf_event_attr user = { .type = PERF_TYPE_SOFTWARE, .exclude_kernel = 1, .namespaces = 1 };

        if (geteuid() == 0 && setresuid(65534, 65534, 65534) < 0)
                return;
        if (privilege_have_perfmon())
                return;
        assert_says(-EACCES, user, -1, getpid(), "namespaces of processes (--namespaces) with the the-event event: root or CAP_PERFMON");
        user.exclude_kernel = 0;
        assert_says(-EACCES, user, 0, -1, "whatever kernel.perf_event_paranoid is");
}
END_TEST

START_TEST(test_mmap) {
        static const struct {
                int error;
                const char *says;
        } cases[] = { { -EPERM, "perf_event_mlock_kb" }, { -ENOMEM, "(-m)" }, { -EINVAL, "128 pages" } };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_(diagnosis_done) Diagnosis d = {};

                ck_assert_int_eq(attr_diagnose_mmap(&d, cases[i].error, 128), cases[i].error);
                ck_assert_ptr_nonnull(strstr(d.sentence, cases[i].says));
        }
        ck_assert_int_eq(attr_diagnose_mmap(NULL, -EPERM, 1), -EPERM);
}
END_TEST

CHECK_MAIN("attr-diagnose", test_open, test_tracepoints, test_refused_process, test_filtered, test_namespaces, test_mmap);
