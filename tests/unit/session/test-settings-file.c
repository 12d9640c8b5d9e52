/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* One settings file, and other kinds of files under its name. */

#include "check-main.h"
#include "scratch.h"
#include "settings-file.h"

/* Accepts [A] with the key "good", which only takes "yes". */
static int set_one(const char *section, const char *key, const char *value, Diagnosis *d, void *userdata) {
        unsigned *n = userdata;

        if (!streq(section, "A"))
                return diagnosis_set(d, -ENOKEY, "unknown section");
        if (!key)
                return 0;
        if (!streq(key, "good"))
                return diagnosis_set(d, -ENOKEY, "unknown key");
        if (!streq(value, "yes"))
                return diagnosis_set(d, -ERANGE, "not yes");
        (*n)++;
        return 0;
}

/* Parses dir/name; the message is expected with "DIR" in the place of dir. */
static void assert_message(const char *dir, const char *name, int error, const char *message) {
        _cleanup_free_ char *path = path_join(dir, name), *text = NULL;
        _cleanup_strv_free_ char **warnings = NULL;
        _cleanup_(diagnosis_done) Diagnosis d = {};
        unsigned n = 0;

        ck_assert_int_eq(settings_file_parse(path, set_one, &n, &warnings, NULL, &d), error);
        text = diagnosis_format(&d);
        ck_assert_ptr_nonnull(startswith(text, dir));
        ck_assert_str_eq(text + strlen(dir), message);
}

START_TEST(test_good) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *path = path_join(dir, "f");
        _cleanup_strv_free_ char **warnings = NULL;
        unsigned n = 0;

        scratch_write_text(dir, "f", "[A]\ngood=yes\ngood=yes\nX-mine=1\n[X-Mine]\nanything=1\n[A]\ngood=yes\n");
        ck_assert_int_eq(settings_file_parse(path, set_one, &n, &warnings, NULL, NULL), 0);
        ck_assert_uint_eq(n, 3);
        ck_assert_ptr_null(warnings);
}
END_TEST

START_TEST(test_warnings) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *path = path_join(dir, "f");
        _cleanup_strv_free_ char **warnings = NULL;
        unsigned n = 0;

        scratch_write_text(dir, "f", "[A]\nbad=1\ngood=yes\n[B]\ngood=no\n");
        ck_assert_int_eq(settings_file_parse(path, set_one, &n, &warnings, NULL, NULL), 0);
        ck_assert_uint_eq(n, 1);
        ck_assert_uint_eq(strv_length(warnings), 2);
        ck_assert_str_eq(warnings[0] + strlen(path), ":2: bad: unknown key");
        ck_assert_str_eq(warnings[1] + strlen(path), ":4: unknown section");
}
END_TEST

START_TEST(test_limit_of_warnings) {
        _cleanup_strv_free_ char **warnings = NULL;
        _cleanup_(diagnosis_done) Diagnosis d = {};

        (void) diagnosis_set(&d, 0, "one");
        for (unsigned i = 0; i < WARNINGS_MAX + 10; i++)
                ck_assert_int_eq(warnings_add(&warnings, &d), 0);
        ck_assert_uint_eq(strv_length(warnings), WARNINGS_MAX + 1);
        ck_assert_str_eq(warnings[WARNINGS_MAX - 1], "one");
        ck_assert_str_eq(warnings[WARNINGS_MAX], "There are more warnings, which are left out");
}
END_TEST

START_TEST(test_wrong_value) {
        _cleanup_(scratch_done) char *dir = scratch_new();

        scratch_write_text(dir, "f", "[A]\n\ngood=maybe\n");
        assert_message(dir, "f", -ERANGE, "/f:3: good: not yes");
        scratch_write_text(dir, "g", "secret\n");
        assert_message(dir, "g", -EINVAL, "/g:1: not an assignment, expected Key=value, [Section] or a # comment");
}
END_TEST

/* A check reports all errors and the lines of all other keys, and skips those of an unknown section. */
START_TEST(test_report) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_(settings_report_done) SettingsReport report = {};
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_strv_free_ char **warnings = NULL;
        _cleanup_free_ char *path = path_join(dir, "f"), *text = NULL;
        unsigned n = 0;

        scratch_write_text(dir, "f", "[A]\ngood=no\ngood=yes\nbad=1\ngood=perhaps\n[A\ngood=yes\n");
        ck_assert_int_eq(settings_file_parse(path, set_one, &n, &warnings, &report, &d), -ERANGE);
        text = diagnosis_format(&d);
        ck_assert_str_eq(text + strlen(dir), "/f:2: good: not yes");
        ck_assert_uint_eq(strv_length(report.errors), 3);
        ck_assert_str_eq(report.errors[0], text);
        ck_assert_str_eq(report.errors[1] + strlen(dir), "/f:5: good: not yes");
        ck_assert_ptr_nonnull(strstr(report.errors[2], "/f:6: not a section"));
        ck_assert_uint_eq(strv_length(warnings), 1);
        ck_assert_uint_eq(settings_report_line(&report, "A", "good", NULL), 3);
        ck_assert_uint_eq(n, 1);
}
END_TEST

START_TEST(test_masks) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *empty = path_join(dir, "empty"), *null = path_join(dir, "null");
        unsigned n = 0;

        scratch_write_text(dir, "empty", "");
        ck_assert_int_eq(symlink("/dev/null", null), 0);
        ck_assert_int_eq(settings_file_parse(empty, set_one, &n, NULL, NULL, NULL), -ERFKILL);
        ck_assert_int_eq(settings_file_parse(null, set_one, &n, NULL, NULL, NULL), -ERFKILL);
}
END_TEST

START_TEST(test_not_files) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *fifo = path_join(dir, "fifo"), *link = path_join(dir, "link"), *loop = path_join(dir, "loop"),
                            *zero = path_join(dir, "zero"), *large = malloc(1048577);

        ck_assert_int_eq(mkfifo(fifo, 0600), 0);
        ck_assert_int_eq(symlink("nowhere", link), 0);
        ck_assert_int_eq(symlink("loop", loop), 0);
        ck_assert_int_eq(symlink("/dev/zero", zero), 0);
        memset(large, '\n', 1048577);
        scratch_write(dir, "large", large, 1048577);
        scratch_write_text(dir, "directory/x", "");

        assert_message(dir, "fifo", -EBADFD, "/fifo: a FIFO, socket or device, where a file is expected");
        assert_message(dir, "zero", -EBADFD, "/zero: a FIFO, socket or device, where a file is expected");
        assert_message(dir, "directory", -EISDIR, "/directory: a directory, where a file is expected");
        assert_message(dir, "link", -ENOENT, "/link: a link to a file that is not there");
        assert_message(dir, "loop", -ELOOP, "/loop: cannot be read: Too many levels of symbolic links");
        assert_message(dir, "large", -EFBIG, "/large: a file of more than 1048576 bytes");
}
END_TEST

CHECK_MAIN("settings-file", test_good, test_warnings, test_limit_of_warnings, test_wrong_value, test_report,
           test_masks, test_not_files);
