/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Fallbacks for errors of the kernel: each error that has one, and that nothing stays open otherwise. */

#include <sys/resource.h>
#include "check-main.h"
#include "made-set.h"
#include "sysctl.h"

START_TEST(test_cycles) {
        made.kernel.refuse = fake_no_counters;
        made.target.all_cpus = true;
        make_specs("cycles:k,cs");
        ck_assert_int_eq(make_set(), 0);
        ck_assert_str_eq(made.set->members[0].name, "cpu-clock:k");
        ck_assert_uint_eq(made.set->members[0].attr.type, PERF_TYPE_SOFTWARE);
        ck_assert_uint_eq(strv_length(made.set->notes), 1);
        ck_assert_ptr_nonnull(strstr(made.set->notes[0], "cycles:k"));
        ck_assert_ptr_nonnull(strstr(made.set->notes[0], "cpu-clock"));
        made_done();
        assert_all_closed();
}
END_TEST

static int no_counters_no_cpus(FakeKernel *k, const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd) {
        return fake_no_counters(k, attr, pid, cpu, group_fd) ?: -EACCES;
}

/* An error names the event that was asked for, not the one that it fell back to. */
static void assert_refused(const char *name) {
        made.kernel.refuse = no_counters_no_cpus;
        made.target.all_cpus = true;
        ck_assert_int_eq(make_set(), -EACCES);
        ck_assert_msg(strstr(made.d.sentence, name), "%s", made.d.sentence);
        made_done();
        assert_all_closed();
}

START_TEST(test_cycles_refused) {
        make_specs("cycles:u");
        assert_refused("No permission to open the cycles:u event");
}
END_TEST

START_TEST(test_default_refused) {
        ck_assert_int_eq(event_specs_add_default(&made.specs, NULL), 0);
        ck_assert_int_eq(event_specs_leave_out_kernel(&made.specs), 0);
        assert_refused("No permission to open the cycles event");
}
END_TEST

static int no_kernel(FakeKernel *k, const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd) {
        return attr->exclude_kernel ? 0 : -EACCES;
}

/* An event of a program goes on without the kernel; one of system calls would have nothing left. */
START_TEST(test_kernel_refused) {
        bool falls_back = sysctl_read("kernel/perf_event_paranoid", 2) >= 2;

        made.kernel.refuse = no_kernel;
        made.target.all_cpus = true;
        make_specs("cpu-clock");
        ck_assert_int_eq(make_set(), falls_back ? 0 : -EACCES);
        made_done();
        made.kernel.refuse = no_kernel;
        made.target.all_cpus = true;
        make_specs("syscalls:sys_enter_read");
        ck_assert_int_eq(make_set(), -EACCES);
        made_done();
        assert_all_closed();
}
END_TEST

/* The file has perf's name of the clock. */
START_TEST(test_default_falls_back) {
        made.kernel.refuse = fake_no_counters;
        made.target.all_cpus = true;
        ck_assert_int_eq(event_specs_add_default(&made.specs, NULL), 0);
        ck_assert_int_eq(event_specs_leave_out_kernel(&made.specs), 0);
        ck_assert_int_eq(make_set(), 0);
        ck_assert_str_eq(made.set->members[0].name, "cpu-clock:uhppp");
        ck_assert_str_eq(made.set->notes[0], "The cycles event is not supported here: falling back to cpu-clock");
        made_done();
}
END_TEST

START_TEST(test_other_counters) {
        made.kernel.refuse = fake_no_counters;
        made.target.all_cpus = true;
        make_specs("cs,instructions");
        ck_assert_int_eq(make_set(), -ENOENT);
        ck_assert_ptr_nonnull(strstr(made.d.sentence, "The instructions event is not supported"));
        made_done();
        assert_all_closed();
}
END_TEST

static int at_most_pp(FakeKernel *k, const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd) {
        return attr->precise_ip > 2 ? -EOPNOTSUPP : 0;
}

START_TEST(test_precision) {
        made.kernel.refuse = at_most_pp;
        made.target.all_cpus = true;
        ck_assert_int_eq(event_specs_add_default(&made.specs, NULL), 0);
        ck_assert_int_eq(make_set(), 0);
        ck_assert_uint_eq(made.set->members[0].attr.precise_ip, 2);
        ck_assert_ptr_null(made.set->notes);
        made_done();
}
END_TEST

START_TEST(test_precision_asked_for) {
        made.kernel.refuse = at_most_pp;
        made.target.all_cpus = true;
        make_specs("cycles:ppp");
        ck_assert_int_eq(make_set(), -EOPNOTSUPP);
        ck_assert_ptr_nonnull(strstr(made.d.sentence, "modifier p"));
        made_done();
}
END_TEST

/* Linux 5.10: neither lost counts nor build ids in records of maps. */
static int old_kernel(FakeKernel *k, const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd) {
        return attr->read_format & PERF_FORMAT_LOST || attr->build_id ? -EINVAL : 0;
}

