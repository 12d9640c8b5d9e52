/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <fcntl.h>
#include <sys/stat.h>

#include "check-main.h"
#include "output-tail.h"
#include "parse-time.h"
#include "scratch.h"
#include "strv.h"

static char *dir;
static int fd;
static sd_event *event;
static OutputTails *tails;
static OutputTail *tail;
static char **lines;
static uint64_t position;

static unsigned n_counted;
static uint64_t n_skipped;

static void count_line(const char *line, size_t length, void *userdata) {
        n_counted++;
}

static void on_line(const char *line, size_t length, void *userdata) {
        ck_assert_int_eq(strv_consume(&lines, strndup(line, length)), 0);
}

static void on_moved(uint64_t to, void *userdata) {
        position = to;
}

static void on_skipped(uint64_t bytes, void *userdata) {
        n_skipped += bytes;
}

static const OutputHandler handler = { .line = on_line, .skipped = on_skipped, .moved = on_moved };

static void setup(void) {
        _cleanup_free_ char *path = NULL;

        dir = scratch_new();
        path = path_join(dir, "output");
        fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        lines = NULL;
        position = n_skipped = 0;
        ck_assert_int_ge(sd_event_new(&event), 0);
        ck_assert_int_eq(output_tails_new(event, &tails), 0);
        ck_assert_int_eq(output_tail_new(tails, fd, 0, &handler, &tail), 0);
}

static void teardown(void) {
        tail = output_tail_free(tail);
        tails = output_tails_free(tails);
        sd_event_unref(event);
        strv_free(lines);
        safe_close(fd);
        scratch_done(&dir);
}

static void run_all(void) {
        while (sd_event_run(event, 0) > 0)
                ;
}

/* Waits for the time, too, after which a tail that is behind is read again. */
static void settle(void) {
        while (sd_event_run(event, 50 * USEC_PER_MSEC) > 0)
                ;
}

static void append(const char *text) {
        ck_assert_int_eq(write_all(fd, text, strlen(text)), 0);
        settle();
}

START_TEST(test_lines_come_as_they_are_written) {
        append("one\ntwo\n");
        ck_assert_uint_eq(strv_length(lines), 2);
        append("three\n\n");
        ck_assert_uint_eq(strv_length(lines), 3);
        ck_assert_str_eq(lines[0], "one");
        ck_assert_str_eq(lines[2], "three");
        ck_assert_uint_eq(position, strlen("one\ntwo\nthree\n\n"));
}
END_TEST

START_TEST(test_a_half_line_waits_for_its_end) {
        append("begun, ");
        ck_assert_ptr_null(lines);
        ck_assert_uint_eq(position, 0);
        append("ended\n");
        ck_assert_uint_eq(strv_length(lines), 1);
        ck_assert_str_eq(lines[0], "begun, ended");
}
END_TEST

START_TEST(test_drain_tells_the_half_line) {
        append("last words");
        output_tail_drain(tail);
        ck_assert_str_eq(lines[0], "last words");
        output_tail_drain(tail);
        ck_assert_uint_eq(strv_length(lines), 1);
        output_tail_drain(NULL);
}
END_TEST

START_TEST(test_goes_on_where_it_was) {
        append("old\n");
        tail = output_tail_free(tail);
        append("new\n");
        ck_assert_int_eq(output_tail_new(tails, fd, position, &handler, &tail), 0);
        output_tail_drain(tail);
        ck_assert_uint_eq(strv_length(lines), 2);
        ck_assert_str_eq(lines[1], "new");
}
END_TEST

START_TEST(test_a_file_that_was_emptied) {
        append("before, and more of it\n");
        ck_assert_int_eq(ftruncate(fd, 0), 0);
        run_all();
        append("after\n");
        ck_assert_uint_eq(strv_length(lines), 2);
        ck_assert_str_eq(lines[1], "after");
}
END_TEST

START_TEST(test_long_lines_are_cut) {
        _cleanup_free_ char *text = malloc(100001);

        memset(text, 'x', 100000);
        text[100000] = '\0';
        append(text);
        append("rest\nnext\n");
        ck_assert_uint_eq(strv_length(lines), 2);
        ck_assert_uint_eq(strlen(lines[0]), 4096);
        ck_assert_str_eq(lines[1], "next");
}
END_TEST

static void count_lines(void) {
        static const OutputHandler counting = { .line = count_line, .skipped = on_skipped, .moved = on_moved };

        tail = output_tail_free(tail);
        n_counted = 0;
        ck_assert_int_eq(output_tail_new(tails, fd, 0, &counting, &tail), 0);
}

static uint64_t file_size(void) {
        struct stat st;

        ck_assert_int_eq(fstat(fd, &st), 0);
        return (uint64_t) st.st_size;
}

