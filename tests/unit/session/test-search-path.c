/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Search paths of the system, of the user, and of the environment. */

#include "check-main.h"
#include "load.h"
#include "search-path.h"

static void assert_path(const SearchPath *p, const char *expected, size_t n_enabled) {
        _cleanup_free_ char *joined = strv_join(p->directories, ":");

        ck_assert_str_eq(joined, expected);
        ck_assert_uint_eq(p->n_enabled, n_enabled);
}

START_TEST(test_system) {
        _cleanup_(search_path_done) SearchPath p = {};

        unsetenv("PERF_RECORDER_SESSION_PATH");
        ck_assert_int_eq(search_path_init(&p, false), 0);
        assert_path(&p, "/etc/perf-recorder/sessions.d:/run/perf-recorder/sessions.d:"
                        "/usr/local/lib/perf-recorder/sessions.d:/usr/lib/perf-recorder/sessions.d", 2);
}
END_TEST

START_TEST(test_user) {
        _cleanup_(search_path_done) SearchPath p = {}, q = {};
        _cleanup_free_ char *expected = NULL;

        unsetenv("PERF_RECORDER_SESSION_PATH");
        setenv("HOME", "/home/u", 1);
        setenv("XDG_CONFIG_HOME", "/cfg", 1);
        setenv("XDG_RUNTIME_DIR", "/rt", 1);
        ck_assert_int_eq(search_path_init(&p, true), 0);
        assert_path(&p, "/cfg/perf-recorder/sessions.d:/rt/perf-recorder/sessions.d:"
                        "/usr/local/lib/perf-recorder/sessions.d:/usr/lib/perf-recorder/sessions.d", 2);

        setenv("XDG_CONFIG_HOME", "relative", 1);
        unsetenv("XDG_RUNTIME_DIR");
        ck_assert_int_eq(search_path_init(&q, true), 0);
        ck_assert_int_gt(asprintf(&expected, "/home/u/.config/perf-recorder/sessions.d:/run/user/%u/perf-recorder/sessions.d:"
                                  "/usr/local/lib/perf-recorder/sessions.d:/usr/lib/perf-recorder/sessions.d",
                                  (unsigned) getuid()), 0);
        assert_path(&q, expected, 2);
}
END_TEST

START_TEST(test_user_without_home) {
        SearchPath p = {};

        unsetenv("PERF_RECORDER_SESSION_PATH");
        unsetenv("XDG_CONFIG_HOME");
        unsetenv("HOME");
        ck_assert_int_eq(search_path_init(&p, true), -ENOENT);
        ck_assert_ptr_null(p.directories);
}
END_TEST

START_TEST(test_environment) {
        _cleanup_(search_path_done) SearchPath p = {};
        _cleanup_strv_free_ char **elements = NULL;

        setenv("PERF_RECORDER_SESSION_PATH", "/a:relative::/b/c", 1);
        ck_assert_int_eq(search_path_init(&p, false), 0);
        assert_path(&p, "/a:/b/c", 2);

        setenv("PERF_RECORDER_SESSION_PATH", "relative", 1);
        ck_assert_int_eq(search_path_from_environment("PERF_RECORDER_SESSION_PATH", &elements), 0);
        unsetenv("PERF_RECORDER_SESSION_PATH");
        ck_assert_int_eq(search_path_from_environment("PERF_RECORDER_SESSION_PATH", &elements), 0);
        ck_assert_ptr_null(elements);
}
END_TEST

START_TEST(test_roots) {
        _cleanup_strv_free_ char **roots = NULL;

        ck_assert_int_eq(search_path_roots(false, &roots), 0);
        ck_assert_str_eq(roots[0], "/etc/perf-recorder");
        ck_assert_uint_eq(strv_length(roots), 4);
}
END_TEST

CHECK_MAIN("search-path", test_system, test_user, test_user_without_home, test_environment, test_roots);
