/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "check-main.h"
#include "directory-use.h"
#include "scratch.h"

static char *dir;
static int dir_fd;

static void setup(void) {
        dir = scratch_new();
        scratch_write_text(dir, "session-a/output", "lines");
        dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        dir_fd = openat(dir_fd, "session-a", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        ck_assert_int_ge(dir_fd, 0);
        ck_assert_int_eq(mkfifoat(dir_fd, "control", 0600), 0);
}

static void teardown(void) {
        dir_fd = safe_close(dir_fd);
        scratch_done(&dir);
}

static void write_large(const char *name) {
        _cleanup_free_ char *path = path_join("session-a", name), *text = calloc(1, 65536);

        scratch_write(dir, path, text, 65536);
}

static bool exists(const char *name) {
        return faccessat(dir_fd, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static DirectoryUse look(bool in_use) {
        DirectoryUse u;

        ck_assert_int_eq(directory_use_read(dir_fd, in_use, &u), 0);
        return u;
}

START_TEST(test_empty) {
        DirectoryUse u = look(false);
        int base_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

        ck_assert(u.empty);
        ck_assert_uint_gt(u.bytes, 0);
        ck_assert_uint_lt(u.bytes, 65536);
        ck_assert_int_eq(directory_use_remove_directory(base_fd, "session-a", dir_fd), 0);
        ck_assert_int_lt(faccessat(base_fd, "session-a", F_OK, 0), 0);
        safe_close(base_fd);
}
END_TEST

START_TEST(test_what_a_killed_recorder_left) {
        DirectoryUse u;

        write_large(".#perf.data.1a2b3c");
        write_large(".#symbols.2026010100000000/lib");
        u = look(true);
        ck_assert(!exists(".#perf.data.1a2b3c"));
        ck_assert(exists(".#symbols.2026010100000000")); /* it is new: a recorder may be writing it */
        ck_assert_uint_lt(u.bytes, 65536); /* they may be dropped: nothing is removed for them */
        ck_assert(!u.empty);
        ck_assert_int_eq(utimensat(dir_fd, ".#symbols.2026010100000000", (struct timespec[2]) { { 1, 0 }, { 1, 0 } }, 0), 0);
        u = look(true);
        ck_assert(!exists(".#symbols.2026010100000000"));
        ck_assert(u.empty);
}
END_TEST

START_TEST(test_what_is_being_written) {
        _cleanup_close_ int reader = openat(dir_fd, "control", O_RDWR | O_CLOEXEC), locked = -EBADF;
        DirectoryUse u;

        write_large(".#perf.data.1a2b3c");
        u = look(false);
        ck_assert(exists(".#perf.data.1a2b3c"));
        ck_assert_uint_ge(u.bytes, 65536);
        ck_assert(!u.empty);
        ck_assert_int_eq(unlinkat(dir_fd, ".#perf.data.1a2b3c", 0), 0);
        ck_assert(!look(false).empty); /* a recorder is running */
        reader = safe_close(reader);
        write_large(".#perf.data.4d5e6f");
        locked = openat(dir_fd, ".#perf.data.4d5e6f", O_RDWR | O_CLOEXEC);
        ck_assert_int_eq(flock(locked, LOCK_EX), 0);
        u = look(false);
        ck_assert(exists(".#perf.data.4d5e6f"));
}
END_TEST

START_TEST(test_others_files) {
        DirectoryUse u;

        write_large("notes.txt");
        write_large("perf.data.2026010100000000");
        write_large("symbols.2026010100000000/lib");
        u = look(false);
        ck_assert(!u.empty);
        ck_assert_uint_lt(u.bytes, 65536); /* without the dumps, which are counted elsewhere */
        ck_assert_ptr_null(u.recording);
        ck_assert(exists("notes.txt"));
}
END_TEST

START_TEST(test_recordings) {
        _cleanup_(directory_use_done) DirectoryUse only = {}, gone = {}, used = {};
        _cleanup_close_ int reader = -EBADF;

        write_large("perf.data");
        used = look(true);
        ck_assert_ptr_null(used.recording); /* the last one of an existing session */
        ck_assert_uint_ge(used.bytes, 65536);
        only = look(false);
        ck_assert_str_eq(only.recording, "perf.data");
        write_large("perf.data.old");
        gone = look(true);
        ck_assert_str_eq(gone.recording, "perf.data.old");
        ck_assert_uint_eq(gone.recording_bytes, 65536);
        reader = openat(dir_fd, "perf.data.old", O_RDONLY | O_CLOEXEC);
        ck_assert_int_eq(directory_use_remove(dir_fd, "perf.data.old"), -EBUSY);
        reader = safe_close(reader);
        ck_assert_int_eq(directory_use_remove(dir_fd, "perf.data.old"), 0);
}
END_TEST

CHECK_MAIN_WITH("directory-use", setup, teardown, test_empty, test_what_a_killed_recorder_left, test_what_is_being_written,
                test_others_files, test_recordings);