static void write_lines(unsigned n) {
        static const char line[] = "[ a dump ]";
        char text[1000 * sizeof(line)], *to = text;

        for (unsigned i = 0; i < n; i++) {
                to = mempcpy(to, line, strlen(line));
                *to++ = '\n';
        }
        ck_assert_int_eq(write_all(fd, text, (size_t) (to - text)), 0);
}

/* A writer is slow enough that no line is missed. */
START_TEST(test_a_large_file_is_emptied) {
        count_lines();
        for (unsigned i = 0; i < 500; i++) {
                write_lines(1000);
                run_all();
        }
        ck_assert_uint_lt(file_size(), 4 * 1024 * 1024);
        append("the last one\n");
        ck_assert_uint_eq(n_counted, 500001);
        ck_assert_uint_eq(n_skipped, 0);
        ck_assert_uint_eq(position, file_size());
}
END_TEST

/* A burst of output is read in several turns. */
START_TEST(test_a_burst_is_read_in_turns) {
        count_lines();
        for (unsigned i = 0; i < 100; i++)
                write_lines(1000);
        ck_assert_int_gt(sd_event_run(event, 0), 0);
        ck_assert_uint_gt(n_counted, 0);
        ck_assert_uint_lt(n_counted, 5000);
        settle();
        ck_assert_uint_eq(n_counted, 100000);
        append("the last one\n");
        ck_assert_uint_eq(n_counted, 100001);
        ck_assert_uint_eq(n_skipped, 0);
}
END_TEST

/* A writer that is faster than the reader costs the loop and the disk only a share. */
START_TEST(test_a_writer_that_never_stops) {
        char chunk[16384];
        uint64_t n_written = 0, largest = 0;

        memset(chunk, '\n', sizeof(chunk));
        for (size_t i = 0; i < sizeof(chunk); i += 2)
                chunk[i] = 'y';
        count_lines();
        while (n_written < 16 << 20 || (n_skipped == 0 && n_written < 256 << 20)) { /* on a busy machine the writer is slow at times */
                for (unsigned i = 0; i < 64; i++)
                        ck_assert_int_eq(write_all(fd, chunk, sizeof(chunk)), 0);
                n_written += 64 * sizeof(chunk);
                for (unsigned i = 0; i < 4 && sd_event_run(event, 0) > 0; i++)
                        ;
                largest = MAX_OF(largest, file_size());
        }
        ck_assert_uint_gt(n_skipped, 0);
        ck_assert_uint_lt(n_counted, n_written / 4); /* 2 bytes a line */
        ck_assert_uint_lt(largest, n_written);
        settle();
        n_counted = 0;
        append("the last one\n");
        ck_assert_uint_eq(n_counted, 1);
}
END_TEST

/* It continues at its own position. */
START_TEST(test_a_writer_that_does_not_append) {
        _cleanup_free_ char *path = path_join(dir, "output");
        _cleanup_close_ int other = open(path, O_WRONLY | O_CLOEXEC);
        struct stat st;

        ck_assert_int_eq(pwrite(other, "far away\n", 9, 1024 * 1024 * 1024), 9);
        settle();
        ck_assert_uint_eq(file_size(), 0);
        ck_assert_int_eq(pwrite(other, "and on\n", 7, 1024 * 1024 * 1024 + 9), 7);
        settle();
        ck_assert_int_eq(fstat(fd, &st), 0);
        ck_assert_int_lt(st.st_blocks, 64);
        append("the last one\n");
        ck_assert_str_eq(lines[strv_length(lines) - 1], "the last one");
}
END_TEST

START_TEST(test_two_files) {
        _cleanup_free_ char *path = path_join(dir, "other");
        _cleanup_close_ int other = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        OutputTail *second;

        ck_assert_int_eq(output_tail_new(tails, other, 0, &handler, &second), 0);
        ck_assert_int_eq(write_all(other, "from the other\n", 15), 0);
        append("from the first\n");
        ck_assert_uint_eq(strv_length(lines), 2);
        output_tail_free(second);
        ck_assert_int_eq(write_all(other, "nobody listens\n", 15), 0);
        run_all();
        ck_assert_uint_eq(strv_length(lines), 2);
}
END_TEST

CHECK_MAIN_WITH("output-tail", setup, teardown, test_lines_come_as_they_are_written, test_a_half_line_waits_for_its_end,
                test_drain_tells_the_half_line, test_goes_on_where_it_was, test_a_file_that_was_emptied, test_long_lines_are_cut,
                test_a_large_file_is_emptied, test_a_burst_is_read_in_turns, test_a_writer_that_never_stops,
                test_a_writer_that_does_not_append, test_two_files);
