/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Calendar events as systemd's own program reads them, and its possible results. */

#include "calendar.h"

#include <sys/stat.h>
#include "check-main.h"
#include "scratch.h"

#define AUTUMN (UINT64_C(1760000000) * USEC_PER_SEC) /* Thu 2025-10-09 08:53:20 UTC */

static void begin_in(const char *zone) {
        ck_assert_int_eq(setenv("TZ", zone, 1), 0);
}

START_TEST(test_next) {
        usec_t next = 0;

        begin_in("UTC");
        ck_assert_int_eq(calendar_next("Mon..Fri *-*-* 04:05:06", AUTUMN, &next, NULL), 0);
        ck_assert_uint_eq(next, UINT64_C(1760069106) * USEC_PER_SEC);
        ck_assert_int_eq(calendar_next("2001-01-01", AUTUMN, &next, NULL), 0);
        ck_assert_uint_eq(next, USEC_INFINITY);
}
END_TEST

START_TEST(test_local_time) {
        usec_t next = 0;

        begin_in("Europe/Berlin");
        ck_assert_int_eq(calendar_next("*-*-* 04:05:06", AUTUMN, &next, NULL), 0);
        ck_assert_uint_eq(next, UINT64_C(1760061906) * USEC_PER_SEC); /* 02:05:06 UTC */
}
END_TEST

START_TEST(test_refused) {
        static const char *const wrong[] = { "foo bar", "", "--help", "*:0/5; reboot" };
        usec_t next = 1;

        for (size_t i = 0; i < ELEMENTSOF(wrong); i++) {
                _cleanup_(diagnosis_done) Diagnosis d = {};

                ck_assert_int_eq(calendar_next(wrong[i], AUTUMN, &next, &d), -EINVAL);
                ck_assert_msg(strstr(d.sentence, "calendar"), "%s", d.sentence);
        }
        ck_assert_uint_eq(next, 1);
}
END_TEST

START_TEST(test_no_program) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        usec_t next;

        ck_assert_int_eq(setenv("PATH", "/nonexistent", 1), 0);
        ck_assert_int_eq(calendar_next("daily", AUTUMN, &next, &d), -ENOENT);
        ck_assert(strstr(d.sentence, "systemd-analyze"));
}
END_TEST

/* Its end is no message of the service. */
START_TEST(test_environment) {
        static const char program[] = "#!/bin/sh\necho \"${NOTIFY_SOCKET-none} ${PERF_OTHER-none}\"\nexit 1\n";
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *path = NULL;
        usec_t next;

        ck_assert_int_gt(asprintf(&path, "%s/systemd-analyze", dir), 0);
        scratch_write_text(dir, "systemd-analyze", program);
        ck_assert_int_eq(chmod(path, 0755), 0);
        ck_assert_int_eq(setenv("PATH", dir, 1), 0);
        ck_assert_int_eq(setenv("NOTIFY_SOCKET", "/nonexistent", 1), 0);
        ck_assert_int_eq(setenv("PERF_OTHER", "kept", 1), 0);
        ck_assert_int_eq(calendar_next("daily", AUTUMN, &next, &d), -EINVAL);
        ck_assert_str_eq(d.sentence, "none kept");
}
END_TEST

START_TEST(test_answers) {
        usec_t next = 0;

        ck_assert_int_eq(calendar_parse_answer("    Next elapse: Thu 2025-10-09 11:00:00 CEST\n"
                                               "       (in UTC): Thu 2025-10-09 09:00:00 UTC\n", &next), 0);
        ck_assert_uint_eq(next, UINT64_C(1760000400) * USEC_PER_SEC);
        ck_assert_int_eq(calendar_parse_answer("Next elapse: Thu 2025-10-09 09:00:00.500000 UTC\n", &next), 0);
        ck_assert_uint_eq(next, UINT64_C(1760000400) * USEC_PER_SEC);
        ck_assert_int_eq(calendar_parse_answer("Next elapse: soon", &next), -EBADMSG);
        ck_assert_int_eq(calendar_parse_answer("Next elapse: Thu 2025-10-09 09:00:00 CEST\n", &next), -EBADMSG);
        ck_assert_int_eq(calendar_parse_answer("", &next), -EBADMSG);
}
END_TEST

CHECK_MAIN("calendar", test_next, test_local_time, test_refused, test_no_program, test_environment, test_answers);
