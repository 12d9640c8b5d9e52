/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "cgroup.h"

#include <check.h>
#include <fcntl.h>
#include "check-main.h"
#include "scratch.h"
#include "strv.h"

static void assert_root(const char *mounts, const char *expected) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *root = NULL, *path = NULL;

        scratch_write_text(dir, "mounts", mounts);
        ck_assert_int_ge(asprintf(&path, "%s/mounts", dir), 0);
        ck_assert_int_eq(cgroup_find_root(path, &root), expected ? 0 : -ENOENT);
        if (expected)
                ck_assert_str_eq(root, expected);
        else
                ck_assert_ptr_null(root);
}

START_TEST(test_root) {
        assert_root("proc /proc proc rw 0 0\ncgroup2 /sys/fs/cgroup cgroup2 rw,nosuid 0 0\n", "/sys/fs/cgroup");
        /* Hybrid: the controllers are mounted as version 1, but not ours. */
        assert_root("cgroup /sys/fs/cgroup/cpu cgroup rw,cpu 0 0\ncgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0\n",
                    "/sys/fs/cgroup/unified");
        /* Version 1 takes the controller from version 2, in any order. */
        assert_root("cgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0\ncgroup /my\\040groups cgroup rw,cpu,perf_event 0 0\n",
                    "/my groups");
        assert_root("tmpfs /perf_event tmpfs rw 0 0\n", NULL);
        assert_root("", NULL);
}
END_TEST

static void assert_path(const char *name, const char *expected) {
        _cleanup_free_ char *path = NULL;

        ck_assert_int_eq(cgroup_path("/cg", name, &path), 0);
        ck_assert_str_eq(path, expected);
}

START_TEST(test_path) {
        assert_path("system.slice/x.service", "/cg/system.slice/x.service");
        assert_path("/system.slice", "/cg/system.slice");
        assert_path("/cg/system.slice", "/cg/system.slice");
        assert_path("/cgroups/x", "/cg/cgroups/x");
        assert_path("/", "/cg/");
        assert_path("/cg", "/cg/");
}
END_TEST

START_TEST(test_open) {
        _cleanup_(scratch_done) char *root = scratch_new();
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_close_ int fd = -EBADF;

        scratch_write_text(root, "a.slice/b.service/cgroup.procs", "");
        fd = cgroup_open(root, "a.slice/b.service", &d);
        ck_assert_int_ge(fd, 0);
        ck_assert(fcntl(fd, F_GETFD) & FD_CLOEXEC);
        ck_assert_int_eq(cgroup_open(root, "a.slice/c.service", &d), -ESRCH);
        ck_assert_msg(startswith(d.sentence, "no access to cgroup a.slice/c.service: "), "%s", d.sentence);
        ck_assert_ptr_nonnull(strstr(d.sentence, root));
}
END_TEST

/* A file is not a group. */
START_TEST(test_open_file) {
        _cleanup_(scratch_done) char *root = scratch_new();

        scratch_write_text(root, "cgroup.procs", "");
        ck_assert_int_eq(cgroup_open(root, "cgroup.procs", NULL), -ESRCH);
}
END_TEST

/* The kernel numbers directories, and so do samples. */
START_TEST(test_id) {
        _cleanup_free_ char *root = NULL;
        struct stat st;
        uint64_t id = 0;

        ck_assert_int_lt(cgroup_read_id("/nonexistent", &id), 0);
        ck_assert_uint_eq(id, 0);
        if (cgroup_find_root(NULL, &root) < 0)
                return;
        ck_assert_int_eq(cgroup_read_id(root, &id), 0);
        ck_assert_int_eq(stat(root, &st), 0);
        ck_assert_uint_eq(id, st.st_ino);
}
END_TEST

static void assert_units(const char *root, const char *pattern, const char *expected) {
        _cleanup_strv_free_ char **units = NULL;
        _cleanup_free_ char *joined = NULL;

        ck_assert_int_eq(cgroup_list_units(root, pattern, &units, NULL), 0);
        joined = strv_join(units, " ");
        ck_assert_str_eq(joined, expected);
}

/* Groups below a service are its own, whatever their names. */
START_TEST(test_units) {
        _cleanup_(scratch_done) char *root = scratch_new();
        _cleanup_strv_free_ char **units = NULL, **slices = NULL;
        _cleanup_free_ char *joined = NULL;

        scratch_write_text(root, "init.scope/cgroup.procs", "");
        scratch_write_text(root, "system.slice/web-2.service/web-9.service/cgroup.procs", "");
        scratch_write_text(root, "system.slice/system-web.slice/_web-1.service/cgroup.procs", "");
        scratch_write_text(root, "system.slice/db.service/cgroup.procs", "");
        scratch_write_text(root, "system.slice/web-3.service", "a file");
        assert_units(root, "web-*.service", "system.slice/system-web.slice/_web-1.service system.slice/web-2.service");
        assert_units(root, "*.s[cl]*", "init.scope system.slice system.slice/system-web.slice");
        assert_units(root, "web-*.scope", "");
        ck_assert_int_eq(cgroup_list_units(root, "none", &units, &slices), 0);
        ck_assert_ptr_null(units);
        joined = strv_join(slices, " ");
        ck_assert_str_eq(joined, " system.slice system.slice/system-web.slice");
        ck_assert_str_eq(cgroup_unit_name("system.slice/_cpu.service"), "cpu.service");
        ck_assert_str_eq(cgroup_unit_name("init.scope"), "init.scope");
}
END_TEST

CHECK_MAIN("cgroup", test_root, test_path, test_open, test_open_file, test_id, test_units);
