/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The results of a trial with kernels that fail in several ways; it leaves nothing open. */

#include "check-main.h"
#include "event-check.h"
#include "made-set.h"

static int check(const char *text) {
        make_specs(text);
        return event_check(&made.specs.specs[0], fake_ops(&made.kernel), &made.d);
}

START_TEST(test_good) {
        ck_assert_int_eq(check("cs"), 0);
        ck_assert_uint_eq(made.kernel.n_opens, 1);
        ck_assert(made.kernel.events[0].attr.disabled && !made.kernel.events[0].attr.inherit);
        ck_assert(made.kernel.events[0].pid == 0 && made.kernel.events[0].cpu == -1);
        assert_all_closed();
        made_done();
}
END_TEST

START_TEST(test_absent) {
        made.kernel.refuse = fake_no_counters;
        ck_assert_int_eq(check("cycles"), -ENOENT);
        ck_assert_ptr_nonnull(strstr(made.d.sentence, "The cycles event is not supported"));
        made_done();
}
END_TEST

static int without_exclusion(FakeKernel *k, const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd) {
        return attr->exclude_guest || attr->read_format & PERF_FORMAT_LOST ? -EINVAL : 0;
}

START_TEST(test_features) {
        made.kernel.refuse = without_exclusion;
        ck_assert_int_eq(check("cs"), 0);
        made_done();
}
END_TEST

static int user_only(FakeKernel *k, const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd) {
        return attr->exclude_kernel ? 0 : -EACCES;
}

START_TEST(test_user_level) {
        made.kernel.refuse = user_only;
        ck_assert_int_eq(check("cs"), 0);
        made_done();
        ck_assert_int_eq(check("cs:k"), -EACCES);
        ck_assert_ptr_nonnull(strstr(made.d.sentence, "No permission"));
        made_done();
}
END_TEST

/* Fails like the PMUs outside of the CPU's cores. */
static int counts_on_cpu(FakeKernel *k, const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd) {
        return cpu < 0 || attr->sample_period > 0 ? -EINVAL : 0;
}

START_TEST(test_counted_only) {
        made.kernel.refuse = counts_on_cpu;
        ck_assert_int_eq(check("cs"), -EOPNOTSUPP);
        ck_assert_ptr_nonnull(strstr(made.d.sentence, "can be counted but not sampled"));
        assert_all_closed();
        made_done();
}
END_TEST

static int on_cpu(FakeKernel *k, const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd) {
        return cpu < 0 || pid >= 0 ? -EINVAL : 0;
}

START_TEST(test_on_cpu) {
        made.kernel.refuse = on_cpu;
        ck_assert_int_eq(check("cs"), 0);
        made_done();
}
END_TEST

static int never(FakeKernel *k, const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd) {
        return -EINVAL;
}

START_TEST(test_never) {
        made.kernel.refuse = never;
        ck_assert_int_eq(check("mem:0x1001/8"), -EINVAL);
        ck_assert_ptr_nonnull(strstr(made.d.sentence, "not a breakpoint"));
        made_done();
        ck_assert_int_eq(check("kprobe:vfs_read"), -EINVAL);
        ck_assert_ptr_nonnull(strstr(made.d.sentence, "blacklist"));
        made_done();
}
END_TEST

CHECK_MAIN("event-check", test_good, test_absent, test_features, test_user_level, test_counted_only, test_on_cpu, test_never);
