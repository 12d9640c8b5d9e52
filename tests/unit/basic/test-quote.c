/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Words of a line: the quotes of a shell, the limit, and lines that read back as written. */

#include "check-main.h"
#include "quote.h"
#include "strv.h"

static const struct {
        const char *line;
        int r;
        const char *words; /* joined by "|" */
} cases[] = {
        { "", 0, "" },
        { " \t\n", 0, "" },
        { "a b  c", 0, "a|b|c" },
        { "'a b' c", 0, "a b|c" },
        { "\"a b\"c", 0, "a bc" },
        { "a''b ''", 0, "ab|" },
        { "a\\ b \\\\", 0, "a b|\\" },
        { "'a\\b'", 0, "a\\b" },
        { "\"a\\\"b\\c\\\\\"", 0, "a\"b\\c\\" },
        { "\"it's\" 'say \"x\"'", 0, "it's|say \"x\"" },
        { "$HOME * ~ ; # a", 0, "$HOME|*|~|;|#|a" },
        { "'a", -EINVAL, NULL },
        { "a \"b", -EINVAL, NULL },
        { "a\\", -EINVAL, NULL },
        { "\"a\\", -EINVAL, NULL },
};

START_TEST(test_split) {
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_strv_free_ char **words = NULL;
                _cleanup_free_ char *joined = NULL;

                ck_assert_msg(split_words(cases[i].line, 16, &words) == cases[i].r, "%s", cases[i].line);
                if (cases[i].r < 0) {
                        ck_assert_ptr_null(words);
                        continue;
                }
                joined = strv_join(words, "|");
                ck_assert_str_eq(joined, cases[i].words);
        }
}
END_TEST

START_TEST(test_names) {
        _cleanup_strv_free_ char **words = NULL;
        _cleanup_free_ char *joined = NULL;

        ck_assert_int_eq(split_names("a\\x2db 'c\\ d' \"e\\\"\nf\\", 16, &words), 0);
        joined = strv_join(words, "|");
        ck_assert_str_eq(joined, "a\\x2db|c\\ d|e\\|f\\");
        ck_assert_int_eq(split_names("'a", 16, &words), -EINVAL);
}
END_TEST

START_TEST(test_limit) {
        _cleanup_strv_free_ char **words = NULL;

        ck_assert_int_eq(split_words("a b c", 2, &words), -E2BIG);
        ck_assert_ptr_null(words);
        ck_assert_int_eq(split_words("a b ", 2, &words), 0);
        ck_assert_uint_eq(strv_length(words), 2);
}
END_TEST

START_TEST(test_quote) {
        static const char *const words[] = { "-F", "99", "-e", "sched:*", "a b", "", "it's", "x=1,2", "$(id)", NULL };
        _cleanup_free_ char *line = quote_words((char *const *) words);

        ck_assert_str_eq(line, "-F 99 -e 'sched:*' 'a b' '' 'it'\\''s' x=1,2 '$(id)'");
}
END_TEST

START_TEST(test_round_trip) {
        static const char *const words[] = { "a\\b", "\"", "'", "''", " ", "\t\n", "\\", "\xc3\xa4", "-", "#", "a\"b'c d\\", NULL };
        _cleanup_free_ char *line = quote_words((char *const *) words), *empty = quote_words(NULL);
        _cleanup_strv_free_ char **back = NULL;

        ck_assert_int_eq(split_words(line, 100, &back), 0);
        ck_assert(strv_equal(back, (char *const *) words));
        ck_assert_str_eq(empty, "");
}
END_TEST

CHECK_MAIN("quote", test_split, test_names, test_limit, test_quote, test_round_trip);
