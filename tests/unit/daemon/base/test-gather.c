/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "gather.h"

typedef struct Seen {
        unsigned n;
        Failure failure;
        char sentence[64];
        const char *row;
} Seen;

static void on_done(Failure failure, const char *sentence, void *userdata) {
        Seen *seen = userdata;

        seen->n++;
        seen->failure = failure;
        snprintf(seen->sentence, sizeof(seen->sentence), "%s", sentence ?: "(none)");
        if (seen->row)
                ck_assert_str_eq(seen->row, "cycles");
}

static Gather *make(Seen *seen) {
        Gather *g;

        ck_assert_int_eq(gather_new(on_done, seen, &g), 0);
        return g;
}

/* It is done, and was once. */
static void expect_seen(const Seen *seen, Failure failure, const char *sentence) {
        ck_assert_uint_eq(seen->n, 1);
        ck_assert_int_eq(seen->failure, failure);
        ck_assert_str_eq(seen->sentence, sentence);
}

START_TEST(test_nobody_joins) {
        Seen seen = {};
        Gather *g = make(&seen);

        ck_assert_uint_eq(seen.n, 0);
        gather_seal(g);
        expect_seen(&seen, FAILURE_NONE, "(none)");
}
END_TEST

START_TEST(test_ends_with_the_last) {
        Seen seen = {};
        Gather *g = make(&seen);

        gather_join(g);
        gather_join(g);
        gather_leave(g, FAILURE_NONE, NULL); /* before it is sealed */
        gather_seal(g);
        ck_assert_uint_eq(seen.n, 0);
        gather_leave(g, FAILURE_NONE, NULL);
        ck_assert_uint_eq(seen.n, 1);
}
END_TEST

START_TEST(test_reports_the_first_failure) {
        Seen seen = {};
        Gather *g = make(&seen);

        for (unsigned i = 0; i < 4; i++)
                gather_join(g);
        gather_seal(g);
        gather_leave(g, FAILURE_NONE, NULL);
        gather_leave(g, FAILURE_RECORDER, "first");
        gather_leave(g, FAILURE_NO_SPACE, "second");
        ck_assert_uint_eq(seen.n, 0);
        gather_leave(g, FAILURE_NONE, "not reported");
        expect_seen(&seen, FAILURE_RECORDER, "first");
}
END_TEST

START_TEST(test_a_failure_has_a_sentence) {
        Seen seen = {};
        Gather *g = make(&seen);

        gather_join(g);
        gather_seal(g);
        gather_leave(g, FAILURE_NO_SPACE, NULL);
        ck_assert_str_eq(seen.sentence, failure_sentence(FAILURE_NO_SPACE));
}
END_TEST

START_TEST(test_texts_live_until_it_is_done) {
        char name[] = "cycles";
        Seen seen = {};
        Gather *g = make(&seen);

        seen.row = gather_keep(g, name);
        memset(name, 'x', strlen(name));
        gather_seal(g);
        ck_assert_uint_eq(seen.n, 1);
}
END_TEST

START_TEST(test_parts) {
        Seen seen = {};
        Gather *g = make(&seen), *first = gather_part(g, "a"), *second = gather_part(g, "b"), *third = gather_part(g, NULL);

        gather_seal(g);
        gather_join(first);
        gather_seal(first);
        gather_leave(first, FAILURE_NO_SPACE, "full");
        gather_seal(second);
        gather_join(third);
        gather_seal(third);
        ck_assert_uint_eq(seen.n, 0);
        gather_leave(third, FAILURE_RECORDER, "died");
        expect_seen(&seen, FAILURE_NO_SPACE, "a: full\ndied");
}
END_TEST

START_TEST(test_withdrawn) {
        Seen seen = {};
        Gather *g = make(&seen);

        gather_join(g);
        gather_seal(g);
        ck_assert_ptr_null(gather_free(g));
        ck_assert_uint_eq(seen.n, 0);
}
END_TEST

START_TEST(test_list) {
        Seen a = {}, b = {};
        Gather *first = make(&a), *second = make(&b);
        GatherList list = {};

        gather_list_join(&list, NULL);
        gather_list_leave(&list, FAILURE_NONE, NULL); /* the list is empty */
        gather_list_join(&list, first);
        gather_list_join(&list, second);
        gather_seal(first);
        gather_seal(second);
        ck_assert_uint_eq(a.n + b.n, 0);
        gather_list_leave(&list, FAILURE_TIMEOUT, "late");
        ck_assert_int_eq(a.failure, FAILURE_TIMEOUT);
        ck_assert_str_eq(b.sentence, "late");
        gather_list_leave(&list, FAILURE_NONE, NULL);
        ck_assert_uint_eq(a.n + b.n, 2);
}
END_TEST

CHECK_MAIN("gather", test_nobody_joins, test_ends_with_the_last, test_reports_the_first_failure, test_a_failure_has_a_sentence,
           test_texts_live_until_it_is_done, test_parts, test_withdrawn, test_list);
