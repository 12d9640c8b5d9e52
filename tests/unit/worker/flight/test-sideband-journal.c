/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The part of the side band that outlives a process: appended, begun again, and read by another process wherever the
 * first was killed. */

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "check-main.h"
#include "fd-file.h"
#include "sideband-journal.h"
#include "sideband-parts.h"

#define N_RINGS 3

static SidebandJournal *journal;
static SidebandTable *table;

static void setup(void) {
        ck_assert_int_eq(sideband_journal_new(N_RINGS, &journal), 0);
        ck_assert_int_eq(sideband_table_new(PERF_SAMPLE_TID | PERF_SAMPLE_TIME, &table), 0);
}

static void teardown(void) {
        journal = sideband_journal_free(journal);
        table = sideband_table_free(table);
}

static void put_process(RecordBuffer *b, uint32_t pid, uint64_t time) {
        const RecordTrailer trailer = { .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME, .pid = pid, .tid = pid, .time = time };
        char name[16];

        snprintf(name, sizeof(name), "p%u", pid);
        ck_assert_int_eq(record_put_fork(b, pid, 1, pid, 1, time, 0, &trailer), 0);
        ck_assert_int_eq(record_put_comm(b, pid, pid, name, 0, &trailer), 0);
}

/* Gives table and journal the same records, as a recorder does. */
static int record_process(SidebandJournal *j, uint32_t ring, uint32_t pid, uint64_t time, uint64_t tail) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        struct iovec v;

        put_process(&b, pid, time);
        v = record_buffer_iovec(&b);
        ck_assert_int_eq(sideband_table_feed_segments(table, &v, 1), 0);
        return sideband_journal_append(j, ring, &v, 1, tail);
}

static size_t n_live(const SidebandTable *t) {
        return t->n_processes - t->n_ended;
}

static void assert_same_table(const SidebandJournal *j, uint32_t n_processes) {
        _cleanup_(record_buffer_done) RecordBuffer a = {}, b = {};
        SidebandTable *other = NULL;

        ck_assert_int_eq(sideband_table_new(PERF_SAMPLE_TID | PERF_SAMPLE_TIME, &other), 0);
        ck_assert_int_eq(sideband_journal_replay(j, other, NULL), 0);
        ck_assert_int_eq(sideband_table_round(other, true), 0);
        ck_assert_int_eq(sideband_table_round(table, true), 0);
        ck_assert_int_eq(sideband_table_put(other, NULL, &a), 0);
        ck_assert_int_eq(sideband_table_put(table, NULL, &b), 0);
        ck_assert_uint_eq(a.size, b.size);
        if (a.size > 0)
                ck_assert_mem_eq(a.data, b.data, a.size);
        ck_assert_uint_eq(n_live(other), n_processes);
        sideband_table_free(other);
}

START_TEST(test_append_and_replay) {
        SidebandJournal *other = NULL;

        assert_same_table(journal, 0);
        ck_assert_int_eq(record_process(journal, SIDEBAND_JOURNAL_NO_RING, 10, 0, 0), 0);
        ck_assert_int_eq(record_process(journal, 0, 20, 5, 100), 0);
        ck_assert_int_eq(record_process(journal, 2, 30, 6, 300), 0);
        ck_assert_int_eq(record_process(journal, 0, 40, 7, 200), 0);
        ck_assert_int_eq(record_process(journal, N_RINGS, 50, 7, 200), -EINVAL);

        ck_assert_int_eq(sideband_journal_take_over(sideband_journal_fd(journal), N_RINGS, &other), 0);
        ck_assert_uint_eq(sideband_journal_tail(other, 0), 200);
        ck_assert_uint_eq(sideband_journal_tail(other, 1), 0);
        ck_assert_uint_eq(sideband_journal_tail(other, 2), 300);
        other = sideband_journal_free(other);
}
END_TEST

START_TEST(test_same_table) {
        for (uint32_t i = 0; i < 100; i++)
                ck_assert_int_eq(record_process(journal, i % N_RINGS, 100 + i, i, i), 0);
        assert_same_table(journal, 100);
}
END_TEST

