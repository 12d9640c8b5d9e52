/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The events of a set, their CPUs and threads, the event that carries the side band, and errors before anything is
 * opened. */

#include "check-main.h"
#include "made-set.h"
#include "scratch.h"

START_TEST(test_all_cpus) {
        const SetMember *m;

        made.target.all_cpus = true;
        made.target.command = 4242; /* runs, but is not recorded */
        make_specs("cpu-clock,cs");
        ck_assert_int_eq(make_set(), 0);
        ck_assert_uint_eq(made.set->n_members, 3);
        ck_assert_uint_eq(made.set->n_events, 3 * online_cpus());
        m = made.set->members;
        ck_assert(!m[0].tracking && !m[0].attr.mmap && m[0].attr.disabled && !m[0].attr.enable_on_exec && !m[0].enabled);
        ck_assert(m[2].tracking && m[2].only_sideband && m[2].immediate && m[2].enabled && !m[2].attr.disabled && m[2].attr.mmap2);
        ck_assert_str_eq(m[2].name, "dummy:HG");
        for (size_t i = 0; i < made.set->n_events; i++) {
                const Event *e = &made.set->events[i];

                ck_assert(e->tid == -1 && e->cpu == (int) (i / 3) && e->member == i % 3 && !e->watch_hangup);
        }
        ck_assert_ptr_null(made.set->notes);
        made_done();
        assert_all_closed();
}
END_TEST

/* No rings, no side band; what the machine does not have is left out, unless that is all. */
START_TEST(test_counting) {
        made.target.all_cpus = true;
        made.options.attr.counting = true;
        made.kernel.refuse = fake_no_counters;
        make_specs("cycles,cs");
        ck_assert_int_eq(make_set(), 0);
        ck_assert(event_set_counts(made.set));
        ck_assert_uint_eq(made.set->n_members, 2);
        ck_assert_uint_eq(made.set->n_events, online_cpus());
        for (size_t i = 0; i < made.set->n_events; i++) {
                ck_assert_uint_eq(made.set->events[i].member, 1);
                ck_assert_uint_eq(event_set_file_id(made.set, i), i + 1);
        }
        ck_assert_str_eq(made.set->notes[0], "The cycles event is not supported here: it is not counted");
        made_done();

        made.specs = (EventSpecs) {};
        made.target.all_cpus = true;
        make_specs("cycles,instructions");
        ck_assert_int_eq(make_set(), -ENOENT);
        ck_assert_str_eq(made.d.sentence, "None of the events is supported here");
        made_done();
}
END_TEST

START_TEST(test_zeros) {
        made.target.command = getpid();
        made.options.attr.weight = true;
        make_specs("cpu-clock,sched:sched_switch");
        ck_assert_int_eq(make_set(), 0);
        ck_assert_uint_eq(strv_length(made.set->notes), 1);
        ck_assert_ptr_nonnull(strstr(made.set->notes[0], "are zero in all samples"));
        made_done();

        made.specs = (EventSpecs) {};
        make_specs("cpu-clock,instructions");
        ck_assert_int_eq(make_set(), 0);
        ck_assert_ptr_null(made.set->notes);
        made_done();
}
END_TEST

/* A dummy that was asked for tracks, and no other is added. */
START_TEST(test_own_dummy) {
        made.target.all_cpus = true;
        make_specs("dummy,cs");
        ck_assert_int_eq(make_set(), 0);
        ck_assert_uint_eq(made.set->n_members, 2);
        ck_assert(made.set->members[0].tracking && made.set->members[0].immediate && !made.set->members[0].only_sideband);
        made_done();
}
END_TEST

START_TEST(test_command) {
        made.target.command = getpid();
        make_specs("cpu-clock,{cs,faults}");
        ck_assert_int_eq(make_set(), 0);
        ck_assert_uint_eq(made.set->n_members, 3);
        ck_assert(made.set->members[0].tracking && made.set->members[0].attr.enable_on_exec && made.set->members[0].enabled);
        ck_assert(made.set->members[0].attr.inherit);
        ck_assert(!made.set->members[2].attr.enable_on_exec && !made.set->members[2].attr.disabled); /* follows cs */
        ck_assert_uint_eq(made.set->n_events, 3 * online_cpus());
        ck_assert_int_eq(made.set->events[0].tid, getpid());
        made_done();
}
END_TEST

