/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "session-record.h"

static SessionRecord record;

static int parse(const char *text) {
        session_record_done(&record);
        return session_record_parse(strdup(text), &record);
}

static void teardown(void) {
        session_record_done(&record);
}

START_TEST(test_there_and_back) {
        char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);

        session_record_put_text(f, "name", "a@b");
        session_record_put_text(f, "error", "a=b\nc");
        session_record_put_text(f, "nothing", NULL);
        session_record_put_text(f, "recorder-error", "\\");
        session_record_put_text(f, "assignment", "two\nlines \\n");
        session_record_put_number(f, "output-position", UINT64_MAX);
        session_record_put_number(f, "zero", 0);
        fputs("end=1\n", f);
        ck_assert_int_eq(fclose(f), 0);
        ck_assert_int_eq(parse(text), 0);
        free(text);
        ck_assert_str_eq(session_record_text(&record, "name"), "a@b");
        ck_assert_str_eq(session_record_text(&record, "error"), "a=b\nc");
        ck_assert_str_eq(session_record_text(&record, "recorder-error"), "\\");
        ck_assert_str_eq(session_record_text(&record, "assignment"), "two\nlines \\n");
        ck_assert_uint_eq(session_record_number(&record, "output-position", UINT64_MAX), UINT64_MAX);
        ck_assert_ptr_null(session_record_text(&record, "nothing"));
        ck_assert_ptr_null(session_record_text(&record, "zero"));
}
END_TEST

START_TEST(test_other_versions) {
        ck_assert_int_eq(parse("name=a\nphase=up\ncolour=green\nend=1\n"), 0);
        ck_assert_str_eq(session_record_text(&record, "phase"), "up");
        ck_assert_uint_eq(session_record_number(&record, "pid", INT32_MAX), 0);
        ck_assert_int_eq(parse("name=a\nend=1\nleft over from a longer text"), -EBADMSG);
}
END_TEST

START_TEST(test_not_whole) {
        ck_assert_int_eq(parse(""), -EBADMSG);
        ck_assert_int_eq(parse("name=a\nphase=up\n"), -EBADMSG);
        ck_assert_int_eq(parse("phase=up\nend=1\n"), -EBADMSG);
        ck_assert_int_eq(parse("name\nend=1\n"), -EBADMSG);
}
END_TEST

START_TEST(test_numbers_are_bounded) {
        ck_assert_int_eq(parse("name=a\npid=99999999999999\nrestarts=4294967295\noutstanding=-1\nend=1\n"), 0);
        ck_assert_uint_eq(session_record_number(&record, "pid", INT32_MAX), 0);
        ck_assert_uint_eq(session_record_number(&record, "restarts", UINT32_MAX), UINT32_MAX);
        ck_assert_uint_eq(session_record_number(&record, "outstanding", UINT32_MAX), 0);
}
END_TEST

CHECK_MAIN_WITH("session-record", NULL, teardown, test_there_and_back, test_other_versions, test_not_whole,
                test_numbers_are_bounded);
