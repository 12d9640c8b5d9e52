/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <sys/stat.h>

#include "check-main.h"
#include "parse-time.h"
#include "scratch.h"
#include "strv.h"
#include "watch.h"

static char *dir, **settings;
static SearchPath search;
static sd_event *event;
static SessionWatch *watch;
static unsigned n_changes;

static void on_changed(void *userdata) {
        n_changes++;
}

static void setup(void) {
        dir = scratch_new();
        scratch_write_text(dir, "etc/sessions.d/there.session", "[Session]\n");
        search = (SearchPath){ .perf_config = path_join(dir, "perf/perfconfig") };
        ck_assert_int_eq(strv_extendf(&search.directories, "%s/etc/sessions.d", dir), 0);
        ck_assert_int_eq(strv_extendf(&search.directories, "%s/run/deep/sessions.d", dir), 0);
        n_changes = 0;
        ck_assert_int_ge(sd_event_new(&event), 0);
        ck_assert_int_eq(strv_extendf(&settings, "%s/etc", dir), 0);
        ck_assert_int_eq(strv_extendf(&settings, "%s/later", dir), 0);
        ck_assert_int_eq(session_watch_new(event, &search, settings, on_changed, NULL, &watch), 0);
}

static void teardown(void) {
        watch = session_watch_free(watch);
        sd_event_unref(event);
        search_path_done(&search);
        settings = strv_free(settings);
        scratch_done(&dir);
}

/* Returns whether a change was reported within the time. */
static bool told(usec_t timeout) {
        usec_t end = now_usec(CLOCK_MONOTONIC) + timeout, now;

        n_changes = 0;
        while (n_changes == 0 && (now = now_usec(CLOCK_MONOTONIC)) < end)
                ck_assert_int_ge(sd_event_run(event, end - now), 0);
        return n_changes > 0;
}

static void expect_change(void) {
        ck_assert(told(5 * USEC_PER_SEC));
}

static void expect_silence(void) {
        ck_assert(!told(500 * USEC_PER_MSEC));
}

static void rename_in(const char *from, const char *to) {
        _cleanup_free_ char *a = path_join(dir, from), *b = path_join(dir, to);

        ck_assert_int_eq(rename(a, b), 0);
}

static void remove_in(const char *name) {
        _cleanup_free_ char *path = path_join(dir, name);

        ck_assert_int_eq(remove(path), 0);
}

static void make_in(const char *name) {
        _cleanup_free_ char *path = path_join(dir, name);

        ck_assert_int_eq(make_directories(path, 0755), 0);
}

START_TEST(test_a_new_file) {
        expect_silence();
        scratch_write_text(dir, "etc/sessions.d/new.session", "[Session]\n");
        expect_change();
        expect_silence();
}
END_TEST

/* Changes are found without the loop, and once. */
START_TEST(test_catching_up) {
        n_changes = 0;
        session_watch_catch_up(watch);
        ck_assert_uint_eq(n_changes, 0);
        scratch_write_text(dir, "etc/sessions.d/new.session", "[Session]\n");
        scratch_write_text(dir, "etc/sessions.d/unrelated", "");
        session_watch_catch_up(watch);
        ck_assert_uint_eq(n_changes, 1);
        session_watch_catch_up(watch);
        ck_assert_uint_eq(n_changes, 1);
        expect_silence();

        /* The loop has seen this change already, and waits for others. */
        scratch_write_text(dir, "run/deep/sessions.d/deep.session", "[Session]\n");
        ck_assert_int_ge(sd_event_run(event, 0), 0);
        ck_assert_uint_eq(n_changes, 0);
        session_watch_catch_up(watch);
        ck_assert_uint_eq(n_changes, 1);
        expect_silence();
        scratch_write_text(dir, "run/deep/sessions.d/deep.session", "[Session]\nEnabled=no\n");
        expect_change();
}
END_TEST

START_TEST(test_a_file_that_is_written) {
        scratch_write_text(dir, "etc/sessions.d/there.session", "[Session]\nEnabled=no\n");
        expect_change();
}
END_TEST

START_TEST(test_a_rename_over_a_file) {
        scratch_write_text(dir, "etc/sessions.d/.there.swp", "[Session]\nEnabled=no\n");
        expect_silence();
        rename_in("etc/sessions.d/.there.swp", "etc/sessions.d/there.session");
        expect_change();
}
END_TEST

START_TEST(test_a_file_that_goes) {
        remove_in("etc/sessions.d/there.session");
        expect_change();
}
END_TEST

