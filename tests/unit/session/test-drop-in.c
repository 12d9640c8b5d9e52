/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Drop-ins: one order by name, precedence by directory. */

#include "check-main.h"
#include "drop-in.h"
#include "scratch.h"

static char **directories_in(const char *dir, const char *first, const char *second) {
        char **l = NULL;

        ck_assert_int_eq(strv_consume(&l, path_join(dir, first)), 0);
        ck_assert_int_eq(strv_consume(&l, path_join(dir, second)), 0);
        return l;
}

START_TEST(test_order) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_strv_free_ char **directories = directories_in(dir, "etc", "usr"), **paths = NULL;

        scratch_write_text(dir, "etc/20-b.conf", "x");
        scratch_write_text(dir, "etc/50-both.conf", "x");
        scratch_write_text(dir, "etc/note.txt", "x");
        scratch_write_text(dir, "etc/.conf", "x");
        scratch_write_text(dir, "usr/10-a.conf", "x");
        scratch_write_text(dir, "usr/50-both.conf", "x");
        scratch_write_text(dir, "usr/90-z.conf", "x");

        ck_assert_int_eq(drop_ins_find(directories, &paths, NULL), 0);
        ck_assert_uint_eq(strv_length(paths), 4);
        ck_assert_str_eq(paths[0] + strlen(dir), "/usr/10-a.conf");
        ck_assert_str_eq(paths[1] + strlen(dir), "/etc/20-b.conf");
        ck_assert_str_eq(paths[2] + strlen(dir), "/etc/50-both.conf");
        ck_assert_str_eq(paths[3] + strlen(dir), "/usr/90-z.conf");
}
END_TEST

START_TEST(test_none) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_strv_free_ char **directories = directories_in(dir, "file", "nowhere"), **paths = NULL;

        scratch_write_text(dir, "file", "x");
        ck_assert_int_eq(drop_ins_find(directories, &paths, NULL), 0);
        ck_assert_ptr_null(paths);
        ck_assert_int_eq(drop_ins_find(NULL, &paths, NULL), 0);
        ck_assert_ptr_null(paths);
}
END_TEST

START_TEST(test_limit) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_strv_free_ char **directories = directories_in(dir, "etc", "usr"), **paths = NULL;
        _cleanup_(diagnosis_done) Diagnosis d = {};
        char name[32];

        for (unsigned i = 0; i < DROP_INS_MAX + 1; i++) {
                (void) snprintf(name, sizeof(name), "etc/%u.conf", i);
                scratch_write_text(dir, name, "x");
        }
        ck_assert_int_eq(drop_ins_find(directories, &paths, &d), -E2BIG);
        ck_assert_str_eq(d.file, directories[0]);
        ck_assert_str_eq(d.sentence, "more than 256 files");
        ck_assert_ptr_null(paths);
}
END_TEST

CHECK_MAIN("drop-in", test_order, test_none, test_limit);
