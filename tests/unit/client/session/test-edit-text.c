/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The text for the editor, and the part of it that is kept. */

#include "check-main.h"
#include "edit-text.h"

static void expect_kept(const char *edited, const char *expected) {
        _cleanup_free_ char *copy = strdup(edited);

        ck_assert_str_eq(edit_text_strip(copy), expected);
}

START_TEST(test_strip) {
        expect_kept("[Session]\nRun=x\n", "[Session]\nRun=x\n");
        expect_kept("[Session]\nRun=x", "[Session]\nRun=x");
        expect_kept("\n \n\n  indented\n\n\n", "  indented\n");
        expect_kept("", "");
        expect_kept(" \n\t\n", "");
}
END_TEST

START_TEST(test_round_trip) {
        _cleanup_free_ char *untouched = edit_text_make("/etc/x.conf", NULL, "[Session]\n\nRun=y\n");
        _cleanup_free_ char *existing = edit_text_make("/etc/x.conf", "[Record]\nFrequency=9\n", "[Session]\n");
        _cleanup_free_ char *alone = edit_text_make("/etc/x.session", "[Session]\nRun=z\n", NULL);

        ck_assert_ptr_nonnull(strstr(untouched, "/etc/x.conf"));
        ck_assert_ptr_nonnull(strstr(untouched, "\n# [Session]\n#\n# Run=y\n"));
        ck_assert_str_eq(edit_text_strip(untouched), "");
        ck_assert_str_eq(edit_text_strip(existing), "[Record]\nFrequency=9\n");
        ck_assert_str_eq(edit_text_strip(alone), "[Session]\nRun=z\n");
}
END_TEST

/* If the user removes the lower mark, all of the text counts. */
START_TEST(test_mark_removed) {
        _cleanup_free_ char *text = edit_text_make("/etc/x.conf", "[Session]\n", NULL);

        *strstr(text, "### Lines below") = '\0';
        ck_assert_str_eq(edit_text_strip(text), "[Session]\n");
}
END_TEST

CHECK_MAIN("edit-text", test_strip, test_round_trip, test_mark_removed);