/* The other members of a probe's group are not inherited either; the first event that is inherited carries the side
 * band. */
START_TEST(test_probes) {
        made.target.command = getpid();
        make_specs("kprobe:vfs_read,{cs,kprobe:tcp_sendmsg},faults,cs");
        ck_assert_int_eq(make_set(), 0);
        ck_assert_uint_eq(made.set->n_members, 5);
        for (size_t i = 0; i < 5; i++) {
                ck_assert(made.set->members[i].attr.inherit == (i >= 3));
                ck_assert(made.set->members[i].tracking == (i == 3));
                ck_assert(made.set->members[i].attr.mmap2 == (i == 3));
        }
        ck_assert_uint_eq(strv_length(made.set->notes), 1);
        ck_assert_ptr_nonnull(strstr(made.set->notes[0], "(-a)"));
        ck_assert_str_eq((const char *) (uintptr_t) made.kernel.events[0].attr.config1, "vfs_read");
        made_done();
}
END_TEST

START_TEST(test_probes_on_cpus) {
        made.target.all_cpus = true;
        make_specs("kprobe:vfs_read%return,cs");
        ck_assert_int_eq(make_set(), 0);
        ck_assert(!made.set->members[0].attr.inherit && made.set->members[1].attr.inherit);
        ck_assert(made.set->members[2].only_sideband && made.set->members[2].tracking && made.set->members[2].attr.inherit);
        ck_assert_ptr_null(made.set->notes);
        made_done();
}
END_TEST

static int not_probed(FakeKernel *k, const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd) {
        return attr->type == 20 ? -EILSEQ : 0;
}

START_TEST(test_refused_probe) {
        made.kernel.refuse = not_probed;
        made.target.all_cpus = true;
        make_specs("cs,kprobe:vfs_read+1");
        ck_assert_int_eq(make_set(), -EILSEQ);
        ck_assert_ptr_nonnull(strstr(made.d.sentence, "begin of an instruction"));
        made_done();
        assert_all_closed();
}
END_TEST

START_TEST(test_threads) {
        size_t hangups = 0;

        make_process(2);
        make_specs("cpu-clock,cs");
        ck_assert_int_eq(make_set(), 0);
        ck_assert_uint_eq(made.set->n_events, 2 * 2 * online_cpus());
        ck_assert_uint_eq(made.set->n_tids, 2);
        for (size_t i = 0; i < made.set->n_events; i++)
                hangups += made.set->events[i].watch_hangup;
        ck_assert_uint_eq(hangups, 2); /* one a thread */
        ck_assert(made.set->members[0].attr.inherit);
        made_done();
}
END_TEST

/* -t and --per-thread do not follow children. */
START_TEST(test_no_inherit) {
        _cleanup_free_ char *self = NULL;

        ck_assert_int_gt(asprintf(&self, "%d", getpid()), 0);
        ck_assert_int_eq(target_add_tids(&made.target, self, NULL), 0);
        made.target.per_thread = true;
        make_specs("cpu-clock");
        ck_assert_int_eq(make_set(), 0);
        ck_assert_uint_eq(made.set->n_events, 1);
        ck_assert(made.set->events[0].cpu == -1 && !made.set->members[0].attr.inherit);
        ck_assert(!(made.set->members[0].attr.sample_type & PERF_SAMPLE_TIME));
        made_done();
}
END_TEST

/* The side band of an overwrite set has rings of its own, also if no CPUs are recorded. */
START_TEST(test_sideband_apart) {
        made.target.command = getpid();
        made.options.attr.overwrite = true;
        made.options.sideband_pages = 2;
        make_specs("cpu-clock");
        ck_assert_int_eq(make_set(), 0);
        ck_assert_uint_eq(made.set->n_members, 2);
        ck_assert(made.set->members[0].attr.write_backward && !made.set->members[0].tracking);
        ck_assert(!made.set->members[1].attr.write_backward && made.set->members[1].tracking);
        ck_assert(made.set->members[1].attr.enable_on_exec && !made.set->members[1].immediate);
        ck_assert_uint_eq(made.set->n_rings, 2 * online_cpus());
        made_done();
}
END_TEST

