/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <check.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "reader.h"
#include "record.h"
#include "writer.h"

/* Helpers of the tests of this folder: a runner, a scratch directory, and a small recording that is built by hand. */

#define TEST_RUN(suite_name, ...)                                                  \
        int main(void) {                                                           \
                const TTest *const all[] = { __VA_ARGS__ };                        \
                                                                                   \
                return test_run(suite_name, all, sizeof(all) / sizeof(all[0]));    \
        }                                                                          \
        struct test_needs_a_semicolon

#define TEST_SKIPPED 77 /* the exit status that ctest takes as skipped */

int test_run(const char *name, const TTest *const *tests, size_t n);

/* A directory below TMPDIR, removed with its contents when the test program exits. */
const char *test_directory(void);
char *test_path(const char *name); /* a new string: a path in it */
void test_write_file(const char *path, const void *data, size_t size);
char *test_read_file(const char *path, size_t *ret_size);

/* The path of a recorded input in tests/golden; a new string. */
char *test_golden(const char *name);

/* The output of a shell command, or NULL if it failed. A new string. */
char *test_command(const char *format, ...) _printf_(1, 2);
bool test_have_perf(void);
bool test_have_perf_6_1(void); /* of Debian 12, whose output ours is; newer ones have other widths and words */

/* Runs a shell command, which executes one of our programs, until that catches SIGINT and the condition, a shell command, too, is
 * true. Then it gets that signal twice, as from timeout(1), and the file "after" is made, if it is not NULL. Returns its output on
 * both and "status N" at the end; a new string. */
char *test_interrupted(const char *command, const char *condition, const char *after);

/* Two events, "cpu-clock" with a call chain (ids 11, 12) and "dummy:u" (ids 21, 22), of one layout; and the records of
 * a process "demo" (pid 4000) that maps PROGRAM, with its inode if it exists, and has two samples in it and one in the
 * kernel. */
#define TEST_SAMPLE_TYPE (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | \
                          PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN)
#define TEST_PID 4000u
#define TEST_FIRST_TIME UINT64_C(1000000000)
#define TEST_LAST_TIME UINT64_C(3000000000)

const PerfDataEvent *test_events(size_t *ret_n);
void test_put_sample(RecordBuffer *b, uint64_t id, uint16_t cpumode, uint32_t pid, uint64_t ip, uint64_t time);
void test_put_map(RecordBuffer *b, uint32_t pid, uint64_t start, uint64_t length, const char *path, uint64_t inode);
void test_put_recording(RecordBuffer *b, const char *program);

/* Appends the records of plain as perf since 6.15 compresses them. */
void test_put_compressed2(RecordBuffer *b, const RecordBuffer *plain);

/* Appends the bytes of b in one call. */
int test_append(PerfDataWriter *w, const RecordBuffer *b);

/* Adds the table of build ids; cpumode 0: of user space. */
void test_put_build_ids(FeatureTable *t, const BuildIdEntry *ids, size_t n_ids);

/* Writes a recording of test_events() with that table of build ids, and opens it. */
PerfDataReader *test_recording(const char *path, const RecordBuffer *b, const BuildIdEntry *ids, size_t n_ids);

#define ck_assert_ok(expression)                                                                  \
        do {                                                                                      \
                int _test_result = (expression);                                                  \
                                                                                                  \
                ck_assert_msg(_test_result >= 0, "%s: %s", #expression, strerror(-_test_result)); \
        } while (0)
