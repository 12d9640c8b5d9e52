/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include "check-main.h"
#include "scratch.h"
#include "symbol-source.h"

/* Roots of processes: DIR/proc/PID/root, each a file system of its own. */
static void make_root(const char *dir, unsigned pid, const char *file, const char *text) {
        char path[300], name[64], there[300];

        (void) snprintf(name, sizeof(name), "container-%u/%s", pid, file);
        scratch_write_text(dir, name, text);
        (void) snprintf(path, sizeof(path), "proc/%u/status", pid);
        scratch_write_text(dir, path, "Name:\tx\nNSpid:\t77\t5\nUid:\t0\n");
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

/* The text of what was opened, or the error. */
static void expect(int fd, const char *text) {
        _cleanup_close_ int owned = fd;
        char buffer[64] = "";

        ck_assert_msg(fd >= 0, "%s", strerror(-fd));
        ck_assert_int_ge(read(owned, buffer, sizeof(buffer) - 1), 0);
        ck_assert_str_eq(buffer, text);
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
        expect(symbol_source_open(dir, &hit, NULL), "of 77");
        hit.inode = inode_of(dir, "lib/a.so");
        expect(symbol_source_open(dir, &hit, NULL), "of the machine");
        hit.inode = inode_of(dir, "container-78/lib/a.so");
        ck_assert_int_eq(symbol_source_open(dir, &hit, NULL), -ESTALE);
        expect(symbol_source_open(dir, &hit, &others), "of 78");
        hit.pid = 79; /* has gone */
        expect(symbol_source_open(dir, &hit, &others), "of 78");
        hit.inode = 1;
        ck_assert_int_lt(symbol_source_open(dir, &hit, &others), 0);
}
END_TEST

START_TEST(test_another_build) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        DsoHit hit = { .path = "/lib/a.so", .cpumode = PERF_RECORD_MISC_USER, .pid = 77, .id = { .size = 20, .bytes = { 1 } } };

        make_root(dir, 77, "lib/a.so", "no ELF file");
        ck_assert_int_lt(symbol_source_open(dir, &hit, NULL), 0);
}
END_TEST

/* Of a program and of a library that are no more in the file system. */
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
        fd = symbol_source_open("", &hit, NULL);
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
        found = symbol_source_open("", &hit, NULL);
        if (found == -EPERM) /* not ours to follow */
                return;
        expect(steal_fd(&found), "mapped");
        ck_assert_int_gt(asprintf(&deleted, "%s (deleted)", path), 0); /* as the kernel says it of a map made later */
        hit.path = deleted;
        expect(symbol_source_open("", &hit, NULL), "mapped");
}
END_TEST

START_TEST(test_perf_maps) {
        _cleanup_(scratch_done) char *dir = scratch_new();

        make_root(dir, 77, "tmp/perf-5.map", "as it sees itself");
        scratch_write_text(dir, "tmp/perf-77.map", "of the machine");
        scratch_write_text(dir, "tmp/perf-88.map", "ended");
        expect(symbol_source_open_perf_map(dir, 77), "as it sees itself");
        expect(symbol_source_open_perf_map(dir, 88), "ended");
        ck_assert_int_eq(symbol_source_open_perf_map(dir, 99), -ENOENT);
}
END_TEST

START_TEST(test_anothers_perf_map) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *path = path_join(dir, "container-77/tmp/perf-5.map");

        make_root(dir, 77, "tmp/perf-5.map", "planted");
        if (chown(path, 4711, 4711) < 0) /* only root can */
                return;
        ck_assert_int_lt(symbol_source_open_perf_map(dir, 77), 0);
}
END_TEST

CHECK_MAIN("symbol-source", test_containers, test_another_build, test_deleted, test_deleted_library, test_perf_maps,
           test_anothers_perf_map);
