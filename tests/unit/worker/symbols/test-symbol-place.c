/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "symbol-place.h"

START_TEST(test_reserved) {
        static const char *const reserved[] = {
                "/left-out", "/left-out/x", "/vmlinux", "/proc", "/proc/kallsyms", "/tmp/perf-7.map", "/tmp/perf-7.map/x",
                "/usr/lib/debug/.build-id", "/usr/lib/debug/.build-id/ab/c.debug", "/usr/lib/debug/.inode/1", "//left-out",
        };
        static const char *const others[] = {
                "/usr/bin/left-out", "/left-outside", "/vmlinux.old", "/process", "/tmp/perf-7.mapped", "/tmp/perf-x.map",
                "/usr/lib/debug/bin/a", "/usr/lib/debug/.build-id2", "/bin/sh",
        };

        for (size_t i = 0; i < ELEMENTSOF(reserved); i++)
                ck_assert_msg(symbol_path_is_reserved(reserved[i]), "%s", reserved[i]);
        for (size_t i = 0; i < ELEMENTSOF(others); i++)
                ck_assert_msg(!symbol_path_is_reserved(others[i]), "%s", others[i]);
}
END_TEST

START_TEST(test_shared) {
        const DsoHit hits[] = { { .path = "/b" }, { .path = "/a" }, { .path = "/c" }, { .path = "/a" }, { .path = "/c" }, { .path = "/c" } };
        SharedPaths s = {};

        ck_assert_int_eq(shared_paths_find(&s, hits, ELEMENTSOF(hits)), 0);
        ck_assert_uint_eq(s.n, 2);
        ck_assert(shared_paths_contain(&s, "/a"));
        ck_assert(shared_paths_contain(&s, "/c"));
        ck_assert(!shared_paths_contain(&s, "/b"));
        shared_paths_done(&s);
        ck_assert_int_eq(shared_paths_find(&s, NULL, 0), 0);
        ck_assert(!shared_paths_contain(&s, "/a"));
        shared_paths_done(&s);
}
END_TEST

CHECK_MAIN("symbol-place", test_reserved, test_shared);
