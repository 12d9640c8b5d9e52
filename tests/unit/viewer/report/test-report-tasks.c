/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <sys/mman.h>

#include "perfdata-test.h"
#include "report-tasks.h"

#define HEADER "#      pid      tid     ppid  comm\n"
#define IDLE "         0        0       -1 |swapper\n"

static char *print(PerfDataReader *reader, bool maps, int expected) {
        char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);

        ck_assert_int_eq(report_tasks_print(reader, maps, f), expected);
        (void) fclose(f);
        return text;
}

static char *tasks_of(const RecordBuffer *b, bool maps) {
        _cleanup_free_ char *path = test_path("tasks.data");
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = test_recording(path, b, NULL, 0);

        return print(reader, maps, 0);
}

/* As perf report --mmaps (Linux 6.1) prints it. */
START_TEST(golden) {
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        _cleanup_free_ char *path = test_golden("perf-6.1-plain.data"), *text = NULL;

        ck_assert_ok(perf_data_reader_new(AT_FDCWD, path, &reader));
        text = print(reader, true, 0);
        ck_assert_str_eq(text,
                         HEADER IDLE
                         "     24757    24757       -1 |sh\n"
                         "                                560e709e7000-560e709fa000 r-xp 00004000 247230 /usr/bin/dash\n"
                         "                                7fd262ce1000-7fd262e37000 r-xp 00026000 332835 "
                         "/usr/lib/x86_64-linux-gnu/libc.so.6\n"
                         "                                7fd262eb1000-7fd262eb3000 r-xp 00000000 0 [vdso]\n"
                         "                                7fd262eb4000-7fd262eda000 r-xp 00001000 332383 "
                         "/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2\n");
}
END_TEST

static void put_map(RecordBuffer *b, uint32_t pid, uint64_t start, const char *path) {
        ck_assert_ok(record_put_mmap2(b, &(RecordMap) { .pid = pid, .tid = pid, .start = start, .length = 0x1000, .inode = 5,
                                                        .protection = PROT_READ | PROT_EXEC, .flags = MAP_SHARED, .path = path }, NULL));
}

static void put_fork(RecordBuffer *b, uint32_t pid, uint32_t tid, uint32_t parent) {
        ck_assert_ok(record_put_fork(b, pid, pid == tid ? parent : pid, tid, parent, 0, 0, NULL));
}

/* A child has its parent's maps until it executes another program, and a thread those of its process. */
START_TEST(tree) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *text = NULL, *tasks = NULL;

        ck_assert_ok(record_put_comm(&b, 5, 5, "sh", 0, NULL));
        put_map(&b, 5, 0x1000, "/bin/sh");
        put_fork(&b, 9, 9, 5);
        put_fork(&b, 7, 7, 5);
        put_fork(&b, 7, 8, 7);
        ck_assert_ok(record_put_comm(&b, 9, 9, "ls", PERF_RECORD_MISC_COMM_EXEC, NULL));
        put_map(&b, 9, 0x3000, "/bin/ls");
        text = tasks_of(&b, true);
        ck_assert_str_eq(text,
                         HEADER IDLE
                         "         5        5       -1 |sh\n"
                         "                                1000-2000 r-xs 00000000 5 /bin/sh\n"
                         "         7        7        5 | sh\n"
                         "                                 1000-2000 r-xs 00000000 5 /bin/sh\n"
                         "         7        8        7 |  sh\n"
                         "                                  1000-2000 r-xs 00000000 5 /bin/sh\n"
                         "         9        9        5 | ls\n"
                         "                                 3000-4000 r-xs 00000000 5 /bin/ls\n");
        tasks = tasks_of(&b, false);
        ck_assert_str_eq(tasks,
                         HEADER IDLE
                         "         5        5       -1 |sh\n"
                         "         7        7        5 | sh\n"
                         "         7        8        7 |  sh\n"
                         "         9        9        5 | ls\n");
}
END_TEST

/* Parents in a circle, a task that forked itself, and names that would control a terminal. */
START_TEST(hostile) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *text = NULL;

        put_fork(&b, 4, 4, 4);
        put_fork(&b, 5, 5, 6);
        put_fork(&b, 6, 6, 7);
        put_fork(&b, 7, 7, 5);
        ck_assert_ok(record_put_comm(&b, 6, 6, "\033[2J", 0, NULL));
        put_map(&b, 6, 0x1000, "/tmp/\n\xff");
        put_map(&b, UINT32_MAX, 0x2000, "[kernel.kallsyms]_text");
        put_map(&b, 6, UINT64_MAX - 1, "/tmp/beyond");
        text = tasks_of(&b, true);
        ck_assert_str_eq(text,
                         HEADER IDLE
                         "         4        4        4 |:4\n"
                         "         5        5        6 |:5\n"
                         "         7        7        5 | :7\n"
                         "         6        6        7 |  ?[2J\n"
                         "                                  1000-2000 r-xs 00000000 5 /tmp/ \xef\xbf\xbd\n");
}
END_TEST

/* Each the parent of the next: they are indented so far that all fit the output. */
START_TEST(chain) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *text = NULL;

        for (uint32_t pid = 1; pid < 20000; pid++)
                put_fork(&b, pid, pid, pid - 1);
        text = tasks_of(&b, false);
        ck_assert_uint_lt(strlen(text), 20000 * 300);
        ck_assert_ptr_nonnull(strstr(text, " |   :3\n"));
        ck_assert_ptr_nonnull(strstr(text, "\n     19999    19999    19998 |"));
}
END_TEST

TEST_RUN("report-tasks", golden, tree, hostile, chain);
