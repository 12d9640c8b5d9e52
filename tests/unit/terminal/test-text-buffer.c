/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "text-buffer.h"

START_TEST(numbers) {
        _cleanup_(text_buffer_done) TextBuffer b = {};

        text_buffer_decimal(&b, 0, 3);
        text_buffer_decimal(&b, UINT64_MAX, 0);
        text_buffer_putc(&b, '|');
        text_buffer_hex(&b, 0xdeadbeef, 10);
        text_buffer_putc(&b, '|');
        text_buffer_digits(&b, 42, 6);
        text_buffer_padded(&b, "word", 6);
        text_buffer_padded(&b, "long", 2);
        text_buffer_format(&b, "%d", -1);
        text_buffer_putc(&b, '\0');
        ck_assert_str_eq(b.data, "  018446744073709551615|  deadbeef|000042  wordlong-1");
        ck_assert_int_eq(b.error, 0);
}
END_TEST

START_TEST(numbers_for_people) {
        static const uint64_t spans[] = {
                0, 999, 1000, 999499, 999500, 1600000, 9994999, 99949999, 81197200000, 119499000000, 119500000000, 7199400000000,
                7199500000000, UINT64_MAX,
        };
        _cleanup_(text_buffer_done) TextBuffer b = {};

        for (uint64_t n = 7; n < 10000000; n *= 10) {
                text_buffer_grouped(&b, n);
                text_buffer_putc(&b, '|');
        }
        text_buffer_grouped(&b, UINT64_MAX);
        for (size_t i = 0; i < ELEMENTSOF(spans); i++) {
                text_buffer_putc(&b, '|');
                text_buffer_span(&b, spans[i]);
        }
        text_buffer_putc(&b, '\0');
        ck_assert_str_eq(b.data, "7|70|700|7,000|70,000|700,000|7,000,000|18,446,744,073,709,551,615|0 ns|999 ns|1.00 µs|999 µs|1.00 ms|1.60 ms|9.99 ms|"
                         "99.9 ms|81.2 s|119 s|2 min 0 s|119 min 59 s|2 h 0 min|5124095 h 34 min");
}
END_TEST

START_TEST(json) {
        _cleanup_(text_buffer_done) TextBuffer b = {};

        text_buffer_json(&b, "");
        text_buffer_json(&b, "a\"b\\c\n\x01\x7f\xc3\xa4");
        text_buffer_putc(&b, '\0');
        ck_assert_str_eq(b.data, "\"\"\"a\\\"b\\\\c\\u000a\\u0001\\u007f\xc3\xa4\"");
}
END_TEST

START_TEST(nothing) {
        _cleanup_(text_buffer_done) TextBuffer b = {};

        text_buffer_puts(&b, "");
        text_buffer_padded(&b, "", 0);
        ck_assert_uint_eq(b.n, 0);
        ck_assert_int_eq(b.error, 0);
}
END_TEST

START_TEST(files) {
        _cleanup_(text_buffer_done) TextBuffer b = {};
        _cleanup_free_ char *text = NULL;
        size_t size = 0, lines = 100000;

        b.file = open_memstream(&text, &size);
        for (size_t i = 0; i < lines; i++)
                text_buffer_put(&b, "0123456789\n", 11);
        ck_assert_uint_lt(b.n, lines * 11); /* it does not keep everything */
        ck_assert_int_eq(text_buffer_flush(&b), 0);
        (void) fclose(b.file);
        ck_assert_uint_eq(size, lines * 11);
        for (size_t i = 0; i < lines; i++)
                ck_assert(memcmp(text + i * 11, "0123456789\n", 11) == 0);
}
END_TEST

START_TEST(errors) {
        _cleanup_(text_buffer_done) TextBuffer b = { .file = fopen("/dev/full", "we") };

        if (!b.file)
                exit(TEST_SKIPPED);
        (void) setvbuf(b.file, NULL, _IONBF, 0);
        text_buffer_puts(&b, "text");
        ck_assert_int_eq(text_buffer_flush(&b), -ENOSPC);
        text_buffer_puts(&b, "more");
        ck_assert_int_eq(text_buffer_flush(&b), -ENOSPC);
        (void) fclose(b.file);
}
END_TEST

TEST_RUN("text-buffer", numbers, numbers_for_people, json, nothing, files, errors);
