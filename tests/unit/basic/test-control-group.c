/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "control-group.h"
#include "scratch.h"

START_TEST(test_read) {
        _cleanup_(scratch_done) char *root = scratch_new();
        _cleanup_free_ char *first = NULL, *second = NULL, *none = NULL;

        scratch_write_text(root, "sys/fs/cgroup/a.slice/b.scope/cgroup.events", "populated 1\n");
        scratch_write_text(root, "sys/fs/cgroup/unified/c.scope/cgroup.events", "populated 0\n");
        ck_assert_int_eq(control_group_read(root, "/a.slice/b.scope", "cgroup.events", &first), 0);
        ck_assert_str_eq(first, "populated 1\n");
        ck_assert_int_eq(control_group_read(root, "/c.scope", "cgroup.events", &second), 0);
        ck_assert_str_eq(second, "populated 0\n");
        ck_assert_int_eq(control_group_read(root, "/d.scope", "cgroup.events", &none), -ENOENT);
        ck_assert_ptr_null(none);
}
END_TEST

START_TEST(test_cpu_usage) {
        static const struct {
                const char *text;
                int result;
                uint64_t nsec;
        } rows[] = {
                { "usage_usec 1234567\nuser_usec 1000000\nsystem_usec 234567\n", 0, UINT64_C(1234567000) },
                { "usage_usec 0\n", 0, 0 },
                { "usage_usec 18446744073709551\n", 0, UINT64_C(18446744073709551000) },
                { "usage_usec 18446744073709552\n", -EBADMSG, 7 },
                { "usage_usec -1\n", -EBADMSG, 7 },
                { "user_usec 5\nusage_usec 5\n", -EBADMSG, 7 },
                { "usage_usec\n", -EBADMSG, 7 },
                { "", -EBADMSG, 7 },
        };
        _cleanup_(scratch_done) char *root = scratch_new();
        uint64_t nsec = 7;

        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                nsec = 7;
                scratch_write_text(root, "sys/fs/cgroup/a.scope/cpu.stat", rows[i].text);
                ck_assert_int_eq(control_group_cpu_usage(root, "/a.scope", &nsec), rows[i].result);
                ck_assert_uint_eq(nsec, rows[i].nsec);
        }
        ck_assert_int_eq(control_group_cpu_usage(root, "/b.scope", &nsec), -ENOENT);
}
END_TEST

CHECK_MAIN("control-group", test_read, test_cpu_usage);
