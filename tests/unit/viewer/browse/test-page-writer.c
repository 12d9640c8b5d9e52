/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Files that a process inside the sandbox has written, and what it cannot have written. */

#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "page-writer.h"
#include "perfdata-test.h"
#include "sandbox.h"
#include "strv.h"

/* Tests have a folder of their own. */
static void enter_folder(const char *name) {
        _cleanup_free_ char *folder = test_path(name);

        ck_assert_int_eq(mkdir(folder, 0700), 0);
        ck_assert_int_eq(chdir(folder), 0);
}

static void expect_file(const char *name, const char *data, size_t size) {
        size_t n;
        _cleanup_free_ char *found = test_read_file(name, &n);

        ck_assert_uint_eq(n, size);
        ck_assert_mem_eq(found, data, size);
}

static char *list_files(void) {
        return test_command("ls -A | tr '\\n' ' '");
}

START_TEST(names) {
        ForkedProcess w = FORKED_PROCESS_EMPTY;
        char name[NAME_MAX + 1];
        _cleanup_free_ char *files = NULL;

        enter_folder("names");
        test_write_file("perf-web.1.txt", "old", 3);
        ck_assert_int_eq(symlink("nowhere", "perf-web.1-1.txt"), 0);
        ck_assert_int_eq(mkdir("perf-web.1-3.txt", 0700), 0);
        (void) umask(027);
        ck_assert_ok(page_writer_start(&w, "/var/lib/perf-recorder/web.1"));
        ck_assert_ok(page_writer_write(&w, PAGE_TEXT, "first", 5, name));
        ck_assert_str_eq(name, "perf-web.1-2.txt");
        ck_assert_ok(page_writer_write(&w, PAGE_TEXT, "second", 6, name));
        ck_assert_str_eq(name, "perf-web.1-4.txt");
        ck_assert_ok(page_writer_write(&w, PAGE_SVG, "<svg/>", 6, name));
        ck_assert_str_eq(name, "perf-web.1.svg");
        ck_assert_ok(page_writer_write(&w, PAGE_HTML, "", 0, name));
        ck_assert_str_eq(name, "perf-web.1.html");
        ck_assert_ok(page_writer_write(&w, PAGE_JSON, "{}", 2, name));
        ck_assert_str_eq(name, "perf-web.1.json");
        (void) forked_process_end(&w);
        ck_assert_int_lt(waitpid(-1, NULL, 0), 0);
        expect_file("perf-web.1.txt", "old", 3);
        expect_file("perf-web.1-2.txt", "first", 5);
        expect_file("perf-web.1-4.txt", "second", 6);
        expect_file("perf-web.1.html", "", 0);
        files = list_files();
        ck_assert_str_eq(files, "perf-web.1-1.txt perf-web.1-2.txt perf-web.1-3.txt perf-web.1-4.txt perf-web.1.html perf-web.1.json "
                         "perf-web.1.svg perf-web.1.txt ");
        free(steal_ptr(files));
        files = test_command("stat -c %%a perf-web.1-2.txt");
        ck_assert_str_eq(files, "640\n");
}
END_TEST

static void expect_name(const char *path, const char *expected) {
        ForkedProcess w = FORKED_PROCESS_EMPTY;
        char name[NAME_MAX + 1];

        ck_assert_ok(page_writer_start(&w, path));
        ck_assert_ok(page_writer_write(&w, PAGE_TEXT, "x", 1, name));
        (void) forked_process_end(&w);
        ck_assert_str_eq(name, expected);
}

START_TEST(sanitized_names) {
        char path[401], expected[201];

        enter_folder("sanitized");
        expect_name("../../etc/a b\n\033$(c)", "perf-a_b____c_.txt");
        expect_name("..", "perf-...txt");
        expect_name("dir/", "perf-.txt");
        expect_name("caf\xc3\xa9-1.2+x@y", "perf-caf__-1.2+x@y.txt");
        memset(path, 'p', sizeof(path) - 1);
        path[sizeof(path) - 1] = '\0';
        (void) snprintf(expected, sizeof(expected), "perf-%.150s.txt", path);
        expect_name(path, expected);
}
END_TEST

/* It stays in the folder that was the current one. */
START_TEST(folders) {
        ForkedProcess w = FORKED_PROCESS_EMPTY;
        char name[NAME_MAX + 1];
        _cleanup_free_ char *files = NULL;

        enter_folder("folder");
        ck_assert_ok(page_writer_start(&w, "a"));
        ck_assert_int_eq(mkdir("below", 0700), 0);
        ck_assert_int_eq(chdir("below"), 0);
        ck_assert_ok(page_writer_write(&w, PAGE_TEXT, "x", 1, name));
        expect_file("../perf-a.txt", "x", 1);
        files = test_command("cd ..; rm -r below perf-a.txt; ls -A; rmdir $PWD");
        ck_assert_str_eq(files, "");
        ck_assert_int_eq(page_writer_write(&w, PAGE_TEXT, "x", 1, name), -ENOENT);
        (void) forked_process_end(&w);
}
END_TEST

START_TEST(large_pages) {
        _cleanup_free_ char *data = malloc(PAGE_SIZE_MAX + 1);
        ForkedProcess w = FORKED_PROCESS_EMPTY;
        char name[NAME_MAX + 1];

        ck_assert_ptr_nonnull(data);
        for (size_t i = 0; i <= PAGE_SIZE_MAX; i++)
                data[i] = (char) (i * 7 + i / 4096);
        enter_folder("large");
        ck_assert_ok(page_writer_start(&w, "a"));
        ck_assert_int_eq(page_writer_write(&w, PAGE_TEXT, data, PAGE_SIZE_MAX + 1, name), -EFBIG);
        ck_assert_ok(page_writer_write(&w, PAGE_TEXT, data, PAGE_SIZE_MAX, name));
        expect_file(name, data, PAGE_SIZE_MAX);
        ck_assert_ok(page_writer_write(&w, PAGE_TEXT, data, PAGE_PIECE + 1, name));
        ck_assert_str_eq(name, "perf-a-1.txt");
        expect_file(name, data, PAGE_PIECE + 1);
        (void) forked_process_end(&w);
}
END_TEST