/* A process may begin on another CPU than those that are recorded: the side band is that of all. */
START_TEST(test_listed_cpus) {
        size_t n = 0;

        ck_assert_int_eq(target_set_cpus(&made.target, "0", NULL), 0);
        make_specs("cpu-clock,cs");
        ck_assert_int_eq(make_set(), 0);
        ck_assert_uint_eq(made.set->n_cpus, 1);
        ck_assert_uint_eq(made.set->n_events, 2 + online_cpus());
        for (size_t i = 0; i < made.set->n_events; i++) {
                const Event *e = &made.set->events[i];

                ck_assert(e->cpu == 0 || made.set->members[e->member].only_sideband);
                n += e->cpu != 0;
        }
        ck_assert_uint_eq(n, online_cpus() - 1);
        made_done();

        /* without the side band, and with threads, there is nothing to be had elsewhere */
        made.target = (Target) TARGET_EMPTY;
        made.options.no_sideband = true;
        ck_assert_int_eq(target_set_cpus(&made.target, "0", NULL), 0);
        make_specs("cpu-clock");
        ck_assert_int_eq(make_set(), 0);
        ck_assert_uint_eq(made.set->n_events, 1);
        made_done();
        made.target = (Target) TARGET_EMPTY;
        made.options.no_sideband = false;
        make_process(1);
        ck_assert_int_eq(target_set_cpus(&made.target, "0", NULL), 0);
        make_specs("cpu-clock");
        ck_assert_int_eq(make_set(), 0);
        ck_assert_uint_eq(made.set->n_events, 2);
        made_done();
        assert_all_closed();
}
END_TEST

START_TEST(test_pmu_cpus) {
        made.target.all_cpus = true;
        make_specs("uncore_imc_0/event=1/");
        made.specs.specs[0].n_cpus = 1; /* CPU 0 of the cpumask, which every machine has */
        ck_assert_int_eq(make_set(), 0);
        ck_assert_uint_eq(made.set->n_events, 1 + online_cpus());
        ck_assert_int_eq(made.set->events[0].cpu, 0);
        made_done();
}
END_TEST

START_TEST(test_pmu_on_no_cpu) {
        made.target.all_cpus = true;
        make_specs("uncore_imc_0/event=1/");
        made.specs.specs[0].cpus[0] = made.specs.specs[0].cpus[1] = 8000;
        ck_assert_int_eq(make_set(), -ENODEV);
        ck_assert_uint_eq(made.kernel.n_opens, 0);
        made_done();
}
END_TEST

START_TEST(test_cgroup) {
        _cleanup_(scratch_done) char *root = scratch_new();
        _cleanup_free_ char *path = NULL;
        struct stat st;

        scratch_write_text(root, "system.slice/x", "");
        made.options.cgroup_root = root;
        made.target.all_cpus = true;
        make_specs("cpu-clock");
        ck_assert_int_eq(event_specs_set_cgroups(&made.specs, "/system.slice", NULL), 0);
        ck_assert_int_eq(make_set(), 0);
        ck_assert_int_gt(asprintf(&path, "%s/system.slice", root), 0);
        ck_assert_int_eq(stat(path, &st), 0);
        ck_assert_uint_eq(made.set->members[0].cgroup, st.st_ino);
        ck_assert_uint_eq(made.set->members[1].cgroup, 0);
        ck_assert(made.kernel.events[0].flags & PERF_FLAG_PID_CGROUP);
        ck_assert_int_ge(made.kernel.events[0].pid, 0);
        if (fcntl(made.kernel.events[0].pid, F_GETFD) >= 0) /* the group's descriptor is not kept: an event has its
                                                             * number now */
                ck_assert_ptr_nonnull(fake_find(&made.kernel, made.kernel.events[0].pid));
        ck_assert_uint_eq(made.kernel.events[online_cpus()].flags, PERF_FLAG_FD_CLOEXEC); /* the side band is of all
                                                                                           * groups */
        made_done();
}
END_TEST

