/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "profile-filter.h"

static bool wants(const FilterState *f, uint64_t cgroup) {
        return filter_state_wants(f, &(OrderedSample) { .cgroup = cgroup, .pid = 7, .has_pid = true }, "web");
}

static void take(FilterState *f, uint64_t id, const char *path) {
        ck_assert_int_eq(filter_state_take_cgroup(f, id, path), 0);
}

/* A unit's name is a whole component of the path: its group and those below match, others do not. */
START_TEST(units) {
        char *names[] = { (char *) "web.service", (char *) "job@*.service", (char *) "batch.slice", NULL };
        const ProfileFilter filter = { .units = names };
        FilterState f = { .filter = &filter };

        ck_assert(!wants(&f, 1));
        take(&f, 1, "/system.slice/web.service");
        take(&f, 2, "/system.slice/web.service/worker");
        take(&f, 3, "/system.slice/web.service.d");
        take(&f, 4, "/system.slice/system-job.slice/job@1.service");
        take(&f, 5, "/");
        take(&f, 6, "");
        take(&f, 7, "/batch.slice/other.service/worker");
        take(&f, 8, "/system.slice/_web.service");
        ck_assert(wants(&f, 1) && wants(&f, 2) && !wants(&f, 3) && wants(&f, 4) && !wants(&f, 5) && !wants(&f, 6));
        ck_assert(wants(&f, 7) && wants(&f, 8));
        for (uint64_t i = 10; i < 10 + FILTER_CGROUPS_MAX * 2; i++)
                take(&f, i, "/web.service");
        ck_assert_uint_eq(f.n_cgroups, FILTER_CGROUPS_MAX);
        filter_state_done(&f);
}
END_TEST

#define MANAGER "/user.slice/user-1000.slice/user@1000.service"

/* Users name the groups below their manager and below delegated units as they like. */
START_TEST(groups_of_users) {
        char *names[] = { (char *) "web.service", (char *) "batch.slice", NULL };
        const ProfileFilter filter = { .units = names }, of_user = { .units = names, .user_units = true };
        FilterState f = { .filter = &filter }, user = { .filter = &of_user };

        for (FilterState *s = &f; s; s = s == &f ? &user : NULL) {
                take(s, 1, "/");
                take(s, 2, "/system.slice/web.service");
                take(s, 3, MANAGER "/app.slice/web.service");
                take(s, 4, MANAGER "/batch.slice/other.service");
                take(s, 5, "/system.slice/box.service/system.slice/web.service");
                take(s, 6, MANAGER "/app.slice/own.service/app.slice/web.service");
                take(s, 7, "/docker/1234/system.slice/web.service");
                take(s, 8, "/user.slice/user-1000.slice/session-2.scope/user@1000.service/web.service");
        }
        ck_assert(wants(&f, 2) && !wants(&f, 3) && !wants(&f, 4) && !wants(&f, 5) && !wants(&f, 6) && !wants(&f, 7));
        ck_assert(!wants(&user, 2) && wants(&user, 3) && wants(&user, 4) && !wants(&user, 5) && !wants(&user, 6));
        ck_assert(!wants(&f, 8) && !wants(&user, 8));
        filter_state_done(&f);
        filter_state_done(&user);
}
END_TEST

/* The kernel's records have the container's place on the host before the path. */
START_TEST(container) {
        char *names[] = { (char *) "web.service", NULL };
        const ProfileFilter filter = { .units = names };
        FilterState f = { .filter = &filter };

        take(&f, 812, "/");
        take(&f, 2, "/system.slice/web.service");
        take(&f, 3, "/lxc.payload.box/system.slice/web.service");
        take(&f, 4, "/lxc.payload.box" MANAGER "/app.slice/web.service");
        ck_assert(wants(&f, 2) && wants(&f, 3) && !wants(&f, 4));
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

TEST_RUN("profile-filter", units, groups_of_users, container, none);
