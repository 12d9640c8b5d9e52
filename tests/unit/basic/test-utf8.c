/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "utf8.h"

START_TEST(test_decode) {
        static const struct {
                const char *s;
                size_t size, n;
                uint32_t c;
        } cases[] = {
                { "a", SIZE_MAX, 1, 'a' },
                { "é", SIZE_MAX, 2, 0xe9 },
                { "録", SIZE_MAX, 3, 0x9332 },
                { "\xf4\x8f\xbf\xbf", SIZE_MAX, 4, 0x10ffff },
                { "é", 1, 0, 0 },                        /* cut */
                { "\xc3", SIZE_MAX, 0, 0 },              /* ends within */
                { "\xa9", SIZE_MAX, 0, 0 },              /* begins within */
                { "\xc1\xbf", SIZE_MAX, 0, 0 },          /* overlong */
                { "\xe0\x9f\xbf", SIZE_MAX, 0, 0 },
                { "\xed\xa0\x80", SIZE_MAX, 0, 0 },      /* a surrogate */
                { "\xf4\x90\x80\x80", SIZE_MAX, 0, 0 },  /* beyond U+10FFFF */
                { "\xff", SIZE_MAX, 0, 0 },
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                uint32_t c = 0;

                ck_assert_uint_eq(utf8_decode(cases[i].s, cases[i].size, &c), cases[i].n);
                ck_assert_uint_eq(c, cases[i].c);
        }
}
END_TEST

START_TEST(test_prefix) {
        ck_assert_int_eq(utf8_prefix("abc", 10), 3);
        ck_assert_int_eq(utf8_prefix("abc", 2), 2);
        ck_assert_int_eq(utf8_prefix("aé", 3), 3);
        ck_assert_int_eq(utf8_prefix("aé", 2), 1);
        ck_assert_int_eq(utf8_prefix("録録", 5), 3);
        ck_assert_int_eq(utf8_prefix("é", 1), 0);
        ck_assert_int_eq(utf8_prefix("\x80\x80\x80\x80\x80\x80", 5), 2); /* not a character: some cut */
}
END_TEST

static void expect(char *(*f)(const char *s, size_t size, size_t max), const char *s, size_t size, size_t max,
                   const char *expected) {
        _cleanup_free_ char *text = f(s, size, max);

        ck_assert_str_eq(text, expected);
}

START_TEST(test_text) {
        expect(utf8_text, "plain Grün 録\n\ttext", SIZE_MAX, SIZE_MAX, "plain Grün 録\n\ttext");
        expect(utf8_text, "", SIZE_MAX, SIZE_MAX, "");
        expect(utf8_text, "bad \xff\xe2\x82.", SIZE_MAX, SIZE_MAX, "bad \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd.");
        expect(utf8_text, "aéb", 2, SIZE_MAX, "a\xef\xbf\xbd"); /* the text ends within a character */
        expect(utf8_text, "aéb", SIZE_MAX, 2, "a");             /* the requested length does not */
        expect(utf8_text, "aéb", SIZE_MAX, 3, "aé");
        expect(utf8_text, "\xff\xff", SIZE_MAX, 4, "\xef\xbf\xbd");
}
END_TEST

START_TEST(test_line) {
        char buf[6];

        expect(utf8_line, "a\tb\nc\r", SIZE_MAX, SIZE_MAX, "a b c ");
        expect(utf8_line, "\033[31mred\a\x7f", SIZE_MAX, SIZE_MAX, "?[31mred??");
        expect(utf8_line, "c1 \xc2\x9b" "31m", SIZE_MAX, SIZE_MAX, "c1 ?31m");
        expect(utf8_line, "a\u202eb\u202ac\u2066d\u2069\u2028e\u2029", SIZE_MAX, SIZE_MAX, "a?b?c?d??e?");
        expect(utf8_line, "\u2027\u202f\u2065\u206a", SIZE_MAX, SIZE_MAX, "\u2027\u202f\u2065\u206a");
        ck_assert(utf8_line_to(buf, sizeof(buf), "aéé"));
        ck_assert_str_eq(buf, "aéé");
        ck_assert(!utf8_line_to(buf, sizeof(buf), "aaéé"));
        ck_assert_str_eq(buf, "aaé");
}
END_TEST

CHECK_MAIN("utf8", test_decode, test_prefix, test_text, test_line);
