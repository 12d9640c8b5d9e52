/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The arguments of the control word snapshot. */

#include "trigger-request.h"

#include "check-main.h"

START_TEST(test_right) {
        TriggerRequest q;

        ck_assert_int_eq(trigger_request_parse("a.b_C-1", &q, NULL), 0);
        ck_assert_str_eq(q.trigger.id, "a.b_C-1");
        ck_assert_str_eq(q.trigger.request.trigger, "control");
        ck_assert_str_eq(q.trigger.request.detail, "");
        ck_assert(!q.trigger.request.has_delay);
        ck_assert(q.trigger.request.since == 0 && q.trigger.request.until == 0);
        ck_assert_ptr_null(q.trigger.request.unit);
        ck_assert(!q.trigger.request.fresh && !q.trigger.request.force && !q.trigger.as_perf);

        ck_assert_int_eq(trigger_request_parse("7 trigger=unit-failure since=5000000  delay=0 until=6000000 new=1 force=1 unit=a\\x2db@1:2.service unknown=key detail=web.service a=b\tc", &q, NULL), 0);
        ck_assert_str_eq(q.trigger.id, "7");
        ck_assert_str_eq(q.trigger.request.trigger, "unit-failure");
        ck_assert_uint_eq(q.trigger.request.since, 5000000);
        ck_assert_uint_eq(q.trigger.request.until, 6000000);
        ck_assert(q.trigger.request.has_delay);
        ck_assert_uint_eq(q.trigger.request.delay, 0);
        ck_assert(q.trigger.request.fresh && q.trigger.request.force);
        ck_assert_str_eq(q.trigger.request.unit, "a\\x2db@1:2.service");
        ck_assert_str_eq(q.trigger.request.detail, "web.service a=b c");

        ck_assert_int_eq(trigger_request_parse("x trigger=also all=1 incident=0123456789abcdef0123456789abcdef", &q, NULL), 0);
        ck_assert(q.trigger.request.all);
        ck_assert_str_eq(q.trigger.request.incident, "0123456789abcdef0123456789abcdef");
        ck_assert_int_eq(trigger_request_parse("x new=0 detail=", &q, NULL), 0);
        ck_assert_ptr_null(q.trigger.request.incident);
        ck_assert(!q.trigger.request.fresh);
        ck_assert_str_eq(q.trigger.request.detail, "");
}
END_TEST

static void assert_wrong(const char *argument, const char *id) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        TriggerRequest q;

        ck_assert_int_eq(trigger_request_parse(argument, &q, &d), -EINVAL);
        ck_assert_str_eq(q.id, id);
        ck_assert_ptr_nonnull(d.sentence);
}

START_TEST(test_wrong) {
        char id[100];

        memset(id, 'x', sizeof(id));
        id[PR_TRIGGER_ID_MAX + 1] = '\0';
        assert_wrong(id, "");
        assert_wrong("a/b", "");
        assert_wrong("a,b since=1", "");
        assert_wrong("a since=", "a");
        assert_wrong("a since=5s", "a");
        assert_wrong("a since=9223372036854776", "a"); /* more nanoseconds than a clock of the kernel has */
        assert_wrong("a until=18446744073709551615", "a");
        assert_wrong("a delay=-1", "a");
        assert_wrong("a delay=111111111111111111111111111111", "a");
        assert_wrong("a new=yes", "a");
        assert_wrong("a incident=../x", "a");
        assert_wrong("a incident=0123456789abcdef0123456789abcdef0", "a");
        assert_wrong("a unit=", "a");
        assert_wrong("a unit=a/b", "a");
        assert_wrong("a trigger=", "a");
        assert_wrong("a trigger=Request", "a");
        assert_wrong("a trigger=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "a");
}
END_TEST

/* A text that is too long is truncated, not within a character. */
START_TEST(test_long_detail) {
        char argument[PR_DUMP_DETAIL_MAX * 2] = "a detail=x";
        TriggerRequest q;

        for (size_t n = strlen(argument); n + 2 < sizeof(argument); n += 2)
                memcpy(argument + n, "ä", sizeof("ä"));
        ck_assert_int_eq(trigger_request_parse(argument, &q, NULL), 0);
        ck_assert_uint_eq(strlen(q.words.detail), PR_DUMP_DETAIL_MAX - 1);
        ck_assert_str_eq(q.words.detail + PR_DUMP_DETAIL_MAX - 3, "ä");
}
END_TEST

CHECK_MAIN("trigger-request", test_right, test_wrong, test_long_detail);