static void exit_process(SidebandJournal *j, uint32_t pid, uint64_t time) {
        const RecordTrailer trailer = { .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME, .pid = pid, .tid = pid, .time = time };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        struct iovec v;

        ck_assert_int_eq(record_put_exit(&b, pid, 1, pid, 1, time, &trailer), 0);
        v = record_buffer_iovec(&b);
        ck_assert_int_eq(sideband_table_feed_segments(table, &v, 1), 0);
        ck_assert_int_eq(sideband_journal_append(j, 1, &v, 1, time), 0);
}

/* Short processes that are not needed any more start all the time, and the journal does not grow. */
START_TEST(test_churn) {
        SidebandJournal *other = NULL;
        struct stat st;
        size_t most = 0;

        for (uint32_t i = 1; i < 30000; i++) {
                ck_assert_int_eq(record_process(journal, 1, 1000 + i, 2 * i, 2 * i), 0);
                exit_process(journal, 1000 + i, 2 * i + 1);
                if (i % 100 == 0) {
                        ck_assert_int_eq(sideband_table_round(table, true), 0);
                        ck_assert_int_eq(sideband_table_forget_before(table, 2 * i), 0);
                        ck_assert_int_eq(sideband_table_keep_only(table, NULL, 0), 0);
                }
                ck_assert_int_eq(sideband_journal_compact(journal, table), 0);
                most = MAX_OF(most, sideband_journal_memory(journal));
        }
        ck_assert_uint_lt(most, 3 * 1024 * 1024);
        ck_assert_int_eq(fstat(sideband_journal_fd(journal), &st), 0);
        ck_assert_uint_lt((uint64_t) st.st_blocks * 512, 3 * 1024 * 1024);
        ck_assert_int_eq(sideband_journal_take_over(sideband_journal_fd(journal), N_RINGS, &other), 0);
        ck_assert_uint_eq(sideband_journal_tail(other, 1), 2 * 29999 + 1);
        other = sideband_journal_free(other);
}
END_TEST

/* There are no assertions here, as a kill may interrupt a message to Check. */
_Noreturn static void record_until_killed(void) {
        for (uint32_t i = 1;; i++) {
                const RecordTrailer trailer = { .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME, .pid = i, .tid = i, .time = i };
                RecordBuffer b = {};
                struct iovec v;

                (void) record_put_fork(&b, 1 + i % 30000, 1, 1 + i % 30000, 1, i, 0, &trailer);
                v = record_buffer_iovec(&b);
                (void) sideband_table_feed_segments(table, &v, 1);
                (void) sideband_journal_append(journal, 0, &v, 1, i);
                record_buffer_done(&b);
                (void) sideband_table_round(table, true);
                (void) sideband_table_forget_before(table, i);
                (void) sideband_journal_compact(journal, table);
        }
}

START_TEST(test_killed_anywhere) {

        for (unsigned i = 0; i < 20; i++) {
                SidebandJournal *other = NULL;
                SidebandTable *t = NULL;
                pid_t pid = fork();

                if (pid == 0)
                        record_until_killed();
                while (sideband_journal_memory(journal) < 4096 + 1000)
                        (void) usleep(1000);
                (void) usleep(i * 7000);
                ck_assert_int_eq(kill(pid, SIGKILL), 0);
                ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
                ck_assert_int_eq(sideband_journal_take_over(sideband_journal_fd(journal), N_RINGS, &other), 0);
                ck_assert_uint_gt(sideband_journal_tail(other, 0), 0);
                ck_assert_int_eq(sideband_table_new(PERF_SAMPLE_TID | PERF_SAMPLE_TIME, &t), 0);
                ck_assert_int_eq(sideband_journal_replay(other, t, NULL), 0);
                ck_assert_int_eq(sideband_table_round(t, true), 0);
                ck_assert_uint_ge(n_live(t), MIN_OF(sideband_journal_tail(other, 0), UINT64_C(30000)));
                sideband_table_free(t);
                sideband_journal_free(other);
                teardown();
                setup();
        }
}
END_TEST

static uint64_t memory_of(const SidebandJournal *j) {
        struct stat st;

        ck_assert_int_eq(fstat(sideband_journal_fd(j), &st), 0);
        return (uint64_t) st.st_blocks * 512;
}

/* random: the path does not compress; it has bytes that names can have. */
static void fill_path(char *path, size_t n, uint64_t seed, bool random) {
        for (size_t i = 0; i < n; i++) {
                seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
                path[i] = random ? (char) (128 + (seed >> 57)) : (char) ('a' + n % 3);
        }
}

