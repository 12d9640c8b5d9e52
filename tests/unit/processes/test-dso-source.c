/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <signal.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include "check-main.h"
#include "scratch.h"
#include "dso-source.h"

/* Roots of processes: DIR/proc/PID/root, each a file system of its own. */
static void make_root(const char *dir, unsigned pid, const char *file, const char *text) {
        char path[300], name[64], there[300];

        (void) snprintf(name, sizeof(name), "container-%u/%s", pid, file);
        scratch_write_text(dir, name, text);
        (void) snprintf(path, sizeof(path), "proc/%u/exe", pid);
        scratch_write_text(dir, path, "");
        (void) snprintf(path, sizeof(path), "%.200s/proc/%u/root", dir, pid);
        (void) snprintf(there, sizeof(there), "%.200s/container-%u", dir, pid);
        (void) unlink(path);
        ck_assert_int_eq(symlink(there, path), 0);
}

static ino_t inode_of(const char *dir, const char *name) {
        _cleanup_free_ char *path = path_join(dir, name);
        struct stat st;

        ck_assert_int_eq(stat(path, &st), 0);
        return st.st_ino;
}

/* Checks the contents of the opened file, or the error. */
static void expect(int fd, const char *text) {
        _cleanup_close_ int owned = fd;
        char buffer[64] = "";

        ck_assert_msg(fd >= 0, "%s", strerror(-fd));
        ck_assert_int_ge(read(owned, buffer, sizeof(buffer) - 1), 0);
        ck_assert_str_eq(buffer, text);
}

static int open_hit(const char *dir, const DsoHit *hit, const MountRoots *others, bool *ret_own) {
        DsoSearch s;
        int fd;

        dso_search_init(&s, dir, NULL);
        if (others)
                s.others = *others;
        fd = dso_source_open(&s, hit, ret_own);
        if (!others)
                dso_search_done(&s);
        return fd;
}

static void expect_found(const char *dir, const DsoHit *hit, const MountRoots *others, const char *text, bool own) {
        bool is_own = !own;

        expect(open_hit(dir, hit, others, &is_own), text);
        ck_assert(is_own == own);
}

static void expect_error(const char *dir, const DsoHit *hit, const MountRoots *others, int error) {
        ck_assert_int_eq(open_hit(dir, hit, others, NULL), error);
}

START_TEST(test_containers) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        DsoHit hit = { .path = "/lib/a.so", .cpumode = PERF_RECORD_MISC_USER, .pid = 77 };
        uint32_t pids[] = { 78 };
        MountRoots others = { .pids = pids, .n = 1 };

        make_root(dir, 77, "lib/a.so", "of 77");
        make_root(dir, 78, "lib/a.so", "of 78");
        scratch_write_text(dir, "lib/a.so", "of the machine");
        hit.inode = inode_of(dir, "container-77/lib/a.so");
        expect_found(dir, &hit, NULL, "of 77", false);
        hit.inode = inode_of(dir, "lib/a.so");
        expect_found(dir, &hit, NULL, "of the machine", true);
        hit.inode = inode_of(dir, "container-78/lib/a.so");
        expect_error(dir, &hit, NULL, -ESTALE);
        expect_found(dir, &hit, &others, "of 78", false);
        hit.pid = 79; /* has gone */
        expect_found(dir, &hit, &others, "of 78", false);
        hit.inode = 1;
        expect_error(dir, &hit, &others, -ESTALE);
}
END_TEST

START_TEST(test_another_build) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        DsoHit hit = { .path = "/lib/a.so", .cpumode = PERF_RECORD_MISC_USER, .pid = 77, .id = { .size = 20, .bytes = { 1 } } };

        make_root(dir, 77, "lib/a.so", "no ELF file");
        expect_error(dir, &hit, NULL, -ESTALE);
}
END_TEST

/* A program and a library that were deleted are found. */
START_TEST(test_deleted) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *program = path_join(dir, "program"), *copy = NULL;
        DsoHit hit = { .path = program, .cpumode = PERF_RECORD_MISC_USER };
        _cleanup_close_ int fd = -EBADF;
        struct stat st;
        pid_t child;

        ck_assert_int_gt(asprintf(&copy, "cp $(command -v sleep) %s", program), 0);
        ck_assert_int_eq(system(copy), 0);
        ck_assert_int_eq(stat(program, &st), 0);
        child = fork();
        if (child == 0) {
                (void) execl(program, "sleep", "100", NULL);
                _exit(127);
        }
        for (unsigned i = 0; i < 1000; i++) {
                char link[64], text[300] = "";

                (void) snprintf(link, sizeof(link), "/proc/%d/exe", child);
                if (readlink(link, text, sizeof(text) - 1) > 0 && streq(text, program))
                        break;
                (void) usleep(10000);
        }
        ck_assert_int_eq(unlink(program), 0);
        hit.pid = (uint32_t) child;
        hit.inode = st.st_ino;
        fd = open_hit("", &hit, NULL, NULL);
        (void) kill(child, SIGKILL);
        ck_assert_int_eq(waitpid(child, NULL, 0), child);
        ck_assert_msg(fd >= 0, "%s", strerror(-fd));
        ck_assert_int_eq(fstat(fd, &st), 0);
        ck_assert_uint_eq(st.st_ino, hit.inode);
}
END_TEST