START_TEST(test_features) {
        made.kernel.refuse = old_kernel;
        made.target.command = getpid();
        made.options.attr.build_ids = true;
        make_specs("cpu-clock,cs");
        ck_assert_int_eq(make_set(), 0);
        ck_assert(made.set->missing.read_lost && made.set->missing.build_id && !made.set->missing.exclude_guest);
        for (size_t i = 0; i < 2; i++)
                ck_assert_uint_eq(made.set->members[i].attr.read_format, PERF_FORMAT_ID);
        ck_assert(!made.set->members[0].attr.build_id && made.set->members[0].attr.mmap2);
        ck_assert_uint_eq(made.kernel.n_opens, 2 * online_cpus() + 2); /* tried once, then known */
        made_done();
}
END_TEST

static int thread_101_is_gone(FakeKernel *k, const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd) {
        return pid == 101 && attr->config == PERF_COUNT_SW_CONTEXT_SWITCHES ? -ESRCH : 0;
}

/* It exists for the first event, and has exited before the second. */
START_TEST(test_thread_gone) {
        make_process(2);
        made.kernel.refuse = thread_101_is_gone;
        make_specs("cpu-clock,cs,faults");
        ck_assert_int_eq(make_set(), 0);
        ck_assert_uint_eq(made.set->n_tids, 1);
        ck_assert_int_eq(made.set->tids[0], 100);
        ck_assert_uint_eq(made.set->n_events, 3 * online_cpus());
        for (size_t i = 0; i < made.set->n_events; i++)
                ck_assert_int_eq(made.set->events[i].tid, 100);
        made_done();
        assert_all_closed();
}
END_TEST

static int everybody_is_gone(FakeKernel *k, const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd) {
        return -ESRCH;
}

START_TEST(test_all_gone) {
        made.kernel.refuse = everybody_is_gone;
        ck_assert_int_eq(target_add_tids(&made.target, "100,101", NULL), 0);
        make_specs("cpu-clock");
        ck_assert_int_eq(make_set(), -ESRCH);
        ck_assert_ptr_nonnull(strstr(made.d.sentence, "no thread 101"));
        made_done();
}
END_TEST

/* Fails once, then never again. */
static int full_once(FakeKernel *k, const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd) {
        return k->n_opens == 2 ? -EMFILE : 0;
}

static int always_full(FakeKernel *k, const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd) {
        return k->n_opens >= 2 ? -EMFILE : 0;
}

START_TEST(test_descriptors) {
        made.kernel.refuse = full_once;
        made.target.all_cpus = true;
        make_specs("cpu-clock,cs");
        ck_assert_int_eq(make_set(), 0);
        made_done();
}
END_TEST

START_TEST(test_no_descriptors) {
        made.kernel.refuse = always_full;
        made.target.all_cpus = true;
        make_specs("cpu-clock,cs");
        ck_assert_int_eq(make_set(), -EMFILE);
        ck_assert_ptr_nonnull(strstr(made.d.sentence, "ulimit -n"));
        made_done();
        assert_all_closed();
}
END_TEST

static int no_members(FakeKernel *k, const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd) {
        return group_fd >= 0 && attr->config == PERF_COUNT_SW_PAGE_FAULTS ? -EINVAL : 0;
}

START_TEST(test_weak_group) {
        made.kernel.refuse = no_members;
        made.target.command = getpid();
        make_specs("{cpu-clock,cs,faults}:W");
        ck_assert_int_eq(make_set(), 0);
        for (size_t i = 0; i < 3; i++)
                ck_assert(made.set->members[i].leader && made.set->members[i].group == 0 && made.set->members[i].attr.disabled &&
                          made.set->members[i].attr.enable_on_exec);
        ck_assert_uint_eq(strv_length(made.set->notes), 1);
        ck_assert_uint_eq(made.set->n_events, 3 * online_cpus());
        made_done();
        assert_all_closed();
}
END_TEST

START_TEST(test_strong_group) {
        made.kernel.refuse = no_members;
        made.target.command = getpid();
        make_specs("{cpu-clock,cs,faults}");
        ck_assert_int_eq(make_set(), -EINVAL);
        made_done();
        assert_all_closed();
}
END_TEST

START_TEST(test_groups_open_together) {
        made.target.all_cpus = true;
        make_specs("{cpu-clock,cs},faults");
        ck_assert_int_eq(make_set(), 0);
        for (size_t i = 0; i < made.set->n_events; i++) {
                const FakeEvent *e = fake_find(&made.kernel, made.set->events[i].fd);

                if (made.set->events[i].member == 1)
                        ck_assert_int_eq(e->group_fd, made.set->events[i - 1].fd); /* its leader on the same CPU */
                else
                        ck_assert_int_eq(e->group_fd, -1);
        }
        made_done();
}
END_TEST

CHECK_MAIN("opening-places", test_cycles, test_cycles_refused, test_kernel_refused, test_default_refused, test_default_falls_back, test_other_counters,
           test_precision, test_precision_asked_for, test_features,
           test_thread_gone, test_all_gone, test_descriptors, test_no_descriptors, test_weak_group, test_strong_group,
           test_groups_open_together);
