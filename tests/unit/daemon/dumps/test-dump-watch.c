/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "dump-watch.h"
#include "format-text.h"
#include "parse-time.h"
#include "scratch.h"

static char *dir, last[256];
static int fd;
static sd_event *event;
static DumpWatch *watch;
static unsigned n_entries, n_directories;

static void on_entry(const char *session, const char *name, bool removed, void *userdata) {
        n_entries++;
        snprintf(last, sizeof(last), "%s/%s%s", session, name, removed ? " removed" : "");
}

static void on_directory(const char *session, void *userdata) {
        n_directories++;
        snprintf(last, sizeof(last), "%s", session);
}

static void on_lost(void *userdata) {
        ck_abort();
}

static void setup(void) {
        const DumpWatchHandler handler = { on_entry, on_directory, on_lost, NULL };

        dir = scratch_new();
        fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        scratch_write_text(dir, "session-a/file", "text");
        n_entries = n_directories = 0;
        ck_assert_int_ge(sd_event_new(&event), 0);
        ck_assert_int_eq(dump_watch_new(event, dir, &handler, &watch), 0);
        ck_assert_int_eq(dump_watch_add(watch, "a"), 0);
}

static void teardown(void) {
        watch = dump_watch_free(watch);
        sd_event_unref(event);
        safe_close(fd);
        scratch_done(&dir);
}

static void await(const char *expected) {
        usec_t end = now_usec(CLOCK_MONOTONIC) + 10 * USEC_PER_SEC;

        while (!streq(last, expected) && now_usec(CLOCK_MONOTONIC) < end)
                ck_assert_int_ge(sd_event_run(event, 100 * USEC_PER_MSEC), 0);
        ck_assert_str_eq(last, expected);
}

START_TEST(test_names) {
        ck_assert_str_eq(dump_directory_session("session-a"), "a");
        ck_assert_str_eq(dump_directory_session("session-unit@b.service"), "unit@b.service");
        ck_assert_ptr_null(dump_directory_session("session-"));
        ck_assert_ptr_null(dump_directory_session("session-unit@"));
        ck_assert_ptr_null(dump_directory_session("session-a b"));
        ck_assert_ptr_null(dump_directory_session("output"));
}
END_TEST

START_TEST(test_entries) {
        ck_assert_int_eq(renameat(fd, "session-a/file", fd, "session-a/renamed"), 0);
        await("a/renamed");
        ck_assert_int_eq(unlinkat(fd, "session-a/renamed", 0), 0);
        await("a/renamed removed");
        ck_assert_uint_eq(n_directories, 0);
        ck_assert_int_eq(dump_watch_add(watch, "nosuch"), -ENOENT);
}
END_TEST

/* Writing to a file causes no wake-up. */
START_TEST(test_writing) {
        _cleanup_close_ int file = openat(fd, "session-a/.#file", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

        ck_assert_int_eq(write(file, "text", 4), 4);
        while (sd_event_run(event, 0) > 0)
                ;
        ck_assert_uint_eq(n_entries, 0);
}
END_TEST

START_TEST(test_directories) {
        ck_assert_int_eq(mkdirat(fd, "session-b", 0700), 0);
        await("b");
        scratch_write_text(dir, "session-b/file", "text");
        await("b/file");
        ck_assert_int_eq(renameat(fd, "session-b", fd, "session-c"), 0);
        await("c");
        ck_assert_int_eq(unlinkat(fd, "session-c/file", 0), 0);
        await("c/file removed");
        ck_assert_int_eq(mkdirat(fd, "other", 0700), 0);
        ck_assert_int_eq(unlinkat(fd, "session-c", AT_REMOVEDIR), 0);
        await("c");
}
END_TEST

CHECK_MAIN_WITH("dump-watch", setup, teardown, test_names, test_entries, test_writing, test_directories);
