/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "enablement.h"
#include "scratch.h"

static char *dir;
static SearchPath path;
static FileChanges changes;

static void setup(void) {
        dir = scratch_new();
        path = (SearchPath){ .n_enabled = 2 };
        ck_assert_int_eq(strv_extendf(&path.directories, "%s/etc", dir), 0);
        ck_assert_int_eq(strv_extendf(&path.directories, "%s/run", dir), 0);
        ck_assert_int_eq(strv_extendf(&path.directories, "%s/usr", dir), 0);
        scratch_write_text(dir, "usr/cpu.session", "[Record]\nFrequency=99\n");
        scratch_write_text(dir, "usr/unit@.session", "[Record]\nUnit=%i\n");
}

static void teardown(void) {
        file_changes_done(&changes);
        search_path_done(&path);
        scratch_done(&dir);
}

static void expect_state(const char *name, FileState expected) {
        FileState state;

        ck_assert_int_eq(file_state_get(&path, name, &state), 0);
        ck_assert_str_eq(file_state_to_string(state), file_state_to_string(expected));
}

/* Checks the changes below the directory, "+PATH" or "-PATH" each, or "+PATH>TARGET" for a link. */
static void expect_changes(const char *expected) {
        _cleanup_strv_free_ char **words = NULL;
        _cleanup_free_ char *seen = NULL;

        for (size_t i = 0; i < changes.n; i++) {
                const FileChange *c = changes.changes + i;

                ck_assert_ptr_nonnull(startswith(c->path, dir));
                ck_assert_int_eq(strv_extendf(&words, "%c%s%s%s", c->created ? '+' : '-', c->path + strlen(dir),
                                              c->target ? ">" : "", c->target ? c->target + strlen(dir) : ""), 0);
        }
        seen = strv_join(words, " ");
        ck_assert_str_eq(seen, expected);
        file_changes_done(&changes);
}

static void set(const char *name, bool enabled, const char *expected) {
        _cleanup_(diagnosis_done) Diagnosis d = {};

        ck_assert_int_eq(enablement_set(&path, name, enabled, &changes, &d), 0);
        expect_changes(expected);
        expect_state(name, enabled ? FILE_STATE_ENABLED : FILE_STATE_DISABLED);
}

START_TEST(test_a_shipped_session) {
        expect_state("cpu", FILE_STATE_DISABLED);
        set("cpu", false, "");
        set("cpu", true, "+/etc/cpu.session.d/50-enabled.conf");
        set("cpu", true, "");
        set("cpu", false, "-/etc/cpu.session.d/50-enabled.conf");
        set("cpu", false, "");
}
END_TEST

START_TEST(test_a_session_of_the_administrator) {
        scratch_write_text(dir, "etc/web.session", "[Record]\nFrequency=99\n");
        expect_state("web", FILE_STATE_ENABLED);
        set("web", true, "");
        set("web", false, "+/etc/web.session.d/50-enabled.conf");
        set("web", false, "");
        scratch_write_text(dir, "etc/web.session.d/a.conf", "[Record]\nFrequency=49\n");
        set("web", true, "-/etc/web.session.d/50-enabled.conf");
        set("web", false, "+/etc/web.session.d/50-enabled.conf");
}
END_TEST

/* All users may read the new files, whatever the umask is. */
START_TEST(test_modes) {
        _cleanup_free_ char *file = NULL, *directory = NULL;
        mode_t before = umask(0077);
        struct stat st;

        set("cpu", true, "+/etc/cpu.session.d/50-enabled.conf");
        (void) umask(before);
        ck_assert_int_gt(asprintf(&directory, "%s/etc/cpu.session.d", dir), 0);
        ck_assert_int_gt(asprintf(&file, "%s/50-enabled.conf", directory), 0);
        ck_assert_int_eq(stat(directory, &st), 0);
        ck_assert_uint_eq(st.st_mode & 07777, 0755);
        ck_assert_int_eq(stat(file, &st), 0);
        ck_assert_uint_eq(st.st_mode & 07777, 0644);
}
END_TEST