START_TEST(test_deleted_library) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *path = path_join(dir, "library"), *deleted = NULL;
        DsoHit hit = { .path = path, .cpumode = PERF_RECORD_MISC_USER, .pid = (uint32_t) getpid() };
        _cleanup_close_ int fd = -EBADF, found = -EBADF;
        struct stat st;
        void *p;

        scratch_write_text(dir, "library", "mapped");
        fd = open(path, O_RDONLY | O_CLOEXEC);
        p = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
        if (p == MAP_FAILED) /* a file system without programs */
                return;
        ck_assert_int_eq(fstat(fd, &st), 0);
        hit.inode = st.st_ino;
        ck_assert_int_eq(unlink(path), 0);
        found = open_hit("", &hit, NULL, NULL);
        if (found == -EIDRM) /* not allowed here */
                return;
        expect(steal_fd(&found), "mapped");
        ck_assert_int_gt(asprintf(&deleted, "%s (deleted)", path), 0); /* as the kernel has it for a later map */
        hit.path = deleted;
        expect(open_hit("", &hit, NULL, NULL), "mapped");
}
END_TEST

/* The program was started by another one, as through ld.so, so that only map_files has it, which can't be followed here. */
START_TEST(test_deleted_beyond_reach) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        DsoHit hit = { .path = "/bin/program", .cpumode = PERF_RECORD_MISC_USER, .pid = 77, .inode = 1 };
        _cleanup_free_ char *link = path_join(dir, "proc/77/map_files/1000-2000"), *moved = path_join(dir, "proc/77/map_files/2000-3000");

        make_root(dir, 77, "lib/ld.so", "starts programs");
        scratch_write_text(dir, "proc/77/map_files/0-1000", "");
        ck_assert_int_eq(symlink("/bin/program (deleted)", link), 0);
        expect_error(dir, &hit, NULL, -EIDRM);
        scratch_write_text(dir, "container-77/bin/program", "another one");
        expect_error(dir, &hit, NULL, -EIDRM);
        hit.path = "/bin/program (deleted)"; /* as the kernel has it for a later map */
        expect_error(dir, &hit, NULL, -EIDRM);
        ck_assert_int_eq(unlink(link), 0);
        hit.path = "/memfd:program (deleted)";
        ck_assert_int_eq(symlink(hit.path, moved), 0);
        expect_error(dir, &hit, NULL, -ENOENT);
}
END_TEST

/* A file system where two files have one inode number is another device's. */
START_TEST(test_another_device) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        DsoHit hit = { .path = "/lib/a.so", .cpumode = PERF_RECORD_MISC_USER, .pid = 77 };
        _cleanup_free_ char *path = path_join(dir, "lib/a.so");
        struct stat st;

        scratch_write_text(dir, "lib/a.so", "of the machine");
        ck_assert_int_eq(stat(path, &st), 0);
        hit.inode = st.st_ino;
        hit.major = major(st.st_dev);
        hit.minor = minor(st.st_dev);
        expect_found(dir, &hit, NULL, "of the machine", true);
        hit.minor++;
        expect_error(dir, &hit, NULL, -ESTALE);
}
END_TEST

/* Only the name is known: it is valid below the process's own root, and not elsewhere. */
START_TEST(test_unidentified) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *link = path_join(dir, "proc/78/root");
        DsoHit hit = { .path = "/lib/a.so", .cpumode = PERF_RECORD_MISC_USER, .pid = 77 };

        make_root(dir, 77, "lib/a.so", "of 77");
        make_root(dir, 78, "lib/b.so", "of 78");
        scratch_write_text(dir, "lib/a.so", "of the machine");
        expect_found(dir, &hit, NULL, "of 77", false);
        hit.pid = 79; /* has gone */
        expect_error(dir, &hit, NULL, -ENOENT);
        ck_assert_int_eq(unlink(link), 0);
        ck_assert_int_eq(symlink(dir, link), 0);
        hit.pid = 78;
        expect_found(dir, &hit, NULL, "of the machine", true);
}
END_TEST

/* The cost of a process with many maps is counted for all binaries together. */
START_TEST(test_looks_are_limited) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        DsoHit hit = { .path = "/lib/a.so", .cpumode = PERF_RECORD_MISC_USER, .pid = 77, .inode = 1 };
        DsoSearch s;

        dso_search_init(&s, dir, NULL);
        s.looks = 5;
        for (unsigned i = 0; i < 4; i++) {
                char path[64];

                (void) snprintf(path, sizeof(path), "proc/77/map_files/%u-%u", i, i + 1);
                scratch_write_text(dir, path, "");
        }
        ck_assert_int_lt(dso_source_open(&s, &hit, NULL), 0);
        ck_assert_int_lt(dso_source_open(&s, &hit, NULL), 0);
        ck_assert_uint_eq(s.looks, 0);
        dso_search_done(&s);
}
END_TEST

CHECK_MAIN("dso-source", test_containers, test_another_build, test_deleted, test_deleted_library, test_deleted_beyond_reach,
           test_another_device, test_unidentified, test_looks_are_limited);