START_TEST(many_pages) {
        ForkedProcess w = FORKED_PROCESS_EMPTY;
        char name[NAME_MAX + 1];
        _cleanup_free_ char *files = NULL;

        enter_folder("many");
        ck_assert_ok(page_writer_start(&w, "a"));
        for (unsigned i = 0; i < PAGES_MAX; i++)
                ck_assert_ok(page_writer_write(&w, (PageKind) (i % _PAGE_KIND_MAX), "x", 1, name));
        ck_assert_int_eq(page_writer_write(&w, PAGE_TEXT, "x", 1, name), -EDQUOT);
        ck_assert_int_eq(page_writer_write(&w, PAGE_JSON, "x", 1, name), -EDQUOT);
        (void) forked_process_end(&w);
        files = test_command("ls | wc -l");
        ck_assert_str_eq(files, "1000\n");
}
END_TEST

/* A full disk leaves no part of a file. */
START_TEST(full_disk) {
        ForkedProcess w = FORKED_PROCESS_EMPTY;
        _cleanup_free_ char *data = calloc(1, 100000), *files = NULL;
        char name[NAME_MAX + 1];

        enter_folder("full");
        ck_assert_int_eq(mkdir("small", 0700), 0);
        if (unshare(CLONE_NEWNS) < 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
            mount("none", "small", "tmpfs", 0, "size=64k,nr_inodes=10") < 0)
                exit(TEST_SKIPPED);
        ck_assert_int_eq(chdir("small"), 0);
        ck_assert_ok(page_writer_start(&w, "a"));
        ck_assert_int_eq(page_writer_write(&w, PAGE_TEXT, data, 100000, name), -ENOSPC);
        ck_assert_ok(page_writer_write(&w, PAGE_TEXT, data, 1000, name));
        ck_assert_str_eq(name, "perf-a.txt");
        (void) forked_process_end(&w);
        ck_assert_int_eq(chdir(".."), 0);
        files = test_command("ls small; umount small");
        ck_assert_str_eq(files, "perf-a.txt\n");
}
END_TEST

/* Sends packets by hand, and ends. */
static void expect_nothing(const PageRequest *q, size_t size, const char *data, size_t n) {
        ForkedProcess w = FORKED_PROCESS_EMPTY;
        _cleanup_free_ char *files = NULL;
        PageAnswer a;

        ck_assert_ok(page_writer_start(&w, "a"));
        ck_assert_int_eq(send(w.fd, q, size, MSG_NOSIGNAL), (ssize_t) size);
        if (n > 0)
                (void) send(w.fd, data, n, MSG_NOSIGNAL);
        (void) shutdown(w.fd, SHUT_WR);
        ck_assert_int_le(recv(w.fd, &a, sizeof(a), 0), 0);
        (void) forked_process_end(&w);
        files = list_files();
        ck_assert_str_eq(files, "");
}

START_TEST(wrong_requests) {
        const PageRequest kind = { .kind = _PAGE_KIND_MAX, .size = 1 }, far = { .kind = UINT32_MAX, .size = 0 };
        const PageRequest large = { .kind = PAGE_TEXT, .size = PAGE_SIZE_MAX + 1 }, most = { .kind = PAGE_TEXT, .size = UINT32_MAX };
        const PageRequest unfinished = { .kind = PAGE_TEXT, .size = 5 };

        enter_folder("wrong");
        expect_nothing(&kind, sizeof(kind), "x", 1);
        expect_nothing(&far, sizeof(far), NULL, 0);
        expect_nothing(&large, sizeof(large), "x", 1);
        expect_nothing(&most, sizeof(most), "x", 1);
        expect_nothing(&unfinished, sizeof(unfinished), "four", 4);
        expect_nothing(&unfinished, sizeof(unfinished), NULL, 0);
        expect_nothing(&unfinished, sizeof(unfinished), "longer", 6);
        expect_nothing(&unfinished, sizeof(unfinished) - 1, "12345", 5);
}
END_TEST

/* Signals from the terminal are not for it; inside the sandbox it is all that can write. */
START_TEST(inside_the_sandbox) {
        ForkedProcess w = FORKED_PROCESS_EMPTY;
        char name[NAME_MAX + 1] = "";
        int status;
        pid_t pid;

        enter_folder("inside");
        pid = fork();
        ck_assert_int_ge(pid, 0);
        if (pid == 0) {
                bool landlock;

                if (page_writer_start(&w, "a") < 0 || page_writer_write(&w, PAGE_SVG, "x", 1, name) < 0)
                        _exit(1);
                if (kill(w.pid, SIGINT) < 0 || kill(w.pid, SIGTERM) < 0 || sandbox_enter(NULL, SANDBOX_TERMINAL, &landlock) < 0)
                        _exit(2);
                if (page_writer_write(&w, PAGE_TEXT, "text", 4, name) < 0 || !streq(name, "perf-a.txt"))
                        _exit(4);
                (void) forked_process_end(&w);
                _exit(page_writer_write(&w, PAGE_TEXT, "text", 4, name) < 0 ? 0 : 3);
        }
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %x", (unsigned) status);
        expect_file("perf-a.txt", "text", 4);
}
END_TEST

TEST_RUN("page-writer", names, sanitized_names, folders, large_pages, many_pages, full_disk, wrong_requests, inside_the_sandbox);
