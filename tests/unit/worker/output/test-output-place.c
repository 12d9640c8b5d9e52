/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The places for recordings, and errors before anything is opened. */

#include <check.h>
#include <fcntl.h>
#include <sys/stat.h>
#include "check-main.h"
#include "output-place.h"
#include "scratch.h"

static char *dir;

static void setup(void) {
        dir = scratch_new();
}

static void teardown(void) {
        scratch_done(&dir);
}

static int try(const char *path) {
        _cleanup_(output_place_done) OutputPlace p = OUTPUT_PLACE_EMPTY;
        _cleanup_(diagnosis_done) Diagnosis d = {};
        int r = output_place_open(&p, path, &d);

        ck_assert((r < 0) == (d.sentence != NULL));
        return r < 0 ? r : output_place_is_stream(&p);
}

static int try_in(const char *name) {
        _cleanup_free_ char *path = path_join(dir, name);

        return try(path);
}

START_TEST(test_files) {
        _cleanup_(output_place_done) OutputPlace p = OUTPUT_PLACE_EMPTY;
        _cleanup_free_ char *path = path_join(dir, "perf.data"), *real = realpath(dir, NULL);

        ck_assert_int_eq(output_place_open(&p, path, NULL), 0);
        ck_assert_str_eq(p.shown, path);
        ck_assert_str_eq(p.base, "perf.data");
        ck_assert_str_eq(p.dir, real);
        ck_assert(!output_place_is_stream(&p));
        ck_assert_int_lt(access(path, F_OK), 0); /* nothing is created yet */
        ck_assert_int_eq(chdir(dir), 0);
        ck_assert_int_eq(try("bare"), 0);
        ck_assert_int_eq(try_in("no/such/directory"), -ENOENT);
        ck_assert_int_eq(try(dir), -EISDIR);
        ck_assert_int_eq(symlink("perf.data", "link"), 0);
        ck_assert_int_eq(try("link"), 0);
}
END_TEST

START_TEST(test_streams) {
        _cleanup_free_ char *fifo = path_join(dir, "fifo");
        int fd, p[2];

        ck_assert_int_eq(try("/dev/null"), 1);
        ck_assert_int_eq(mkfifo(fifo, 0600), 0);
        ck_assert_int_eq(try(fifo), -ENXIO);
        fd = open(fifo, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        ck_assert_int_eq(try(fifo), 1);
        ck_assert_int_eq(close(fd), 0);

        ck_assert_int_eq(pipe2(p, O_CLOEXEC), 0);
        ck_assert_int_ge(dup2(p[1], STDOUT_FILENO), 0);
        ck_assert_int_eq(try(NULL), 1); /* perf record | perf report */
        ck_assert_int_eq(try("-"), 1);
        ck_assert_int_eq(try_in("file"), 0);
        fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
        ck_assert_int_ge(dup2(fd, STDOUT_FILENO), 0);
        ck_assert_int_eq(chdir(dir), 0);
        ck_assert_int_eq(try(NULL), 0);
        ck_assert_int_eq(try("-"), 1);
}
END_TEST

/* The test runs as an ordinary user, who may lack access to directories. */
START_TEST(test_what_is_not_allowed) {
        _cleanup_free_ char *sticky = path_join(dir, "sticky"), *file = path_join(dir, "sticky/perf.data"),
                            *closed = path_join(dir, "closed"), *in_closed = path_join(dir, "closed/perf.data");
        int fd;

        if (geteuid() != 0)
                return;
        ck_assert_int_eq(chmod(dir, 0755), 0);
        ck_assert_int_eq(mkdir(sticky, 0755), 0);
        ck_assert_int_eq(chmod(sticky, 01777), 0);
        ck_assert_int_eq(mkdir(closed, 0755), 0);
        fd = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        ck_assert_int_ge(fd, 0);
        ck_assert_int_eq(close(fd), 0);
        ck_assert_int_eq(try(file), 0);
        ck_assert_int_eq(setegid(65534), 0);
        ck_assert_int_eq(seteuid(65534), 0);
        ck_assert_int_eq(try(file), -EPERM);
        ck_assert_int_eq(try(in_closed), -EACCES);
        ck_assert_int_eq(seteuid(0), 0);
}
END_TEST

START_TEST(test_renewed) {
        _cleanup_(output_place_done) OutputPlace p = OUTPUT_PLACE_EMPTY;
        _cleanup_free_ char *sub = path_join(dir, "sub"), *path = path_join(dir, "sub/perf.data");
        struct stat st;
        int fd;

        ck_assert_int_eq(mkdir(sub, 0700), 0);
        ck_assert_int_eq(output_place_open(&p, path, NULL), 0);
        fd = p.dir_fd;
        ck_assert_int_eq(output_place_renew(&p), 0);
        ck_assert_int_eq(rmdir(sub), 0);
        ck_assert_int_eq(output_place_renew(&p), 1);
        ck_assert_int_eq(output_place_renew(&p), 0);
        ck_assert_int_eq(p.dir_fd, fd);
        ck_assert_int_eq(mkdirat(p.dir_fd, "below", 0700), 0);
        ck_assert_int_eq(stat(sub, &st), 0);
        ck_assert_uint_eq(st.st_mode & 07777, 0700);
        ck_assert_int_eq(unlinkat(p.dir_fd, "below", AT_REMOVEDIR), 0);
        ck_assert_int_eq(rmdir(sub), 0); /* another process may create it again */
        ck_assert_int_eq(mkdir(sub, 0700), 0);
        ck_assert_int_eq(output_place_renew(&p), 1);
        ck_assert_int_eq(rmdir(sub), 0);
        ck_assert_int_eq(symlink(dir, sub), 0);
        ck_assert_int_lt(output_place_renew(&p), 0); /* -ENOTDIR or -ELOOP */
        ck_assert_int_eq(unlink(sub), 0);
        if (geteuid() == 0) {
                ck_assert_int_eq(mkdir(sub, 0777), 0);
                ck_assert_int_eq(chown(sub, 65534, 65534), 0);
                ck_assert_int_eq(output_place_renew(&p), -EPERM);
                ck_assert_int_eq(rmdir(sub), 0);
        }
        ck_assert_int_lt(mkdirat(p.dir_fd, "below", 0700), 0);
        ck_assert_int_eq(output_place_renew(&p), 1);
}
END_TEST

CHECK_MAIN_WITH("output-place", setup, teardown, test_files, test_streams, test_what_is_not_allowed, test_renewed);