static void assert_switches(const bool *expected, size_t n) {
        ck_assert_int_eq(make_set(), 0);
        ck_assert_uint_eq(made.set->n_members, n);
        for (size_t i = 0; i < n; i++)
                ck_assert_msg(made.set->members[i].attr.context_switch == expected[i], "member %zu", i);
        made_done();
        made.specs = (EventSpecs) {};
}

/* A flight recorder has context switches in the samples' rings: once for each control group and each set of CPUs. */
START_TEST(test_switches) {
        _cleanup_(scratch_done) char *root = scratch_new();

        scratch_write_text(root, "a/x", "");
        scratch_write_text(root, "b/x", "");
        made.options.cgroup_root = root;
        made.target.all_cpus = true;
        made.options.attr.switches = true;
        make_specs("cpu-clock,cs");
        assert_switches((const bool[]) { false, false, true }, 3); /* as perf */

        made.options.attr.overwrite = true;
        made.options.sideband_pages = 1;
        made.target.all_cpus = true;
        make_specs("cpu-clock,cs");
        assert_switches((const bool[]) { true, false, false }, 3);
        made.target.all_cpus = true;
        make_specs("cpu-clock,cs,faults");
        ck_assert_int_eq(event_specs_set_cgroups(&made.specs, "a,a,b", NULL), 0);
        assert_switches((const bool[]) { true, false, true, false }, 4);
        made.target.all_cpus = true;
        make_specs("uncore_imc_0/event=1/,cs");
        made.specs.specs[0].n_cpus = 1;
        assert_switches((const bool[]) { false, true, false }, 3);
        made.target.command = getpid();
        make_specs("kprobe:vfs_read,cs"); /* the first one is not inherited */
        assert_switches((const bool[]) { false, true, false }, 3);
}
END_TEST

static void assert_refused(int error, const char *says) {
        ck_assert_int_eq(make_set(), error);
        ck_assert_msg(strstr(made.d.sentence, says) != NULL, "%s", made.d.sentence);
        ck_assert_uint_eq(made.kernel.n_opens, 0);
        ck_assert_ptr_null(made.set);
        made_done();
}

START_TEST(test_refused_cgroup) {
        made.target.all_cpus = true;
        make_specs("cpu-clock");
        ck_assert_int_eq(event_specs_set_cgroups(&made.specs, "no/such/group", NULL), 0);
        assert_refused(-ESRCH, "no/such/group");
}
END_TEST

/* The group is checked before anything is opened, also if it is the last event's. */
START_TEST(test_refused_second_cgroup) {
        _cleanup_(scratch_done) char *root = scratch_new();

        scratch_write_text(root, "here/x", "");
        made.options.cgroup_root = root;
        made.target.all_cpus = true;
        make_specs("cpu-clock,cs");
        ck_assert_int_eq(event_specs_set_cgroups(&made.specs, "here,gone", NULL), 0);
        assert_refused(-ESRCH, "gone");
}
END_TEST

START_TEST(test_delayed_command) {
        made.target.command = getpid();
        made.options.delayed = true;
        make_specs("cpu-clock");
        ck_assert_int_eq(make_set(), 0);
        ck_assert_uint_eq(made.set->n_members, 2);
        ck_assert(made.set->members[0].attr.disabled && !made.set->members[0].attr.enable_on_exec);
        ck_assert(!made.set->members[0].tracking && !made.set->members[0].attr.mmap);
        ck_assert(made.set->members[1].attr.disabled && made.set->members[1].attr.enable_on_exec);
        ck_assert(made.set->members[1].attr.mmap);
        ck_assert(!event_set_is_enabled(made.set));
        made_done();
}
END_TEST

START_TEST(test_delayed_cpus) {
        made.target.all_cpus = true;
        made.options.delayed = true;
        make_specs("cpu-clock");
        ck_assert_int_eq(make_set(), 0);
        ck_assert_uint_eq(made.set->n_members, 2);
        ck_assert(!made.set->members[1].attr.disabled && !made.set->members[1].attr.enable_on_exec);
        made_done();
}
END_TEST