START_TEST(test_a_link) {
        _cleanup_free_ char *path = path_join(dir, "etc/sessions.d/masked.session");

        ck_assert_int_eq(symlink("/dev/null", path), 0);
        expect_change();
}
END_TEST

START_TEST(test_other_files_are_nobodys_business) {
        scratch_write_text(dir, "etc/sessions.d/README", "hello");
        scratch_write_text(dir, "etc/sessions.d/there.session~", "[Session]\n");
        scratch_write_text(dir, "etc/other", "hello");
        expect_silence();
}
END_TEST

START_TEST(test_a_drop_in_directory_that_comes_later) {
        make_in("etc/sessions.d/there.session.d");
        expect_change();
        scratch_write_text(dir, "etc/sessions.d/there.session.d/10-more.conf", "[Session]\n");
        expect_change();
        scratch_write_text(dir, "etc/sessions.d/there.session.d/notes.txt", "hello");
        expect_silence();
        remove_in("etc/sessions.d/there.session.d/10-more.conf");
        expect_change();
}
END_TEST

START_TEST(test_a_directory_that_comes_later) {
        make_in("run/unrelated");
        expect_change(); /* "run" is on the path */
        make_in("run/another");
        expect_silence();
        make_in("run/deep");
        expect_change();
        make_in("run/deep/sessions.d");
        expect_change();
        scratch_write_text(dir, "run/deep/sessions.d/new.session", "[Session]\n");
        expect_change();
}
END_TEST

START_TEST(test_a_directory_that_comes_whole) {
        scratch_write_text(dir, "elsewhere/deep/sessions.d/new.session", "[Session]\n");
        rename_in("elsewhere", "run");
        expect_change();
        scratch_write_text(dir, "run/deep/sessions.d/new.session", "[Session]\nEnabled=no\n");
        expect_change();
}
END_TEST

START_TEST(test_a_directory_that_goes_and_comes_back) {
        rename_in("etc/sessions.d", "etc/moved");
        expect_change();
        scratch_write_text(dir, "etc/moved/there.session", "[Session]\nEnabled=no\n");
        expect_silence();
        make_in("etc/sessions.d");
        expect_change();
        scratch_write_text(dir, "etc/sessions.d/there.session", "[Session]\n");
        expect_change();
}
END_TEST

START_TEST(test_a_perfconfig_file) {
        make_in("perf");
        expect_change();
        scratch_write_text(dir, "perf/perfconfig", "[daemon]\n");
        expect_change();
        scratch_write_text(dir, "perf/other", "[daemon]\n");
        expect_silence();
        rename_in("perf/other", "perf/perfconfig");
        expect_change();
        remove_in("perf/perfconfig");
        expect_change();
}
END_TEST

START_TEST(test_settings_of_the_daemon) {
        scratch_write_text(dir, "etc/perf-recorderd.conf", "[Recorder]\n");
        expect_change();
        make_in("etc/perf-recorderd.conf.d");
        expect_change();
        scratch_write_text(dir, "etc/perf-recorderd.conf.d/10-more.conf", "[Recorder]\n");
        expect_change();
        scratch_write_text(dir, "etc/perf-recorderd.conf.d/README", "hello");
        scratch_write_text(dir, "etc/perf-recorderd.conf.new", "[Recorder]\n");
        expect_silence();
        rename_in("etc/perf-recorderd.conf.new", "etc/perf-recorderd.conf");
        expect_change();
        remove_in("etc/perf-recorderd.conf");
        expect_change();
        make_in("later");
        expect_change();
        scratch_write_text(dir, "later/perf-recorderd.conf", "[Recorder]\n");
        expect_change();
}
END_TEST

START_TEST(test_many_changes_are_told_once) {
        for (unsigned i = 0; i < 200; i++) {
                _cleanup_free_ char *name = NULL;

                ck_assert_int_gt(asprintf(&name, "etc/sessions.d/s%u.session", i), 0);
                scratch_write_text(dir, name, "[Session]\n");
        }
        expect_change();
        expect_silence();
}
END_TEST

CHECK_MAIN_WITH("watch", setup, teardown, test_a_new_file, test_catching_up, test_a_file_that_is_written, test_a_rename_over_a_file,
                test_a_file_that_goes, test_a_link, test_other_files_are_nobodys_business,
                test_a_drop_in_directory_that_comes_later, test_a_directory_that_comes_later, test_a_directory_that_comes_whole,
                test_a_directory_that_goes_and_comes_back, test_a_perfconfig_file, test_settings_of_the_daemon,
                test_many_changes_are_told_once);
