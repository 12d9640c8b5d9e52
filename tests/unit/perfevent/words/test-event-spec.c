/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The list: growth, its limit, truncation; filters and control groups, each for the events before it. */

#include "check-main.h"
#include "event-spec.h"

static EventSpec *add(EventSpecs *list, const char *tracepoint) {
        EventSpec *s;

        ck_assert_int_eq(event_specs_add(list, tracepoint ? PERF_TYPE_TRACEPOINT : PERF_TYPE_SOFTWARE, 0, &s), 0);
        s->name = strdup(tracepoint ?: "cpu-clock");
        s->tracepoint_system = tracepoint ? strdup("sched") : NULL;
        s->tracepoint_name = tracepoint ? strdup(tracepoint) : NULL;
        return s;
}

START_TEST(test_add) {
        _cleanup_(event_specs_done) EventSpecs list = {};
        EventSpec *s;

        for (size_t i = 0; i < EVENT_SPECS_MAX; i++)
                ck_assert_int_eq(event_specs_add(&list, 1, i, &s), 0);
        ck_assert_int_eq(event_specs_add(&list, 1, 0, &s), -E2BIG);
        ck_assert_uint_eq(list.n_specs, EVENT_SPECS_MAX);
        event_specs_truncate(&list, 5);
        (void) add(&list, "a");
        (void) add(&list, "b");
        ck_assert_uint_eq(list.n_specs, 7);
        ck_assert_uint_eq(list.specs[4].attr.config, 4);
        ck_assert_str_eq(list.specs[6].name, "b");
        ck_assert(list.specs[6].leader && list.specs[6].attr.exclude_guest);
}
END_TEST

START_TEST(test_leave_out_kernel) {
        _cleanup_(event_specs_done) EventSpecs list = {};

        (void) add(&list, NULL);
        (void) free_and_strdup(&add(&list, NULL)->name, "cpu_core/cycles/");
        ck_assert_int_eq(event_specs_leave_out_kernel(&list), 0);
        ck_assert_str_eq(list.specs[0].name, "cpu-clock:u");
        ck_assert_str_eq(list.specs[1].name, "cpu_core/cycles/u");
        ck_assert(list.specs[1].attr.exclude_kernel && !list.specs[1].attr.exclude_hv);
}
END_TEST

START_TEST(test_filter) {
        _cleanup_(event_specs_done) EventSpecs list = {};
        _cleanup_(diagnosis_done) Diagnosis d = {};

        ck_assert_int_eq(event_specs_set_filter(&list, "a == 1", &d), -EINVAL);
        ck_assert_ptr_nonnull(strstr(d.sentence, "must follow"));
        diagnosis_reset(&d);

        (void) add(&list, "first");
        (void) add(&list, "second");
        list.last_begin = 1;
        ck_assert_int_eq(event_specs_set_filter(&list, "a == 1", &d), 0);
        ck_assert_ptr_null(list.specs[0].filter);
        ck_assert_str_eq(list.specs[1].filter, "a == 1");
        ck_assert_int_eq(event_specs_set_filter(&list, "b", &d), 0);
        ck_assert_str_eq(list.specs[1].filter, "(a == 1) && (b)");

        (void) add(&list, NULL);
        ck_assert_int_eq(event_specs_set_filter(&list, "c", &d), -EINVAL);
        ck_assert_ptr_nonnull(strstr(d.sentence, "cpu-clock is not a tracepoint"));
        ck_assert_str_eq(list.specs[1].filter, "(a == 1) && (b)"); /* all or none */
}
END_TEST

START_TEST(test_cgroups) {
        _cleanup_(event_specs_done) EventSpecs list = {};
        _cleanup_(diagnosis_done) Diagnosis d = {};

        ck_assert_int_eq(event_specs_set_cgroups(&list, "a", &d), -EINVAL);
        diagnosis_reset(&d);
        for (size_t i = 0; i < 3; i++)
                (void) add(&list, NULL);

        ck_assert_int_eq(event_specs_set_cgroups(&list, "system.slice/x", &d), 0);
        for (size_t i = 0; i < 3; i++)
                ck_assert_str_eq(list.specs[i].cgroup, "system.slice/x");
        ck_assert_int_eq(event_specs_set_cgroups(&list, ",third", &d), 0);
        ck_assert_str_eq(list.specs[1].cgroup, "system.slice/x");
        ck_assert_str_eq(list.specs[2].cgroup, "third");
        ck_assert_int_eq(event_specs_set_cgroups(&list, "fourth", &d), -EINVAL);
        ck_assert_ptr_nonnull(strstr(d.sentence, "fourth"));
}
END_TEST

CHECK_MAIN("event-spec", test_add, test_leave_out_kernel, test_filter, test_cgroups);
