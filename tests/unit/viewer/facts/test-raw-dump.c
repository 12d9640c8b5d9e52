/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Lines are those of perf script -D 6.1, which puts "@" and the file behind the first place of each record. */

#include "perfdata-test.h"
#include "raw-dump.h"

static char *dump_of(PerfDataReader *reader, int expected) {
        TextBuffer out = {};

        ck_assert_int_eq(raw_dump_put(reader, &out), expected);
        text_buffer_putc(&out, '\0');
        return out.data;
}

static char *golden_dump(const char *name) {
        _cleanup_free_ char *path = test_golden(name);
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;

        ck_assert_ok(perf_data_reader_new(AT_FDCWD, path, &reader));
        return dump_of(reader, 0);
}

START_TEST(compressed) {
        _cleanup_free_ char *text = golden_dump("perf-6.1-compressed.data");

        ck_assert_ptr_nonnull(strstr(text, "\n0x278 [0x28]: event: 3\n"));
        ck_assert_ptr_nonnull(strstr(text, "\n3857571038076 0x278 [0x28]: PERF_RECORD_COMM exec: true:22816/22816\n"));
        ck_assert_ptr_nonnull(strstr(text, "\n0x278 [0x68]: event: 10\n"));
}
END_TEST

/* The first event has no CPU, another one has. */
START_TEST(of_several_events) {
        _cleanup_free_ char *text = golden_dump("perf-6.1-groups.data");

        ck_assert_ptr_nonnull(strstr(text, "\n4294967295 0 0x318 [0x58]: PERF_RECORD_MMAP -1/0: "));
}
END_TEST

/* A stream of one event without a time, with a record of these words. */
static char *dump_record(const struct perf_event_attr *attr, uint32_t type, const uint64_t *words, size_t n) {
        const struct perf_event_header record = { .type = type, .size = (uint16_t) (sizeof(record) + n * sizeof(*words)) };
        const uint64_t header[] = { PERF_FILE_MAGIC, 2 * sizeof(uint64_t) }, id = 1;
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;

        byte_buffer_put(&b, header, sizeof(header));
        ck_assert_ok(record_put_attr(&b, attr, &id, 1));
        byte_buffer_put(&b, &record, sizeof(record));
        byte_buffer_put(&b, words, n * sizeof(*words));
        ck_assert_ok(perf_data_reader_new_memory(b.data, b.size, &reader));
        return dump_of(reader, 0);
}

static char *dump_counters(uint64_t format, const uint64_t *words, size_t n) {
        const struct perf_event_attr attr = { .sample_type = PERF_SAMPLE_READ, .read_format = format };

        return dump_record(&attr, PERF_RECORD_SAMPLE, words, n);
}

START_TEST(counters) {
        const uint64_t formats[] = { PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_LOST, PERF_FORMAT_ID,
                                     PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING };
        const uint64_t group[] = { 2, 0x11, 7, 0, 0x22, 9, 3 }, one[] = { 0x33, 7 }, times[] = { 1, 0x50, 0x40, 0x44, 7 };
        _cleanup_free_ char *of_group = dump_counters(formats[0], group, ELEMENTSOF(group)), *of_one = dump_counters(formats[1], one, ELEMENTSOF(one));
        _cleanup_free_ char *of_times = dump_counters(formats[2], times, ELEMENTSOF(times));

        ck_assert_ptr_nonnull(strstr(of_group, "... sample_read:\n.... group nr 2\n"
                                               "..... id 0000000000000007, value 0000000000000011, lost 0\n"
                                               "..... id 0000000000000009, value 0000000000000022, lost 3\n"));
        ck_assert_ptr_nonnull(strstr(of_one, "... sample_read:\n..... id 0000000000000007, value 0000000000000033\n"));
        ck_assert_ptr_nonnull(strstr(of_times, "...... time enabled 0000000000000050\n...... time running 0000000000000040\n"
                                               ".... group nr 1\n..... id 0000000000000007, value 0000000000000044\n"));
}
END_TEST

START_TEST(stacks) {
        const struct perf_event_attr attr = { .sample_type = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER, .sample_regs_user = 1 };
        const uint64_t words[] = { PERF_SAMPLE_REGS_ABI_64, 0x77, 16, 1, 2, 8 }, none[] = { PERF_SAMPLE_REGS_ABI_NONE, 0 };
        _cleanup_free_ char *text = dump_record(&attr, PERF_RECORD_SAMPLE, words, ELEMENTSOF(words));
        _cleanup_free_ char *empty = dump_record(&attr, PERF_RECORD_SAMPLE, none, ELEMENTSOF(none));

        ck_assert_ptr_nonnull(strstr(text, "... ustack: size 8, offset 0x18\n"));
        ck_assert_ptr_nonnull(strstr(empty, "... ustack: size 0, offset 0x10\n"));
}
END_TEST

START_TEST(lost) {
        const struct perf_event_attr attr = {};
        const uint64_t words[] = { 6603, 661 };
        _cleanup_free_ char *text = dump_record(&attr, PERF_RECORD_LOST, words, ELEMENTSOF(words));

        ck_assert_ptr_nonnull(strstr(text, "\n-1 -1 0x"));
        ck_assert_ptr_nonnull(strstr(text, " [0x18]: PERF_RECORD_LOST: id:6603: lost:661\n"));
}
END_TEST

TEST_RUN("raw-dump", compressed, of_several_events, counters, stacks, lost);
