/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Directories that come and go, in an ordinary file system. */

#include "slice-watch.h"

#include <sys/stat.h>
#include "check-main.h"
#include "fd-file.h"
#include "scratch.h"
#include "stop-loop.h"

static struct {
        char *root;
        Loop *loop;
        SliceWatch *watch;
        unsigned n;
        int answer;
} test;

static int on_changed(void *userdata) {
        test.n++;
        return test.answer < 0 ? test.answer : stop_loop(test.loop, -EBADF, 0);
}

static void make(const char *name, bool there) {
        _cleanup_free_ char *path = path_join(test.root, name);

        ck_assert_int_eq(there ? mkdir(path, 0755) : rmdir(path), 0);
}

static void setup(void) {
        test.root = scratch_new();
        make("system.slice", true);
        ck_assert_int_eq(loop_new(&test.loop), 0);
        ck_assert_int_eq(slice_watch_new(test.loop, test.root, on_changed, NULL, &test.watch), 0);
}

static void teardown(void) {
        test.watch = slice_watch_free(test.watch);
        test.loop = loop_free(test.loop);
        scratch_done(&test.root);
}

static void assert_changed(void) {
        unsigned n = test.n;

        ck_assert_int_eq(loop_run(test.loop), 0);
        ck_assert_uint_eq(test.n, n + 1);
}

START_TEST(test_units) {
        make("system.slice/a.service", true);
        make("system.slice/b.service", true); /* both at once */
        assert_changed();
        make("system.slice/a.service", false);
        assert_changed();
}
END_TEST

/* Slices that come are watched, however deep they are. */
START_TEST(test_slices) {
        make("system.slice/system-web.slice", true);
        make("system.slice/system-web.slice/system-web-x.slice", true);
        assert_changed();
        make("system.slice/system-web.slice/system-web-x.slice/a.service", true);
        assert_changed();
        make("b.slice", true);
        assert_changed();
        make("b.slice/b.service", true);
        assert_changed();
}
END_TEST

START_TEST(test_failure) {
        test.answer = -ENOMEM;
        make("system.slice/a.service", true);
        ck_assert_int_eq(loop_run(test.loop), -ENOMEM);
}
END_TEST

CHECK_MAIN_WITH("slice-watch", setup, teardown, test_units, test_slices, test_failure);