/* The side band shows what a process maps before its other events are enabled. */
START_TEST(test_delayed_threads) {
        ck_assert_int_ge(target_add_pids(&made.target, "1", NULL), 0);
        made.options.delayed = true;
        make_specs("cpu-clock");
        ck_assert_int_eq(make_set(), 0);
        ck_assert_int_eq(event_set_enable_tracking(made.set), 0);
        for (size_t i = 0; i < made.set->n_events; i++)
                ck_assert_int_eq(fake_find(&made.kernel, made.set->events[i].fd)->enabled, made.set->events[i].member == 1);
        made_done();
}
END_TEST

START_TEST(test_refused_cgroup_of_process) {
        made.target.command = getpid();
        make_specs("cpu-clock");
        ck_assert_int_eq(event_specs_set_cgroups(&made.specs, "x", NULL), 0);
        assert_refused(-EINVAL, "(-a)");
}
END_TEST

START_TEST(test_refused_memory) {
        made.target.all_cpus = true;
        made.options.pages = 1U << 31;
        make_specs("cpu-clock");
        assert_refused(-E2BIG, "(-m)");
}
END_TEST

/* The daemon's limit includes the side band's rings. */
START_TEST(test_refused_locked_memory) {
        uint64_t page = (uint64_t) sysconf(_SC_PAGESIZE), left = online_cpus() * 5 * page - 1;

        made.target.all_cpus = true;
        made.options.pages = 4;
        made.options.sideband_pages = 1;
        made.options.locked_left = &left;
        make_specs("cpu-clock");
        assert_refused(-ENOBUFS, "MaxLockedMemory= leaves");
        left++;
        made.target.all_cpus = true;
        made.options.pages = 4;
        made.options.sideband_pages = 1;
        made.options.locked_left = &left;
        make_specs("cpu-clock");
        ck_assert_int_eq(make_set(), 0);
        made_done();
}
END_TEST

START_TEST(test_refused_cpu) {
        ck_assert_int_eq(target_set_cpus(&made.target, "8191", NULL), 0);
        make_specs("cpu-clock");
        assert_refused(-ENODEV, "8191");
}
END_TEST

START_TEST(test_refused_nothing) {
        made.target.all_cpus = true;
        assert_refused(-EINVAL, "no event");
}
END_TEST

START_TEST(test_filters) {
        made.target.all_cpus = true;
        make_specs("cs,sched:sched_switch");
        made.specs.last_begin = 1;
        ck_assert_int_eq(event_specs_set_filter(&made.specs, "prev_pid == 1", NULL), 0);
        ck_assert_int_eq(make_set(), 0);
        for (size_t i = 0; i < made.set->n_events; i++) {
                const FakeEvent *e = fake_find(&made.kernel, made.set->events[i].fd);

                ck_assert((e->filter != NULL) == (e->attr.type == PERF_TYPE_TRACEPOINT));
        }
        made_done();
}
END_TEST

START_TEST(test_filter_refused) {
        made.target.all_cpus = true;
        made.kernel.filter_error = -EINVAL;
        make_specs("sched:sched_switch");
        ck_assert_int_eq(event_specs_set_filter(&made.specs, "nosuch == 1", NULL), 0);
        ck_assert_int_eq(make_set(), -EINVAL);
        ck_assert_ptr_nonnull(strstr(made.d.sentence, "nosuch == 1"));
        made_done();
        assert_all_closed();
}
END_TEST

CHECK_MAIN("opening", test_listed_cpus, test_all_cpus, test_counting, test_zeros, test_own_dummy, test_command, test_probes, test_probes_on_cpus,
           test_refused_probe, test_threads, test_no_inherit, test_sideband_apart, test_pmu_cpus,
           test_pmu_on_no_cpu, test_cgroup, test_switches, test_refused_cgroup, test_refused_second_cgroup, test_delayed_command,
           test_delayed_cpus, test_delayed_threads, test_refused_cgroup_of_process, test_refused_memory, test_refused_locked_memory,
           test_refused_cpu, test_refused_nothing, test_filters, test_filter_refused);
