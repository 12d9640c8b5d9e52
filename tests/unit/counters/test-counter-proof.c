/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The kernel of most of these tests is made up: each CPU has so many counters, and each event is an empty file. */

#include <fcntl.h>
#include <linux/perf_event.h>

#include "check-main.h"
#include "counter-proof.h"
#include "fd-file.h"
#include "parse-number.h"
#include "skip.h"

#define N 4u /* counters of each CPU */
#define EVENTS_MAX 1024u

typedef struct FakeEvent {
        int fd, leader_fd;
        int cpu;
} FakeEvent;

typedef struct FakeKernel {
        unsigned n_lacking; /* counters that the last CPU has fewer */
        unsigned pmu_size;  /* a larger group is invalid; 0: no group is */
        int full;           /* the error of an event for which there is no counter; 0: its group is in error then */
        int refused;        /* the error of every event */
        bool no_branches;
        bool slow;          /* no event runs all the time */
        FakeEvent events[EVENTS_MAX];
        size_t n, n_most;
        int last_cpu;
} FakeKernel;

static FakeKernel kernel;

static bool is_open(int fd) {
        return fcntl(fd, F_GETFD) >= 0;
}

/* Forgets the events that were closed, and counts those of a group, or with leader_fd -1 those of the CPU. */
static unsigned count_open(int cpu, int leader_fd) {
        unsigned n = 0;
        size_t kept = 0;

        for (size_t i = 0; i < kernel.n; i++)
                if (is_open(kernel.events[i].fd))
                        kernel.events[kept++] = kernel.events[i];
        kernel.n = kept;
        for (size_t i = 0; i < kernel.n; i++)
                n += leader_fd >= 0 ? kernel.events[i].leader_fd == leader_fd : kernel.events[i].cpu == cpu;
        return n;
}

static unsigned counters_of(int cpu) {
        return cpu == kernel.last_cpu ? N - kernel.n_lacking : N;
}

static int fake_open(void *userdata, struct perf_event_attr *attr, int cpu, int group_fd) {
        unsigned n_open = count_open(cpu, -1);
        int fd;

        ck_assert_ptr_eq(userdata, &kernel);
        ck_assert_int_eq(attr->pinned, group_fd < 0); /* the kernel refuses it of members */
        ck_assert_int_eq(attr->disabled, 0);
        if (kernel.refused)
                return kernel.refused;
        if (kernel.no_branches && attr->config == PERF_COUNT_HW_BRANCH_INSTRUCTIONS)
                return -ENOENT;
        if (kernel.full && n_open == counters_of(cpu))
                return kernel.full;
        if (kernel.pmu_size > 0 && group_fd >= 0 && count_open(cpu, group_fd) == kernel.pmu_size)
                return -EINVAL;
        fd = open_memfd("event", 0);
        ck_assert_int_ge(fd, 0);
        ck_assert_uint_lt(kernel.n, EVENTS_MAX);
        kernel.events[kernel.n++] = (FakeEvent) { .fd = fd, .leader_fd = group_fd < 0 ? fd : group_fd, .cpu = cpu };
        kernel.n_most = MAX_OF(kernel.n_most, kernel.n);
        return fd;
}

static ssize_t fake_read(void *userdata, int fd, void *buf, size_t size) {
        uint64_t reading[] = { 17, 1000, kernel.slow ? 999 : 1000 };

        ck_assert_uint_eq(size, sizeof(reading));
        for (size_t i = 0; i < kernel.n; i++)
                if (kernel.events[i].fd == fd && count_open(kernel.events[i].cpu, -1) > counters_of(kernel.events[i].cpu))
                        return 0;
        memcpy(buf, reading, size);
        return sizeof(reading);
}

static const CounterProofOps ops = { .open = fake_open, .read = fake_read, .userdata = &kernel };

static size_t n_cpus;

static void setup(void) {
        _cleanup_free_ char *list = NULL;
        _cleanup_free_ int *cpus = NULL;

        ck_assert_int_eq(read_file("/sys/devices/system/cpu/online", 4096, &list, NULL), 0);
        ck_assert_int_eq(parse_cpu_list(list, &cpus, &n_cpus), 0);
        kernel = (FakeKernel) { .last_cpu = cpus[n_cpus - 1] };
}

