/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Answers and their ids. */

#include "trigger-ids.h"

#include "notify-listener.h"

START_TEST(test_answers) {
        _cleanup_(listener_done) Listener l = listener_new();
        _cleanup_(trigger_ids_done) TriggerIds ids = {};

        trigger_ids_answer(&ids, &l.notifier, &(DumpResult) { .name = "perf.data.1" });
        ck_assert_str_eq(listener_next(&l), "X_PERF_DUMP=perf.data.1");
        ck_assert_int_eq(trigger_ids_add(&ids, "a"), 0);
        ck_assert_int_eq(trigger_ids_add(&ids, "b-2"), 0);
        trigger_ids_answer(&ids, &l.notifier, &(DumpResult) { .name = "perf.data.1" });
        ck_assert_str_eq(listener_next(&l), "X_PERF_DUMP=perf.data.1\nX_PERF_DUMP_IDS=a b-2");
        trigger_ids_answer(&ids, &l.notifier, &(DumpResult) { .error = -ENOSPC });
        ck_assert_str_eq(listener_next(&l), "X_PERF_DUMP_ERROR=28 No space left on device\nX_PERF_DUMP_IDS=a b-2");
        trigger_ids_answer(&ids, &l.notifier, &(DumpResult) { .error = -EBUSY, .sentence = "not now" });
        ck_assert_str_eq(listener_next(&l), "X_PERF_DUMP_ERROR=16 not now\nX_PERF_DUMP_IDS=a b-2");
        ck_assert_str_eq(listener_next(&l), "");
}
END_TEST

/* None is left out, none is cut, and each message fits the daemon's buffer. */
START_TEST(test_many) {
        _cleanup_(listener_done) Listener l = listener_new();
        _cleanup_(trigger_ids_done) TriggerIds ids = {};
        char id[80];
        unsigned n = 0, messages = 0;

        for (unsigned i = 0; i < 300; i++) {
                (void) snprintf(id, sizeof(id), "%0*u", 40 + (int) i % 24, i);
                ck_assert_int_eq(trigger_ids_add(&ids, id), 0);
        }
        trigger_ids_answer(&ids, &l.notifier, &(DumpResult) { .name = "perf.data.2026112210000000" });
        for (;; messages++) {
                const char *message = listener_next(&l), *at;

                if (!*message)
                        break;
                ck_assert_uint_lt(strlen(message), 4096);
                at = startswith(message, "X_PERF_DUMP=perf.data.2026112210000000\nX_PERF_DUMP_IDS=");
                ck_assert_ptr_nonnull(at);
                while (*at) {
                        size_t length = strcspn(at, " ");

                        ck_assert_uint_eq(length, 40 + n % 24);
                        ck_assert_uint_eq(strtoul(at, NULL, 10), n++);
                        at += length + (at[length] == ' ');
                }
        }
        ck_assert_uint_eq(n, 300);
        ck_assert_uint_le(messages, 5);
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