static void record_map(uint32_t pid, uint64_t start, uint64_t time, bool random) {
        const RecordTrailer trailer = { .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME, .pid = pid, .tid = pid, .time = time };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        char path[4001] = "/";
        RecordMap m = { .pid = pid, .tid = pid, .start = start, .length = 4096, .misc = PERF_RECORD_MISC_USER, .path = path };
        struct iovec v;

        fill_path(path + 1, sizeof(path) - 2, time, random);
        ck_assert_int_eq(record_put_mmap2(&b, &m, &trailer), 0);
        v = record_buffer_iovec(&b);
        ck_assert_int_eq(sideband_table_feed_segments(table, &v, 1), 0);
        ck_assert_int_eq(sideband_journal_append(journal, 0, &v, 1, time), 0);
}

/* Bases of many pieces follow each other: each frees the space before it, for all who have the file. 80 MiB are
 * appended; 40 processes with 100 such mappings are 16 MiB, and compress well unless paths are random. */
static void check_long_paths(bool random) {
        _cleanup_close_ int kept = fcntl(sideband_journal_fd(journal), F_DUPFD_CLOEXEC, 3);
        uint64_t time = 1, most = 0;

        ck_assert_int_ge(kept, 0);
        for (uint32_t i = 0; i < 20000; i++, time++) {
                record_map(100 + i % 40, (uint64_t) (i / 40 % 100) << 13, time, random);
                if (i % 100 == 0) {
                        ck_assert_int_eq(sideband_table_round(table, true), 0);
                        ck_assert_int_eq(sideband_table_forget_before(table, time), 0);
                        ck_assert_int_eq(sideband_journal_compact(journal, table), 0);
                        most = MAX_OF(most, memory_of(journal));
                }
        }
        ck_assert_uint_gt(most, (random ? UINT64_C(16) : UINT64_C(4)) * 1024 * 1024);
        ck_assert_uint_lt(most, (random ? UINT64_C(36) : UINT64_C(6)) * 1024 * 1024);
        ck_assert_uint_le(memory_of(journal), sideband_journal_memory(journal) + 1024 * 1024);
        sideband_journal_set_limit(journal, 0); /* so it begins again now */
        record_map(100, 0, time, random);
        sideband_journal_set_limit(journal, SIDEBAND_JOURNAL_LIMIT);
        ck_assert_int_eq(sideband_journal_compact(journal, table), 0);
        assert_same_table(journal, 40);
}

START_TEST(test_long_paths) {
        check_long_paths(false);
}
END_TEST

START_TEST(test_random_paths) {
        check_long_paths(true);
}
END_TEST

/* Above the limit the journal is empty for a successor, until it begins again with the table's records. */
START_TEST(test_hard_limit) {
        SidebandJournal *other = NULL;

        sideband_journal_set_limit(journal, 64 * 1024);
        for (uint32_t i = 1; i <= 10000; i++) {
                ck_assert_int_eq(record_process(journal, 0, 100 + i % 50, i, i), 0);
                ck_assert_uint_le(memory_of(journal), 64 * 1024 + 3 * 4096);
        }
        ck_assert(sideband_journal_is_empty(journal));
        ck_assert_int_eq(sideband_journal_take_over(sideband_journal_fd(journal), N_RINGS, &other), 0);
        ck_assert(sideband_journal_is_empty(other));
        other = sideband_journal_free(other);

        ck_assert_int_eq(sideband_table_round(table, true), 0);
        ck_assert_int_eq(sideband_table_forget_before(table, 20000), 0);
        ck_assert_int_eq(sideband_journal_compact(journal, table), 0);
        ck_assert_int_eq(sideband_journal_take_over(sideband_journal_fd(journal), N_RINGS, &other), 0);
        ck_assert_uint_eq(sideband_journal_tail(other, 0), 10000); /* records that were not kept were read
                                                                    * nevertheless */
        other = sideband_journal_free(other);
        assert_same_table(journal, 50);
        ck_assert_int_eq(record_process(journal, 0, 100, 20001, 20001), 0);
        assert_same_table(journal, 50);
}
END_TEST