static void expect(CounterKind kind, unsigned n, int result, unsigned n_free) {
        CounterProof proof = { .cpu = -1 };

        ck_assert_int_eq(counter_proof_run(kind, n, &ops, &proof), result);
        ck_assert_uint_eq(count_open(kernel.last_cpu, -1), 0);
        ck_assert_uint_eq(kernel.n, 0);
        ck_assert_int_eq(proof.cpu, result == -EBUSY ? kernel.last_cpu : -1);
        ck_assert_uint_eq(proof.n_free, n_free);
}

START_TEST(test_free) {
        expect(COUNTER_HARDWARE, N, 0, 0);
        ck_assert_uint_eq(kernel.n_most, N * n_cpus);
        expect(COUNTER_BREAKPOINT, 1, 0, 0);
        kernel.full = -ENOSPC;
        expect(COUNTER_BREAKPOINT, N, 0, 0);
        kernel.no_branches = true;
        expect(COUNTER_HARDWARE, 2, 0, 0);
}
END_TEST

/* A pinned group that has no room is in error. */
START_TEST(test_group_in_error) {
        kernel.n_lacking = 1;
        expect(COUNTER_HARDWARE, N, -EBUSY, N - 1);
        expect(COUNTER_HARDWARE, N - 1, 0, 0);
        kernel.n_lacking = N;
        expect(COUNTER_HARDWARE, 1, -EBUSY, 0);
        expect(COUNTER_HARDWARE, N, -EBUSY, 0);
}
END_TEST

/* An event for which there is no register is refused. */
START_TEST(test_refused_when_full) {
        kernel.n_lacking = 2;
        kernel.full = -ENOSPC;
        expect(COUNTER_BREAKPOINT, 3, -EBUSY, 2);
        expect(COUNTER_BREAKPOINT, 2, 0, 0);
        kernel.n_lacking = N;
        expect(COUNTER_BREAKPOINT, 1, -EBUSY, 0);
}
END_TEST

/* A third event makes a group that the PMU can never place, and of a group of two only one has room on the last CPU. */
START_TEST(test_larger_than_pmu) {
        CounterProof proof = {};

        kernel.pmu_size = 2;
        ck_assert_int_eq(counter_proof_run(COUNTER_HARDWARE, 3, &ops, &proof), -EBUSY);
        ck_assert_uint_eq(proof.n_free, 2);
        expect(COUNTER_HARDWARE, 2, 0, 0);
        kernel.n_lacking = N - 1;
        expect(COUNTER_HARDWARE, 2, -EBUSY, 1);
}
END_TEST

/* It had to take turns. */
START_TEST(test_shared) {
        CounterProof proof = {};

        kernel.slow = true;
        ck_assert_int_eq(counter_proof_run(COUNTER_HARDWARE, 1, &ops, &proof), -EBUSY);
        ck_assert_uint_eq(proof.n_free, 0);
}
END_TEST

START_TEST(test_errors) {
        kernel.refused = -ENOENT;
        expect(COUNTER_HARDWARE, 1, -ENODEV, 0);
        kernel.refused = -EACCES;
        expect(COUNTER_HARDWARE, 1, -EACCES, 0);
        kernel.refused = -EINVAL;
        expect(COUNTER_BREAKPOINT, 1, -EINVAL, 0);
}
END_TEST

/* Other programs may use breakpoints of this machine at the same time. No CPU has as many as the second proof wants. */
START_TEST(test_breakpoints) {
        CounterProof proof;
        int r = counter_proof_run(COUNTER_BREAKPOINT, 1, NULL, &proof);

        if (r < 0 && r != -EBUSY)
                SKIP("breakpoints are not allowed here: %s", strerror(-r));
        ck_assert_int_eq(counter_proof_run(COUNTER_BREAKPOINT, COUNTER_CLAIM_MAX, NULL, &proof), -EBUSY);
        ck_assert_uint_lt(proof.n_free, COUNTER_CLAIM_MAX);
}
END_TEST

CHECK_MAIN_WITH("counter-proof", setup, NULL, test_free, test_group_in_error, test_refused_when_full, test_larger_than_pmu,
                test_shared, test_errors, test_breakpoints);
