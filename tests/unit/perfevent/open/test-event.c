/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* One event, with a made-up kernel and with the real one. */

#include <poll.h>
#include "check-main.h"
#include "fake-kernel.h"
#include "record-counts.h"
#include "ring.h"
#include "skip.h"

static FakeKernel kernel;

static int refuse_all(FakeKernel *k, const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd) {
        return -EBUSY;
}

START_TEST(test_fake) {
        const EventOps *ops = fake_ops(&kernel);
        struct perf_event_attr attr = { .read_format = PERF_FORMAT_ID };
        _cleanup_(event_done) Event a = EVENT_EMPTY, b = EVENT_EMPTY;
        _cleanup_(diagnosis_done) Diagnosis d = {};

        ck_assert_int_eq(event_open(&a, ops, &attr, 7, 1, -1, 0), 0);
        ck_assert(a.fd >= 0 && a.id == 1000 && a.cpu == 1 && a.tid == 7);
        attr.read_format = 0;
        ck_assert_int_eq(event_open(&b, ops, &attr, 9, 0, a.fd, PERF_FLAG_PID_CGROUP), 0);
        ck_assert(b.id == 0 && b.tid == -1 && kernel.events[1].group_fd == a.fd);

        ck_assert_int_eq(event_set_output(&b, ops, &a), 0);
        ck_assert_int_eq(kernel.events[1].output_fd, a.fd);
        ck_assert_int_eq(event_enable(&a, ops, true), 0);
        ck_assert_int_eq(kernel.events[0].enabled, 1);
        ck_assert_int_eq(event_pause_output(&a, ops, true), 0);
        ck_assert(kernel.events[0].paused);
        ck_assert_int_eq(event_set_filter(&a, ops, "x == 1", "a", &d), 0);
        kernel.filter_error = -EINVAL;
        ck_assert_int_eq(event_set_filter(&a, ops, "y == 1", "a", &d), -EINVAL);
        ck_assert_ptr_nonnull(strstr(d.sentence, "\"y == 1\" for a"));
}
END_TEST

START_TEST(test_refused) {
        const EventOps *ops = fake_ops(&kernel);
        struct perf_event_attr attr = {};
        Event e = EVENT_EMPTY;

        kernel.refuse = refuse_all;
        ck_assert_int_eq(event_open(&e, ops, &attr, -1, 0, -1, 0), -EBUSY);
        ck_assert_int_eq(e.fd, -EBADF);
        event_done(&e);
}
END_TEST

/* The real kernel samples a clock of this process into a ring. */
START_TEST(test_kernel) {
        struct perf_event_attr attr = {
                .type = PERF_TYPE_SOFTWARE, .size = sizeof(attr), .config = PERF_COUNT_SW_CPU_CLOCK, .sample_period = 100000,
                .sample_type = PERF_SAMPLE_IP, .read_format = PERF_FORMAT_ID, .disabled = true, .exclude_kernel = true,
                .exclude_hv = true, .wakeup_events = 1,
        };
        _cleanup_(event_done) Event e = EVENT_EMPTY;
        _cleanup_(ring_done) Ring ring = RING_EMPTY;
        RecordCounts counts = {};
        struct iovec v[2];
        unsigned n;
        int r;

        r = event_open(&e, &event_ops_kernel, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
        if (r < 0)
                SKIP("events are not allowed here: %s", strerror(-r));
        ck_assert_uint_gt(e.id, 0);
        ck_assert_int_eq(ring_map(&ring, e.fd, 8, false), 0);
        ck_assert_uint_eq(ring.size, 8 * (size_t) sysconf(_SC_PAGESIZE));
        ck_assert_int_eq(event_enable(&e, &event_ops_kernel, true), 0);
        for (struct pollfd p = { .fd = e.fd, .events = POLLIN }; poll(&p, 1, 0) == 0;)
                ; /* sampled time */
        ck_assert_int_eq(event_enable(&e, &event_ops_kernel, false), 0);
        ck_assert_uint_gt(ring_read_begin(&ring, v, &n), 0);
        record_counts_add_segments(&counts, v, n);
        ck_assert_uint_ge(counts.samples, 1);
}
END_TEST

START_TEST(test_kernel_refuses) {
        struct perf_event_attr attr = { .type = UINT32_MAX, .size = sizeof(attr) };
        Event e = EVENT_EMPTY;

        ck_assert_int_lt(event_open(&e, &event_ops_kernel, &attr, 0, -1, -1, 0), 0);
        ck_assert_int_eq(event_enable(&e, &event_ops_kernel, true), -EBADF);
}
END_TEST

CHECK_MAIN("event", test_fake, test_refused, test_kernel, test_kernel_refuses);
