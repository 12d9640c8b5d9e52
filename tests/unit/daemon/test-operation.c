/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "operation.h"

typedef struct Seen {
        unsigned n;
        int error;
        char sentence[64];
} Seen;

static void on_done(int error, const char *sentence, void *userdata) {
        Seen *seen = userdata;

        seen->n++;
        seen->error = error;
        snprintf(seen->sentence, sizeof(seen->sentence), "%s", sentence ?: "(none)");
}

START_TEST(test_nobody_joins) {
        Seen seen = {};
        Operation *o;

        ck_assert_int_eq(operation_new(on_done, &seen, &o), 0);
        ck_assert_uint_eq(seen.n, 0);
        operation_seal(o);
        ck_assert_uint_eq(seen.n, 1);
        ck_assert_int_eq(seen.error, 0);
        ck_assert_str_eq(seen.sentence, "(none)");
}
END_TEST

START_TEST(test_ends_with_the_last) {
        Seen seen = {};
        Operation *o;

        ck_assert_int_eq(operation_new(on_done, &seen, &o), 0);
        operation_join(o);
        operation_join(o);
        operation_leave(o, 0, NULL); /* before it is sealed */
        operation_seal(o);
        ck_assert_uint_eq(seen.n, 0);
        operation_leave(o, 0, NULL);
        ck_assert_uint_eq(seen.n, 1);
}
END_TEST

START_TEST(test_tells_the_first_failure) {
        Seen seen = {};
        Operation *o;

        ck_assert_int_eq(operation_new(on_done, &seen, &o), 0);
        for (unsigned i = 0; i < 4; i++)
                operation_join(o);
        operation_seal(o);
        operation_leave(o, 0, NULL);
        operation_leave(o, -EPROTO, "first");
        operation_leave(o, -ENOSPC, "second");
        ck_assert_uint_eq(seen.n, 0);
        operation_leave(o, 0, "not told");
        ck_assert_uint_eq(seen.n, 1);
        ck_assert_int_eq(seen.error, -EPROTO);
        ck_assert_str_eq(seen.sentence, "first");
}
END_TEST

CHECK_MAIN("operation", test_nobody_joins, test_ends_with_the_last, test_tells_the_first_failure);
