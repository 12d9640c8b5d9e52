/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "profile-filter.h"

static bool wants(const FilterState *f, uint64_t cgroup) {
        return filter_state_wants(f, &(OrderedSample) { .cgroup = cgroup, .pid = 7, .has_pid = true }, "web");
}

/* A unit's name is a whole component of the path: its group and those below match, others do not. */
START_TEST(units) {
        char *names[] = { (char *) "web.service", (char *) "job@*.service", NULL };
        const ProfileFilter filter = { .units = names };
        FilterState f = { .filter = &filter };

        ck_assert(!wants(&f, 1));
        ck_assert_int_eq(filter_state_take_cgroup(&f, 1, "/system.slice/web.service"), 0);
        ck_assert_int_eq(filter_state_take_cgroup(&f, 2, "/system.slice/web.service/worker"), 0);
        ck_assert_int_eq(filter_state_take_cgroup(&f, 3, "/system.slice/web.service.d"), 0);
        ck_assert_int_eq(filter_state_take_cgroup(&f, 4, "/system.slice/system-job.slice/job@1.service"), 0);
        ck_assert_int_eq(filter_state_take_cgroup(&f, 5, "/"), 0);
        ck_assert_int_eq(filter_state_take_cgroup(&f, 6, ""), 0);
        ck_assert(wants(&f, 1) && wants(&f, 2) && !wants(&f, 3) && wants(&f, 4) && !wants(&f, 5) && !wants(&f, 6));
        for (uint64_t i = 10; i < 10 + FILTER_CGROUPS_MAX * 2; i++)
                ck_assert_int_eq(filter_state_take_cgroup(&f, i, "/web.service"), 0);
        ck_assert_uint_eq(f.n_cgroups, FILTER_CGROUPS_MAX);
        filter_state_done(&f);
}
END_TEST

START_TEST(none) {
        FilterState f = {};

        ck_assert_int_eq(filter_state_take_cgroup(&f, 1, "/web.service"), 0);
        ck_assert_uint_eq(f.n_cgroups, 0);
        ck_assert(wants(&f, 1));
        ck_assert(!filter_state_wants(&(FilterState) { .filter = &(ProfileFilter) { .pids = (const uint32_t[]) { 7 }, .n_pids = 1 } },
                                      &(OrderedSample) { .pid = 7 }, "")); /* pids were not recorded */
}
END_TEST

TEST_RUN("profile-filter", units, none);
