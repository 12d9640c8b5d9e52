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

START_TEST(what_is_not_used_is_forgotten) {
        _cleanup_(dso_table_done) DsoTable t = {};
        char path[32];
        bool used[100];
        uint32_t number;

        for (uint32_t i = 0; i < 100; i++) {
                (void) snprintf(path, sizeof(path), "/lib/%u.so", i);
                ck_assert_ok(dso_table_intern(&t, &(DsoHit) { .path = path }, &number));
                used[i] = i % 2;
        }
        t.hit[10] = true;
        dso_table_sweep(&t, used);
        ck_assert_uint_eq(t.n - t.n_spare, 51);
        for (uint32_t i = 1; i < 100; i += 2) {
                (void) snprintf(path, sizeof(path), "/lib/%u.so", i);
                ck_assert_ok(dso_table_intern(&t, &(DsoHit) { .path = path }, &number));
                ck_assert_uint_eq(number, i);
        }
        for (uint32_t i = 0; i < 49; i++) { /* in place of the others */
                (void) snprintf(path, sizeof(path), "/new/%u.so", i);
                ck_assert_ok(dso_table_intern(&t, &(DsoHit) { .path = path }, &number));
                ck_assert_uint_lt(number, 100);
                ck_assert_uint_eq(number % 2, 0);
                ck_assert_uint_ne(number, 10);
        }
        ck_assert_uint_eq(t.n, 100);
        ck_assert_uint_eq(t.n_spare, 0);
}
END_TEST

START_TEST(long_names_leave_room) {
        _cleanup_(dso_table_done) DsoTable t = {};
        char path[4001];
        uint32_t number, n = 0;
        int r;

        memset(path, 'd', sizeof(path) - 1);
        path[4000] = '\0';
        do {
                (void) snprintf(path, 16, "/%010u", n);
                path[11] = 'd';
                r = dso_table_intern(&t, &(DsoHit) { .path = path }, &number);
                n += r == 0;
        } while (r == 0);
        ck_assert_int_eq(r, -ENOSPC);
        ck_assert_uint_gt(n, 10000);
        ck_assert_uint_le(t.bytes, DSO_TABLE_BYTES_MAX / 4 * 3);
        for (uint32_t i = 0; i < 10000; i++) {
                (void) snprintf(path, sizeof(path), "/usr/lib/x86_64-linux-gnu/lib%u.so", i);
                ck_assert_ok(dso_table_intern(&t, &(DsoHit) { .path = path }, &number));
        }
}
END_TEST

/* A reused inode number is another binary; an unknown generation matches any. */
START_TEST(generations) {
        _cleanup_(dso_table_done) DsoTable t = {};
        DsoHit d = { .path = "/bin/a", .inode = 7 };
        uint32_t unknown, first, second, again;

        ck_assert_ok(dso_table_intern(&t, &d, &unknown));
        d.generation = 1;
        ck_assert_ok(dso_table_intern(&t, &d, &first));
        d.generation = 2;
        ck_assert_ok(dso_table_intern(&t, &d, &second));
        d.generation = 1;
        ck_assert_ok(dso_table_intern(&t, &d, &again));
        ck_assert_uint_eq(unknown, first);
        ck_assert_uint_ne(first, second);
        ck_assert_uint_eq(first, again);
}
END_TEST

TEST_RUN("dso-table", one_number_per_binary, grows, what_is_not_used_is_forgotten, long_names_leave_room,
         generations);
