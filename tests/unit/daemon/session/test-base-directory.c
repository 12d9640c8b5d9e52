/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base-directory.h"
#include "check-main.h"
#include "directory-tree.h"
#include "scratch.h"

static char *dir, *path;
static BaseDirectory base = BASE_DIRECTORY_EMPTY;

static void setup(void) {
        dir = scratch_new();
        path = path_join(dir, "deep/base");
}

static void teardown(void) {
        base_directory_done(&base);
        scratch_done(&dir);
        free(path);
}

static void open_base(void) {
        pid_t owner;

        ck_assert_int_eq(base_directory_open(&base, path, &owner), 0);
}

static mode_t mode_of(const char *name) {
        struct stat st;

        ck_assert_int_eq(fstatat(base.fd, name, &st, AT_SYMLINK_NOFOLLOW), 0);
        return st.st_mode & 07777;
}

START_TEST(test_makes_it_for_root_alone) {
        mode_t mask = umask(0);

        open_base();
        (void) umask(mask);
        ck_assert_uint_eq(mode_of("."), 0700);
        ck_assert_uint_eq(mode_of("lock"), 0600);
        ck_assert_uint_eq(mode_of("output"), 0600);
}
END_TEST

START_TEST(test_an_open_directory_is_closed_to_others) {
        ck_assert_int_eq(make_directories(path, 0755), 0);
        open_base();
        ck_assert_uint_eq(mode_of("."), 0700);
}
END_TEST

START_TEST(test_second_daemon) {
        _cleanup_(base_directory_done) BaseDirectory other = BASE_DIRECTORY_EMPTY;
        pid_t owner = 0;

        open_base();
        ck_assert_int_eq(base_directory_open(&other, path, &owner), -EBUSY);
        ck_assert_int_eq(owner, getpid());
        ck_assert_int_eq(other.fd, -EBADF);
        base_directory_done(&base);
        ck_assert_int_eq(base_directory_open(&other, path, &owner), 0);
}
END_TEST

START_TEST(test_lock_goes_with_its_process) {
        pid_t pid = fork(), owner;

        if (pid == 0)
                _exit(base_directory_open(&base, path, &owner) == 0 ? 0 : 1);
        ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
        open_base();
}
END_TEST

START_TEST(test_a_lock_that_is_a_link) {
        _cleanup_free_ char *lock = path_join(path, "lock");
        pid_t owner;

        scratch_write_text(dir, "elsewhere", "precious");
        ck_assert_int_eq(make_directories(path, 0700), 0);
        ck_assert_int_eq(symlink("../../elsewhere", lock), 0);
        ck_assert_int_eq(base_directory_open(&base, path, &owner), -ELOOP);
}
END_TEST

START_TEST(test_a_file_in_its_place) {
        pid_t owner;

        scratch_write_text(dir, "deep/base", "");
        ck_assert_int_eq(base_directory_open(&base, path, &owner), -ENOTDIR);
}
END_TEST

START_TEST(test_session_directory) {
        _cleanup_close_ int fd = -EBADF, again = -EBADF, linked = -EBADF;

        open_base();
        ck_assert_int_eq(base_directory_open_session(&base, "a@b", &fd), 0);
        ck_assert_uint_eq(mode_of("session-a@b"), 0700);
        ck_assert_int_eq(base_directory_open_session(&base, "a@b", &again), 0);
        ck_assert_int_eq(symlinkat("/tmp", base.fd, "session-link"), 0);
        ck_assert_int_eq(base_directory_open_session(&base, "link", &linked), -ENOTDIR);
        ck_assert_int_eq(linked, -EBADF);
}
END_TEST

START_TEST(test_removed_and_made_again) {
        BaseDirectory other = BASE_DIRECTORY_EMPTY;
        int session = -EBADF, before;
        pid_t owner;

        open_base();
        ck_assert(!base_directory_is_missing(&base));
        before = base.fd;
        ck_assert_int_eq(directory_tree_remove(AT_FDCWD, path), 0);
        ck_assert(base_directory_is_missing(&base));
        ck_assert_int_eq(base_directory_make_again(&base), 0);
        ck_assert(!base_directory_is_missing(&base));
        ck_assert_int_eq(base.fd, before);
        ck_assert_int_eq(base_directory_open_session(&base, "cpu", &session), 0);
        safe_close(session);
        ck_assert_int_eq(base_directory_open(&other, path, &owner), -EBUSY);
}
END_TEST

