/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "cgroup-names.h"
#include "perfdata-test.h"

static void take(CgroupNames *c, uint64_t id, const char *path) {
        _Alignas(8) char buffer[512] = "";
        PerfRecordCgroup *record = (PerfRecordCgroup *) buffer;

        record->header.type = PERF_RECORD_CGROUP;
        record->id = id;
        (void) snprintf(record->path, sizeof(buffer) - sizeof(*record), "%s", path);
        ck_assert_ok(cgroup_names_take(c, record));
}

static uint32_t number_of(CgroupNames *c, uint64_t id) {
        uint32_t number;

        ck_assert_ok(cgroup_names_get(c, id, &number));
        return number;
}

START_TEST(names) {
        _cleanup_(cgroup_names_done) CgroupNames c = {};
        uint32_t early = number_of(&c, 20), unknown = number_of(&c, 30);

        take(&c, 20, "/system.slice/web.service/a\nb");
        take(&c, 21, "/system.slice/web.service/machine-box.scope");
        ck_assert_uint_eq(number_of(&c, 20), early);
        ck_assert_str_eq(cgroup_names_text(&c, c.groups[early - 1].path), "/system.slice/web.service/a b");
        ck_assert_str_eq(cgroup_names_text(&c, c.groups[early - 1].unit), "web.service");
        ck_assert_ptr_null(cgroup_names_text(&c, c.groups[early - 1].container));
        ck_assert_uint_eq(c.groups[number_of(&c, 21) - 1].unit, c.groups[early - 1].unit);
        ck_assert_str_eq(cgroup_names_text(&c, c.groups[number_of(&c, 21) - 1].container), "box");
        ck_assert_ptr_null(cgroup_names_text(&c, c.groups[unknown - 1].path));
        ck_assert_uint_eq(number_of(&c, 0), 0);
        ck_assert(cgroup_names_wants(&c, 0) && cgroup_names_wants(&c, early));
        cgroup_names_begin(&c); /* another machine */
        ck_assert_uint_ne(number_of(&c, 20), early);
        ck_assert_str_eq(cgroup_names_text(&c, c.groups[early - 1].unit), "web.service");
}
END_TEST

START_TEST(wanted) {
        char *units[] = { (char *) "web.service", (char *) "batch.slice", NULL };
        _cleanup_(cgroup_names_done) CgroupNames c = { .units = units };

        take(&c, 1, "/");
        take(&c, 2, "/system.slice/web.service");
        take(&c, 3, "/batch.slice/other.service");
        take(&c, 4, "/lxc.payload.box/system.slice/web.service");
        ck_assert(!cgroup_names_wants(&c, 0) && !cgroup_names_wants(&c, number_of(&c, 1)));
        ck_assert(cgroup_names_wants(&c, number_of(&c, 2)) && cgroup_names_wants(&c, number_of(&c, 3)));
        ck_assert(!cgroup_names_wants(&c, number_of(&c, 4)) && !cgroup_names_wants(&c, number_of(&c, 5)));
        cgroup_names_begin(&c);
        take(&c, 812, "/"); /* not the kernel's first group: a namespace */
        take(&c, 4, "/lxc.payload.box/system.slice/web.service");
        ck_assert(cgroup_names_wants(&c, number_of(&c, 4)));
}
END_TEST

START_TEST(bounded) {
        _cleanup_(cgroup_names_done) CgroupNames c = {};

        for (uint64_t id = 1; id <= CGROUP_NAMES_MAX; id++)
                ck_assert_uint_eq(number_of(&c, id), id);
        ck_assert_uint_eq(number_of(&c, UINT64_MAX), 0);
        take(&c, UINT64_MAX, "/more");
        ck_assert_uint_eq(number_of(&c, 7), 7);
}
END_TEST

TEST_RUN("cgroup-names", names, wanted, bounded);
