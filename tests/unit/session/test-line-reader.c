/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Lines, and bytes that are refused in them. */

#include "check-main.h"
#include "line-reader.h"

START_TEST(test_lines) {
        static const char text[] = "\xef\xbb\xbf" "one\r\n\ntab\there\nlast \xe2\x82\xac";
        static const char *const expected[] = { "one", "", "tab\there", "last \xe2\x82\xac" };
        const char *s;
        LineReader r;
        size_t size;

        line_reader_init(&r, text, sizeof(text) - 1);
        for (size_t i = 0; i < ELEMENTSOF(expected); i++) {
                ck_assert_int_eq(line_reader_next(&r, &s, &size, NULL), 1);
                ck_assert_uint_eq(size, strlen(expected[i]));
                ck_assert_mem_eq(s, expected[i], size);
                ck_assert_uint_eq(r.line, i + 1);
        }
        ck_assert_int_eq(line_reader_next(&r, &s, &size, NULL), 0);
        ck_assert_int_eq(line_reader_next(&r, &s, &size, NULL), 0);
}
END_TEST

START_TEST(test_empty) {
        const char *s;
        LineReader r;
        size_t size;

        line_reader_init(&r, "", 0);
        ck_assert_int_eq(line_reader_next(&r, &s, &size, NULL), 0);
}
END_TEST

START_TEST(test_bad_lines) {
        static const struct {
                const char *text;
                size_t size;
                const char *sentence;
        } cases[] = {
                { "a\n\0b", 4, "a NUL byte" },
                { "a\n\x1b[1m", 6, "a control character" },
                { "a\nb\rc", 5, "a control character" },
                { "a\n\x7f", 3, "a control character" },
                { "a\n\xff", 3, "not valid UTF-8" },
                { "a\n\xc0\x80", 4, "not valid UTF-8" },         /* overlong */
                { "a\n\xe0\x80\x80", 5, "not valid UTF-8" },     /* overlong */
                { "a\n\xf0\x80\x80\x80", 6, "not valid UTF-8" }, /* overlong */
                { "a\n\xed\xa0\x80", 5, "not valid UTF-8" },     /* a surrogate */
                { "a\n\xf4\x90\x80\x80", 6, "not valid UTF-8" }, /* above U+10FFFF */
                { "a\n\xe2\x82", 4, "not valid UTF-8" },         /* truncated */
                { "a\n\x80", 3, "not valid UTF-8" },
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_(diagnosis_done) Diagnosis d = {};
                const char *s = NULL;
                LineReader r;
                size_t size;

                line_reader_init(&r, cases[i].text, cases[i].size);
                ck_assert_int_eq(line_reader_next(&r, &s, &size, &d), 1);
                ck_assert_int_eq(line_reader_next(&r, &s, &size, &d), -EINVAL);
                ck_assert_str_eq(d.sentence, cases[i].sentence);
                ck_assert_uint_eq(d.line, 2);
        }
}
END_TEST

START_TEST(test_long_line) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *text = malloc(LINE_SIZE_MAX + 1);
        const char *s;
        LineReader r;
        size_t size;

        memset(text, 'x', LINE_SIZE_MAX + 1);
        line_reader_init(&r, text, LINE_SIZE_MAX);
        ck_assert_int_eq(line_reader_next(&r, &s, &size, &d), 1);
        line_reader_init(&r, text, LINE_SIZE_MAX + 1);
        ck_assert_int_eq(line_reader_next(&r, &s, &size, &d), -E2BIG);
        ck_assert_str_eq(d.sentence, "a line of more than 65536 bytes");
        ck_assert_uint_eq(d.line, 1);
}
END_TEST

CHECK_MAIN("line-reader", test_lines, test_empty, test_bad_lines, test_long_line);
