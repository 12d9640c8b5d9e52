/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "session-internal.h"

static SessionRecord record;

static int parse(const char *text) {
        _cleanup_free_ char *copy = strdup(text);

        session_record_done(&record);
        return session_record_parse(copy, &record);
}

static void teardown(void) {
        session_record_done(&record);
}

START_TEST(test_there_and_back) {
        char *assignments[] = { (char *) "Session.Run=-e 'a b'", (char *) "Session.Description=two\nlines \\n", NULL };
        Session s = {
                .name = (char *) "a@b",
                .recorder.phase = PHASE_UP,
                .result = SESSION_RESULT_SIGNAL,
                .error = (char *) "a=b\nc",
                .recorder.control_group = (char *) "/perf-recorder.slice/x",
                .recorder.error = (char *) "\\",
                .recorder.pid = 4711,
                .recorder.output.position = UINT64_MAX,
                .recorder.start_timestamp = 12345678901,
                .recorder.settings_hash = 7,
                .recorder.lost_told = 8,
                .restart.n_restarts = 9,
                .recorder.blocked.error = ENOSPC,
                .recorder.blocked.since = 10,
                .recorder.blocked.lost = 11,
                .recorder.announced_stop = true,
                .recorder.is_paused = true,
                .config.transient = true,
                .config.assignments = assignments,
        };
        _cleanup_free_ char *text = NULL;
        size_t size;

        ck_assert_int_eq(session_record_format(&s, &text, &size), 0);
        ck_assert_uint_eq(strlen(text), size);
        ck_assert_int_eq(parse(text), 0);
        ck_assert_str_eq(record.name, s.name);
        ck_assert_int_eq(record.phase, s.recorder.phase);
        ck_assert_int_eq(record.result, s.result);
        ck_assert_str_eq(record.error, s.error);
        ck_assert_str_eq(record.control_group, s.recorder.control_group);
        ck_assert_str_eq(record.recorder_error, s.recorder.error);
        ck_assert_int_eq(record.pid, s.recorder.pid);
        ck_assert_uint_eq(record.output_position, s.recorder.output.position);
        ck_assert_uint_eq(record.start_timestamp, s.recorder.start_timestamp);
        ck_assert_uint_eq(record.settings_hash, s.recorder.settings_hash);
        ck_assert_uint_eq(record.lost_told, s.recorder.lost_told);
        ck_assert_uint_eq(record.n_restarts, s.restart.n_restarts);
        ck_assert_int_eq(record.cannot_write, s.recorder.blocked.error);
        ck_assert_uint_eq(record.cannot_write_since, s.recorder.blocked.since);
        ck_assert_uint_eq(record.cannot_write_lost, s.recorder.blocked.lost);
        ck_assert(record.announced_stop && record.is_paused && record.transient);
        ck_assert(!record.stop_asked && !record.start_again);
        ck_assert(strv_equal(record.assignments, assignments));
}
END_TEST

START_TEST(test_other_versions) {
        ck_assert_int_eq(parse("name=a\nphase=up\ncolour=green\nend=1\n"), 0);
        ck_assert_int_eq(record.phase, PHASE_UP);
        ck_assert_int_eq(parse("name=a\nend=1\nleft over from a longer text"), -EBADMSG);
}
END_TEST

START_TEST(test_not_whole) {
        ck_assert_int_eq(parse(""), -EBADMSG);
        ck_assert_int_eq(parse("name=a\nphase=up\n"), -EBADMSG);
        ck_assert_int_eq(parse("phase=up\nend=1\n"), -EBADMSG);
        ck_assert_int_eq(parse("name=a\nphase=flying\nend=1\n"), -EBADMSG);
        ck_assert_int_eq(parse("name=a\nresult=\nend=1\n"), -EBADMSG);
        ck_assert_int_eq(parse("name\nend=1\n"), -EBADMSG);
}
END_TEST

START_TEST(test_numbers_are_bounded) {
        ck_assert_int_eq(parse("name=a\npid=99999999999999\nrestarts=18446744073709551615\noutstanding=-1\nend=1\n"), 0);
        ck_assert_int_eq(record.pid, 0);
        ck_assert_uint_eq(record.n_restarts, UINT32_MAX);
        ck_assert_uint_eq(record.outstanding, 0);
}
END_TEST

CHECK_MAIN_WITH("session-record", NULL, teardown, test_there_and_back, test_other_versions, test_not_whole,
                test_numbers_are_bounded);