START_TEST(test_an_instance) {
        expect_state("unit@nginx.service", FILE_STATE_DISABLED);
        set("unit@nginx.service", false, "");
        set("unit@nginx.service", true, "+/etc/unit@nginx.service.session>/usr/unit@.session");
        set("unit@nginx.service", true, "");
        set("unit@nginx.service", false, "-/etc/unit@nginx.service.session");
        expect_state("unit@other", FILE_STATE_DISABLED);
}
END_TEST

START_TEST(test_an_instance_whose_template_says_no) {
        scratch_write_text(dir, "etc/unit@.session", "[Session]\nEnabled=no\n[Record]\nUnit=%i\n");
        set("unit@x", true, "+/etc/unit@x.session>/etc/unit@.session +/etc/unit@x.session.d/50-enabled.conf");
        set("unit@x", false, "-/etc/unit@x.session.d/50-enabled.conf");
        set("unit@x", true, "+/etc/unit@x.session.d/50-enabled.conf");
}
END_TEST

/* An instance's own file is the administrator's, and a link in another directory is not removed. */
START_TEST(test_an_instance_with_a_file) {
        scratch_write_text(dir, "etc/unit@x.session", "[Record]\nUnit=x\n");
        set("unit@x", false, "+/etc/unit@x.session.d/50-enabled.conf");
        scratch_write_text(dir, "run/unit@y.session", "[Record]\nUnit=y\n");
        set("unit@y", false, "+/etc/unit@y.session.d/50-enabled.conf");
}
END_TEST

static void expect_refusal(const char *name, bool enabled, int error, const char *sentence) {
        _cleanup_(diagnosis_done) Diagnosis d = {};

        ck_assert_int_eq(enablement_set(&path, name, enabled, &changes, &d), error);
        ck_assert_msg(!sentence || strstr(d.sentence, sentence), "%s", d.sentence);
}

START_TEST(test_refusals) {
        _cleanup_free_ char *mask = path_join(dir, "etc/masked.session"), *blocked = path_join(dir, "etc/cpu.session.d");
        FileState state;

        expect_refusal("nosuch", true, -ENOENT, NULL);
        expect_refusal("unit@", true, -EINVAL, NULL);
        ck_assert_int_eq(file_state_get(&path, "nosuch", &state), -ENOENT);
        scratch_write_text(dir, "etc/bad.session", "[Record]\nFrequency=often\n");
        expect_refusal("bad", false, -EBADMSG, "samples per second");
        expect_state("bad", FILE_STATE_BAD);
        ck_assert_int_eq(symlink("/dev/null", mask), 0);
        expect_refusal("masked", true, -ERFKILL, NULL);
        expect_state("masked", FILE_STATE_MASKED);
        scratch_write_text(dir, "etc/cpu.session.d", "a file where the directory would be");
        expect_refusal("cpu", true, -ENOTDIR, "cannot be written");
        ck_assert_int_eq(unlink(blocked), 0);
        expect_changes("");
}
END_TEST

/* A drop-in without effect is removed again. */
START_TEST(test_a_drop_in_that_counts_more) {
        scratch_write_text(dir, "etc/cpu.session.d/90-off.conf", "[Session]\nEnabled=no\n");
        expect_refusal("cpu", true, -EEXIST, "read after 50-enabled.conf says Enabled=no");
        expect_changes("+/etc/cpu.session.d/50-enabled.conf -/etc/cpu.session.d/50-enabled.conf");
        expect_state("cpu", FILE_STATE_DISABLED);
}
END_TEST

CHECK_MAIN_WITH("enablement", setup, teardown, test_a_shipped_session, test_a_session_of_the_administrator, test_modes,
                test_an_instance, test_an_instance_whose_template_says_no, test_an_instance_with_a_file, test_refusals,
                test_a_drop_in_that_counts_more);