/* Previous versions wrote a base as a frame with the rings' tails, and uncompressed records. */
START_TEST(test_base_of_before) {
        const RecordTrailer trailer = { .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME, .pid = 7, .tid = 7, .time = 5 };
        uint64_t frame[3] = { UINT32_MAX - 1, 0, 0 }, tails[N_RINGS] = { 100, 200, 300 }, end;
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        SidebandJournal *other = NULL;
        int fd = sideband_journal_fd(journal);

        ck_assert_int_eq(record_put_fork(&b, 7, 1, 7, 1, 5, 0, &trailer), 0);
        ck_assert_int_eq(sideband_table_feed(table, (const void *) b.data, b.size), 0);
        frame[2] = sizeof(tails) + b.size;
        end = 4096 + sizeof(frame) + frame[2];
        ck_assert_int_eq(pwrite(fd, frame, sizeof(frame), 4096), sizeof(frame));
        ck_assert_int_eq(pwrite(fd, tails, sizeof(tails), 4096 + sizeof(frame)), sizeof(tails));
        ck_assert_int_eq(pwrite(fd, b.data, b.size, 4096 + sizeof(frame) + sizeof(tails)), (ssize_t) b.size);
        ck_assert_int_eq(pwrite(fd, &end, sizeof(end), 24), sizeof(end));
        ck_assert_int_eq(sideband_journal_take_over(fd, N_RINGS, &other), 0);
        ck_assert_uint_eq(sideband_journal_tail(other, 2), 300);
        sideband_journal_free(other);
        assert_same_table(journal, 1);
}
END_TEST

/* A block of a base has a wrong head. */
START_TEST(test_damaged_base) {
        uint32_t stored = UINT32_MAX - 7;
        SidebandTable *t = NULL;
        struct stat st;
        uint64_t base;

        for (uint32_t i = 1; i <= 1000; i++)
                ck_assert_int_eq(record_process(journal, 0, 100 + i, i, i), 0);
        sideband_journal_set_limit(journal, 0);
        ck_assert_int_eq(record_process(journal, 0, 100, 2000, 2000), 0);
        sideband_journal_set_limit(journal, SIDEBAND_JOURNAL_LIMIT);
        ck_assert_int_eq(sideband_table_round(table, true), 0);
        ck_assert_int_eq(sideband_journal_compact(journal, table), 0);
        ck_assert_int_eq(fstat(sideband_journal_fd(journal), &st), 0);
        base = (uint64_t) st.st_size - (sideband_journal_memory(journal) - 4096);
        ck_assert_int_eq(pwrite(sideband_journal_fd(journal), &stored, sizeof(stored), (off_t) (base + 24 + 8 * N_RINGS)),
                         sizeof(stored));
        ck_assert_int_eq(sideband_table_new(PERF_SAMPLE_TID | PERF_SAMPLE_TIME, &t), 0);
        ck_assert_int_eq(sideband_journal_replay(journal, t, NULL), -EBADMSG);
        sideband_table_free(t);
}
END_TEST

START_TEST(test_what_is_none) {
        _cleanup_close_ int empty = open_memfd("x", 0), zeros = open_memfd("x", 8192);
        SidebandJournal *other = NULL;
        uint64_t wrong = UINT64_MAX / 2;

        ck_assert_int_eq(sideband_journal_take_over(empty, N_RINGS, &other), -EBADMSG);
        ck_assert_int_eq(sideband_journal_take_over(zeros, N_RINGS, &other), -EBADMSG);
        ck_assert_int_eq(sideband_journal_take_over(sideband_journal_fd(journal), N_RINGS + 1, &other), -EBADMSG);
        ck_assert_int_eq(record_process(journal, 0, 20, 5, 100), 0);
        ck_assert_int_eq(pwrite(sideband_journal_fd(journal), &wrong, sizeof(wrong), 4096 + 16), sizeof(wrong)); /* a frame's size */
        ck_assert_int_eq(sideband_journal_take_over(sideband_journal_fd(journal), N_RINGS, &other), -EBADMSG);
        ck_assert_int_eq(pwrite(sideband_journal_fd(journal), &wrong, sizeof(wrong), 24), sizeof(wrong)); /* the end */
        ck_assert_int_eq(sideband_journal_take_over(sideband_journal_fd(journal), N_RINGS, &other), -EBADMSG);
        ck_assert_ptr_null(other);
}
END_TEST

CHECK_MAIN_WITH("sideband-journal", setup, teardown, test_append_and_replay, test_same_table, test_churn, test_killed_anywhere,
                test_long_paths, test_random_paths, test_hard_limit, test_base_of_before,
                test_damaged_base, test_what_is_none);
