/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The choice of the editor, its words, and the report of its exit. */

#include "check-main.h"
#include "editor.h"
#include "scratch.h"

static void clear(void) {
        (void) unsetenv("SYSTEMD_EDITOR");
        (void) unsetenv("EDITOR");
        (void) unsetenv("VISUAL");
}

START_TEST(test_choice) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *path = path_join(dir, "file"), *text = NULL;

        clear();
        scratch_write_text(dir, "file", "old\n");
        (void) setenv("VISUAL", "false", 1);
        (void) setenv("EDITOR", "sed -i 's/old/a new one/'", 1);
        ck_assert_int_eq(editor_run(path), 0);
        ck_assert_int_eq(read_file(path, 100, &text, NULL), 0);
        ck_assert_str_eq(text, "a new one\n");
        (void) setenv("SYSTEMD_EDITOR", "false", 1);
        ck_assert_int_eq(editor_run(path), -EIO);
}
END_TEST

START_TEST(test_none) {
        clear();
        (void) setenv("EDITOR", "/nonexistent/editor", 1);
        ck_assert_int_eq(editor_run("/dev/null"), -ENOENT);
        clear();
        (void) setenv("PATH", "/nonexistent", 1);
        ck_assert_int_eq(editor_run("/dev/null"), -ENOENT);
        (void) setenv("EDITOR", "an 'open quote", 1);
        ck_assert_int_eq(editor_run("/dev/null"), -EINVAL);
}
END_TEST

CHECK_MAIN("editor", test_choice, test_none);
