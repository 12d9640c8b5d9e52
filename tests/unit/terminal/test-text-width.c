/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Columns of text: narrow, wide, combining, and bytes that are not UTF-8. */

#include "check-main.h"
#include "text-width.h"

START_TEST(test_width) {
        ck_assert_uint_eq(text_width(""), 0);
        ck_assert_uint_eq(text_width("cpu"), 3);
        ck_assert_uint_eq(text_width("Grün"), 4);
        ck_assert_uint_eq(text_width("Gru\u0308n"), 4);
        ck_assert_uint_eq(text_width("録画"), 4);
        ck_assert_uint_eq(text_width("🔥"), 2);
        ck_assert_uint_eq(text_width("a\xff\xc3"), 3);
        ck_assert_uint_eq(text_width("\xc0\xaf"), 2);     /* overlong */
        ck_assert_uint_eq(text_width("\xed\xa0\x80"), 3); /* half of a surrogate pair */
}
END_TEST

static void expect_cut(const char *s, size_t columns, bool utf8, const char *expected) {
        _cleanup_free_ char *cut = text_ellipsize(s, columns, strchr(s, ' '), utf8);

        ck_assert_str_eq(cut, expected);
}

START_TEST(test_ellipsize) {
        expect_cut("recording", 9, true, "recording");
        expect_cut("recording", 8, true, "recordi…");
        expect_cut("recording", 8, false, "recor...");
        expect_cut("recording", 3, false, "rec");
        expect_cut("recording", 1, true, "…");
        expect_cut("two words more", 14, true, "two words more");
        expect_cut("two words more", 13, true, "two words…");
        expect_cut("two words more", 10, true, "two words…");
        expect_cut("two words more", 9, true, "two word…");
        expect_cut("two words more", 12, false, "two words...");
        expect_cut("録画中", 4, true, "録…");
        expect_cut("録画中", 5, true, "録画…");
        expect_cut("", 1, true, "");
}
END_TEST

static void expect_middle(const char *s, size_t columns, bool utf8, const char *expected) {
        _cleanup_free_ char *cut = text_cut_middle(s, columns, utf8);

        ck_assert_str_eq(cut, expected);
        ck_assert_uint_le(text_width(cut), columns);
}

START_TEST(test_cut_middle) {
        expect_middle("recording", 9, true, "recording");
        expect_middle("recording", 8, true, "rec…ding");
        expect_middle("recording", 8, false, "re...ing");
        expect_middle("recording", 4, false, "reng");
        expect_middle("recording", 1, true, "…");
        expect_middle("録画中録画", 6, true, "録…画");
        expect_middle("abcde\u0301\u0302fg", 4, true, "a…fg");
        expect_middle("abcde\u0301\u0302", 3, true, "a…e\u0301\u0302");
        expect_middle("", 1, true, "");
}
END_TEST

static void expect_clean(const char *s, const char *expected) {
        _cleanup_free_ char *clean = text_sanitize(s);

        ck_assert_str_eq(clean, expected);
}

START_TEST(test_sanitize) {
        expect_clean("plain Grün 録", "plain Grün 録");
        expect_clean("a\tb\nc", "a b c");
        expect_clean("\033[31mred\a\x7f", "?[31mred??");
        expect_clean("c1 \xc2\x9b" "31m", "c1 ?31m");
        expect_clean("bad \xff\xe2\x82", "bad \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}
END_TEST

CHECK_MAIN("text-width", test_width, test_ellipsize, test_cut_middle, test_sanitize);
