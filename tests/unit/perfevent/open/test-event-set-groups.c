/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Sets that count the same events for several control groups, on the made-up kernel. */

#include "event-set-groups.h"

#include <sys/stat.h>
#include "check-main.h"
#include "made-set.h"

static char *groups[] = { (char *) "web-1.service", (char *) "gone.service", (char *) "a.slice/_web-2.service", NULL };

static void make_counting(const char *events, char *root) {
        scratch_write_text(root, "web-1.service/cgroup.procs", "");
        scratch_write_text(root, "a.slice/_web-2.service/cgroup.procs", "");
        made.options.cgroup_root = root;
        made.options.groups = groups;
        made.options.attr.counting = true;
        made.target.all_cpus = true;
        make_specs(events);
}

START_TEST(test_each) {
        static const char *const units[] = { "web-1.service", "gone.service", "web-2.service" };
        _cleanup_(scratch_done) char *root = scratch_new();
        size_t n_cpus = online_cpus();

        make_counting("cs,faults", root);
        ck_assert_msg(make_set() == 0, "%s", made.d.sentence);
        ck_assert_uint_eq(made.set->n_members, 6);
        ck_assert_uint_eq(made.set->n_events, 6 * n_cpus);
        ck_assert_uint_eq(made.kernel.n_events, 4 * n_cpus);
        for (size_t i = 0; i < 6; i++) {
                ck_assert_str_eq(event_set_unit(made.set, i), units[i / 2]);
                ck_assert_str_eq(made.set->members[i].name, i % 2 == 0 ? "cs" : "faults");
                ck_assert_int_eq(made.set->members[i].cgroup == 0, i / 2 == 1);
        }
        for (size_t i = 0; i < made.set->n_events; i++) {
                const Event *e = &made.set->events[i];

                ck_assert_uint_eq(e->member, i % 6);
                ck_assert_int_eq(e->cpu, made.set->cpus[i / 6]);
                ck_assert_int_eq(e->fd < 0, e->member / 2 == 1);
                if (e->fd >= 0)
                        ck_assert_uint_ne(fake_find(&made.kernel, e->fd)->flags & PERF_FLAG_PID_CGROUP, 0);
        }
        ck_assert_int_eq(event_set_enable(made.set, NULL, true), 0);
        ck_assert(event_set_is_enabled(made.set));
        made_done();
        assert_all_closed();
}
END_TEST

/* A group of events is read together, and is another one for each unit. */
START_TEST(test_groups) {
        _cleanup_(scratch_done) char *root = scratch_new();

        make_counting("{cs,faults},cpu-clock,{cs,cpu-clock}", root);
        ck_assert_msg(make_set() == 0, "%s", made.d.sentence);
        ck_assert_uint_eq(made.set->n_members, 15);
        for (size_t i = 0; i < 15; i++)
                for (size_t k = 0; k < i; k++)
                        if (made.set->members[i].group > 0 && made.set->members[i].group == made.set->members[k].group)
                                ck_assert_str_eq(event_set_unit(made.set, i), event_set_unit(made.set, k));
        ck_assert_uint_eq(made.set->members[0].group, made.set->members[1].group);
        ck_assert_uint_ne(made.set->members[0].group, made.set->members[3].group);
        ck_assert_uint_ne(made.set->members[0].group, 0);
        ck_assert_uint_eq(made.set->members[12].group, 0);
        made_done();
}
END_TEST

START_TEST(test_too_many) {
        char *many[EVENT_SPECS_MAX / 2 + 2] = {};

        for (size_t i = 0; i + 1 < ELEMENTSOF(many); i++)
                many[i] = groups[0];
        made.options.groups = many;
        made.options.attr.counting = made.target.all_cpus = true;
        make_specs("cs,faults");
        ck_assert_int_eq(make_set(), -E2BIG);
        ck_assert_ptr_null(made.set);
        made_done();
}
END_TEST

START_TEST(test_without) {
        made.target.all_cpus = true;
        make_specs("cs");
        ck_assert_int_eq(make_set(), 0);
        ck_assert_ptr_null(event_set_unit(made.set, 0));
        made_done();
}
END_TEST

CHECK_MAIN("event-set-groups", test_each, test_groups, test_too_many, test_without);
