/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Directories that come and go, in an ordinary file system: in cgroupfs only their creator differs. */

#include "cgroup-watch.h"

#include <sys/stat.h>
#include "check-main.h"
#include "scratch.h"
#include "stop-loop.h"

static struct {
        char *root;
        Loop *loop;
        CGroupWatch *watch;
        char told[256]; /* "-NAME" and "+NAME" */
        int answer;
} test;

static int tell(char what, const char *name) {
        size_t n = strlen(test.told);

        (void) snprintf(test.told + n, sizeof(test.told) - n, "%c%s ", what, name);
        return test.answer;
}

static int on_gone(void *userdata, const char *name) {
        return tell('-', name);
}

static int on_come(void *userdata, const char *name) {
        return tell('+', name);
}

static void make(const char *name, bool there) {
        _cleanup_free_ char *path = NULL;

        ck_assert_int_gt(asprintf(&path, "%s/%s", test.root, name), 0);
        ck_assert_int_eq(there ? mkdir(path, 0755) : rmdir(path), 0);
}

static void watch(char *const *names) {
        const CGroupWatchHandlers handlers = { .gone = on_gone, .come = on_come };

        ck_assert_int_eq(cgroup_watch_new(test.loop, test.root, names, NULL, &handlers, &test.watch), 0);
}

/* Checks the reports so far: inotify's events exist when mkdir() returns. */
static void assert_told(const char *expected) {
        int timer = loop_add_timer(test.loop, 1000, false, stop_loop, test.loop), r;

        ck_assert_int_ge(timer, 0);
        test.told[0] = '\0';
        r = loop_run(test.loop);
        loop_remove_timer(test.loop, timer);
        ck_assert_int_eq(r, test.answer);
        ck_assert_str_eq(test.told, expected);
}

static void setup(void) {
        test.root = scratch_new();
        ck_assert_int_eq(loop_new(&test.loop), 0);
}

static void teardown(void) {
        test.watch = cgroup_watch_free(test.watch);
        test.loop = loop_free(test.loop);
        scratch_done(&test.root);
}

START_TEST(test_service) {
        setup();
        make("a.slice", true);
        make("a.slice/b", true);
        watch((char *[]) { (char *) "a.slice/b", NULL });
        assert_told("");
        make("a.slice/other", true);
        assert_told("");
        make("a.slice/b", false);
        assert_told("-a.slice/b ");
        make("a.slice/b", true);
        assert_told("+a.slice/b ");
        teardown();
}
END_TEST

/* The slice is removed too, and comes back before the group does. */
START_TEST(test_slice) {
        setup();
        make("a.slice", true);
        make("a.slice/b", true);
        watch((char *[]) { (char *) "/a.slice/b", NULL });
        make("a.slice/b", false);
        make("a.slice", false);
        assert_told("-/a.slice/b ");
        make("a.slice", true);
        assert_told("");
        make("a.slice/b", true);
        assert_told("+/a.slice/b ");
        make("a.slice/b", false);
        assert_told("-/a.slice/b ");
        teardown();
}
END_TEST

START_TEST(test_two) {
        setup();
        make("a", true);
        watch((char *[]) { (char *) "a", (char *) "b", NULL });
        make("b", true);
        make("a", false);
        assert_told("-a +b ");
        teardown();
}
END_TEST

/* The recorded groups are others than those that exist when the watch begins. */
START_TEST(test_recorded_before) {
        const CGroupWatchHandlers handlers = { .gone = on_gone, .come = on_come };
        char *names[] = { (char *) "same", (char *) "other", (char *) "gone", NULL };
        uint64_t inodes[] = { 0, 1, 2 };
        struct stat st;
        _cleanup_free_ char *path = NULL;

        setup();
        make("same", true);
        make("other", true);
        ck_assert_int_gt(asprintf(&path, "%s/same", test.root), 0);
        ck_assert_int_eq(stat(path, &st), 0);
        inodes[0] = st.st_ino;
        ck_assert_int_eq(cgroup_watch_new(test.loop, test.root, names, inodes, &handlers, &test.watch), 0);
        ck_assert_str_eq(test.told, "");
        ck_assert_int_eq(cgroup_watch_look(test.watch), 0);
        ck_assert_str_eq(test.told, "-other +other -gone ");
        assert_told("");
        make("gone", true);
        assert_told("+gone ");
        teardown();
}
END_TEST

START_TEST(test_error) {
        setup();
        watch((char *[]) { (char *) "a", NULL });
        make("a", true);
        test.answer = -EIO;
        assert_told("+a ");
        teardown();
}
END_TEST

CHECK_MAIN("cgroup-watch", test_service, test_slice, test_two, test_recorded_before, test_error);