START_TEST(test_fifos_are_made_anew) {
        SessionFifos old, fresh;
        char byte = 'x';

        open_base();
        ck_assert_int_eq(session_directory_open_fifos(base.fd, true, &old), 0);
        ck_assert_int_eq(write(old.control_fd, &byte, 1), 1);
        ck_assert_int_eq(session_directory_open_fifos(base.fd, true, &fresh), 0);
        ck_assert_int_eq(read(fresh.control_fd, &byte, 1), -1);
        ck_assert_int_eq(errno, EAGAIN);
        ck_assert_uint_eq(mode_of("control"), 0600);
        ck_assert_uint_eq(mode_of("ack"), 0600);
        session_fifos_close(&old);
        session_fifos_close(&fresh);
}
END_TEST

START_TEST(test_a_directory_in_place_of_a_fifo) {
        SessionFifos fifos = SESSION_FIFOS_EMPTY;

        open_base();
        ck_assert_int_eq(mkdirat(base.fd, "ack", 0700), 0);
        ck_assert_int_eq(session_directory_open_fifos(base.fd, true, &fifos), -EISDIR);
        ck_assert_int_eq(fifos.control_fd, -EBADF);
}
END_TEST

START_TEST(test_a_file_in_place_of_a_fifo) {
        SessionFifos fifos = SESSION_FIFOS_EMPTY;

        open_base();
        ck_assert_int_eq(session_directory_open_fifos(base.fd, false, &fifos), -ENOENT);
        ck_assert_int_eq(linkat(base.fd, "output", base.fd, "control", 0), 0);
        ck_assert_int_eq(session_directory_open_fifos(base.fd, false, &fifos), -EBADFD);
        ck_assert_int_eq(fifos.control_fd, -EBADF);
}
END_TEST

START_TEST(test_moved) {
        _cleanup_free_ char *elsewhere = path_join(dir, "elsewhere");

        open_base();
        ck_assert_int_eq(rename(path, elsewhere), 0);
        ck_assert(base_directory_is_missing(&base));
        ck_assert_int_eq(make_directories(path, 0700), 0); /* another one in its place */
        ck_assert(base_directory_is_missing(&base));
        ck_assert_int_eq(base_directory_make_again(&base), 0);
        ck_assert(!base_directory_is_missing(&base));
        ck_assert_uint_eq(mode_of("lock"), 0600);
}
END_TEST

START_TEST(test_output) {
        _cleanup_close_ int fd = -EBADF, kept = -EBADF, emptied = -EBADF, fifo = -EBADF;
        struct stat st;

        open_base();
        ck_assert_int_eq(session_directory_open_output(base.fd, true, &fd), 0);
        ck_assert_int_eq(write(fd, "line\n", 5), 5);
        ck_assert_int_eq(session_directory_open_output(base.fd, false, &kept), 0);
        ck_assert_int_eq(fstat(kept, &st), 0);
        ck_assert_int_eq(st.st_size, 5);
        ck_assert_int_eq(session_directory_open_output(base.fd, true, &emptied), 0);
        ck_assert_int_eq(fstat(kept, &st), 0);
        ck_assert_int_eq(st.st_size, 0);
        ck_assert_int_eq(unlinkat(base.fd, "output", 0), 0);
        ck_assert_int_eq(mkfifoat(base.fd, "output", 0600), 0); /* does not block, is refused */
        ck_assert_int_eq(session_directory_open_output(base.fd, true, &fifo), -EBADFD);
}
END_TEST

CHECK_MAIN_WITH("base-directory", setup, teardown, test_makes_it_for_root_alone, test_an_open_directory_is_closed_to_others,
                test_second_daemon, test_lock_goes_with_its_process, test_a_lock_that_is_a_link, test_a_file_in_its_place,
                test_session_directory, test_removed_and_made_again, test_fifos_are_made_anew, test_a_directory_in_place_of_a_fifo,
                test_a_file_in_place_of_a_fifo, test_moved, test_output);
