/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "dso-table.h"
#include "perfdata-test.h"

START_TEST(one_number_per_binary) {
        _cleanup_(dso_table_done) DsoTable t = {};
        DsoHit a = { .path = "/bin/a", .inode = 1 }, b = { .path = "/bin/a", .inode = 2 }, c = { .path = "/bin/c", .inode = 1 };
        uint32_t first, again, other;

        ck_assert_ok(dso_table_intern(&t, &a, &first));
        ck_assert_ok(dso_table_intern(&t, &a, &again));
        ck_assert_uint_eq(first, again);
        ck_assert_ok(dso_table_intern(&t, &b, &other)); /* replaced by another file */
        ck_assert_uint_ne(first, other);
        ck_assert_ok(dso_table_intern(&t, &c, &other));
        ck_assert_uint_eq(other, 2);
        ck_assert_uint_eq(t.n, 3);
        ck_assert_str_eq(t.dsos[0].path, "/bin/a");
        ck_assert_ptr_ne(t.dsos[0].path, a.path);
}
END_TEST

START_TEST(grows) {
        _cleanup_(dso_table_done) DsoTable t = {};
        char path[32];

        for (unsigned round = 0; round < 2; round++)
                for (uint32_t i = 0; i < 5000; i++) {
                        DsoHit d = { .path = path, .inode = i % 7 };
                        uint32_t number;

                        (void) snprintf(path, sizeof(path), "/lib/%u.so", i);
                        ck_assert_ok(dso_table_intern(&t, &d, &number));
                        ck_assert_uint_eq(number, i);
                }
        ck_assert_uint_eq(t.n, 5000);
}
END_TEST

TEST_RUN("dso-table", one_number_per_binary, grows);
