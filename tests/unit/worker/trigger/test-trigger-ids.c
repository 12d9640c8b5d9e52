/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Answers and their ids. */

#include "trigger-ids.h"

#include "check-main.h"
#include "strv.h"

static void assert_answer(const TriggerIds *ids, const DumpResult *result, const char *message) {
        _cleanup_strv_free_ char **messages = NULL;

        ck_assert_int_eq(trigger_ids_answer(ids, result, &messages), 0);
        ck_assert_uint_eq(strv_length(messages), 1);
        ck_assert_str_eq(messages[0], message);
}

START_TEST(test_answers) {
        _cleanup_(trigger_ids_done) TriggerIds ids = {}, others = {};

        assert_answer(&ids, &(DumpResult) { .name = "perf.data.1" }, "X_PERF_DUMP=perf.data.1");
        ck_assert_int_eq(trigger_ids_add(&ids, "a"), 0);
        ck_assert_int_eq(trigger_ids_add(&ids, "b-2"), 0);
        assert_answer(&ids, &(DumpResult) { .name = "perf.data.1" }, "X_PERF_DUMP=perf.data.1\nX_PERF_DUMP_IDS=a b-2");
        assert_answer(&ids, &(DumpResult) { .error = -ENOSPC },
                      "X_PERF_DUMP_ERROR=28 No space left on device\nX_PERF_DUMP_IDS=a b-2");
        assert_answer(&ids, &(DumpResult) { .error = -EBUSY, .sentence = "not now" },
                      "X_PERF_DUMP_ERROR=16 not now\nX_PERF_DUMP_IDS=a b-2");
        ck_assert_int_eq(trigger_ids_add_all(&ids, &others), 0);
        ck_assert_int_eq(trigger_ids_add(&others, "c"), 0);
        ck_assert_int_eq(trigger_ids_add_all(&ids, &others), 0);
        assert_answer(&ids, &(DumpResult) { .name = "x" }, "X_PERF_DUMP=x\nX_PERF_DUMP_IDS=a b-2 c");
}
END_TEST

/* None is left out, none is cut, and each message fits the daemon's buffer. */
START_TEST(test_many) {
        _cleanup_(trigger_ids_done) TriggerIds ids = {};
        _cleanup_strv_free_ char **messages = NULL;
        char id[80];
        unsigned n = 0;

        for (unsigned i = 0; i < 300; i++) {
                (void) snprintf(id, sizeof(id), "%0*u", 40 + (int) i % 24, i);
                ck_assert_int_eq(trigger_ids_add(&ids, id), 0);
        }
        ck_assert_int_eq(trigger_ids_answer(&ids, &(DumpResult) { .name = "perf.data.2026112210000000" }, &messages), 0);
        STRV_FOREACH(message, messages) {
                const char *at = startswith(*message, "X_PERF_DUMP=perf.data.2026112210000000\nX_PERF_DUMP_IDS=");

                ck_assert_uint_lt(strlen(*message), 4096);
                ck_assert_ptr_nonnull(at);
                while (*at) {
                        size_t length = strcspn(at, " ");

                        ck_assert_uint_eq(length, 40 + n % 24);
                        ck_assert_uint_eq(strtoul(at, NULL, 10), n++);
                        at += length + (at[length] == ' ');
                }
        }
        ck_assert_uint_eq(n, 300);
        ck_assert_uint_le(strv_length(messages), 5);
}
END_TEST

START_TEST(test_limit) {
        _cleanup_(trigger_ids_done) TriggerIds ids = {};
        size_t n = 0;

        while (trigger_ids_add(&ids, "0123456789012345678901234567890123456789012345678901234567890123") == 0)
                n++;
        ck_assert_uint_eq(n, TRIGGER_IDS_MAX / 65);
        ck_assert_int_eq(trigger_ids_add(&ids, "0123456789012345678901234567890123456789012345678901234567890123"), -ENOBUFS);
}
END_TEST

CHECK_MAIN("trigger-ids", test_answers, test_many, test_limit);
