/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "record.h"

/* The leak checker traces the process, which the sandbox refuses. */
#define PREFIX "ASAN_OPTIONS=detect_leaks=0 " VIEWER " script "

START_TEST(golden) {
        _cleanup_free_ char *path = test_golden("perf-6.1-groups.data"), *text = NULL;

        text = test_command(PREFIX "-i %s -F comm,tid,time --show-task-events 2>/dev/null | grep PERF_RECORD | head -n 5", path);
        ck_assert_str_eq(text, "       perf-exec     0     0.000000: PERF_RECORD_COMM: perf-exec:27511/27511\n"
                               "              sh 27511  2573.261526: PERF_RECORD_COMM exec: sh:27511/27511\n"
                               "              sh 27511  2573.262401: PERF_RECORD_FORK(27513:27513):(27511:27511)\n"
                               "            true 27513  2573.262504: PERF_RECORD_COMM exec: true:27513/27513\n"
                               "            true 27513  2573.263294: PERF_RECORD_EXIT(27513:27513):(27511:27511)\n");
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s -F tid --show-mmap-events 2>/dev/null | grep PERF_RECORD | head -n 2", path);
        ck_assert_str_eq(text, "    0 PERF_RECORD_MMAP -1/0: [0xffffffff81000000(0x120bb08) @ 0xffffffff81000000]: x "
                               "[kernel.kallsyms]_text\n"
                               "27511 PERF_RECORD_MMAP2 27511/27511: [0x55a2f1a6c000(0x13000) @ 0x4000 fe:00 247230 0]: r-xp "
                               "/usr/bin/dash\n");
}
END_TEST

START_TEST(hostile_names) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path("names.data"), *text = NULL;
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;

        ck_assert_ok(record_put_comm(&b, 7, 7, "a\033[31m", 0, NULL));
        test_put_map(&b, 7, 0x400000, 0x100000, "/a\nb\033", 0);
        reader = test_recording(path, &b, NULL, 0);
        text = test_command(PREFIX "-i %s -F tid --show-task-events --show-mmap-events", path);
        ck_assert_ptr_nonnull(strstr(text, "PERF_RECORD_COMM: a?[31m:7/7\n"));
        ck_assert_ptr_nonnull(strstr(text, " /a b?\n"));
}
END_TEST

static void put_poke(RecordBuffer *b, uint64_t address, uint16_t n_old, uint16_t n_new) {
        static const RecordTrailer trailer = { .sample_type = TEST_SAMPLE_TYPE, .id = 11, .pid = 7, .tid = 7, .time = 1500 };
        size_t size = (20 + (size_t) n_old + n_new + 7) / 8 * 8, from = record_begin(b, PERF_RECORD_TEXT_POKE, PERF_RECORD_MISC_KERNEL);

        byte_buffer_put_u64(b, address);
        byte_buffer_put_u32(b, (uint32_t) n_new << 16 | n_old);
        for (size_t i = 20; i < size; i++)
                byte_buffer_put(b, &(uint8_t) { i < 20u + n_old + n_new ? (uint8_t) (i * 5) : 0 }, 1);
        ck_assert_ok(record_end(b, from, &trailer));
}

/* perf prints the ends of rounds first. */
START_TEST(pokes_and_rounds) {
        const RecordMap kernel = {
                .pid = UINT32_MAX, .start = UINT64_C(0xffffffff81000000), .length = 0x1000000, .page_offset = UINT64_C(0xffffffff81000000),
                .misc = PERF_RECORD_MISC_KERNEL, .path = "[kernel.kallsyms]_text",
        };
        static const RecordTrailer trailer = { .sample_type = TEST_SAMPLE_TYPE };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path("pokes.data"), *list = test_path("pokes.list"), *text = NULL, *perfs = NULL;

        test_write_file(list, "ffffffff81000000 T _text\nffffffff81001000 T poked\nffffffff81002000 T _etext\n", 75);
        ck_assert_ok(record_put_mmap(&b, &kernel, &trailer));
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x401000, 1000);
        put_poke(&b, UINT64_C(0xffffffff81001010), 5, 17);
        put_poke(&b, UINT64_C(0xffffffffa1001010), 0, 1);
        ck_assert_ok(record_put_finished_round(&b));
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x401000, 2000);
        ck_assert_ok(record_put_finished_round(&b));
        perf_data_reader_free(test_recording(path, &b, NULL, 0));
        text = test_command(PREFIX "-i %s --kallsyms %s -G -F tid,time --ns --show-text-poke-events", path, list);
        ck_assert_str_eq(text, "    7     0.000001000: \n"
                               "    7     0.000001500: PERF_RECORD_TEXT_POKE ffffffff81001010 poked+0x10 old len 5 new len 17\n"
                               "            Old bytes: 64 69 6e 73 78\n"
                               "            New bytes: 7d 82 87 8c 91 96 9b a0 a5 aa af b4 b9 be c3 c8\n"
                               "            New bytes: cd\n"
                               "    7     0.000001500: PERF_RECORD_TEXT_POKE ffffffffa1001010  old len 0 new len 1\n"
                               "            New bytes: 64\n"
                               "    7     0.000002000: \n");
        if (test_have_perf_6_1()) {
                perfs = test_command("perf script -f -i %s --kallsyms %s -G -F tid,time --ns --show-text-poke-events 2>/dev/null", path, list);
                ck_assert_str_eq(perfs, text);
                free(steal_ptr(perfs));
        }
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s -G -F tid,time --show-round-events", path);
        ck_assert_str_eq(text, "PERF_RECORD_FINISHED_ROUND\n    7     0.000001: \nPERF_RECORD_FINISHED_ROUND\n    7     0.000002: \n");
        if (test_have_perf_6_1()) {
                free(steal_ptr(text));
                text = test_command(PREFIX "-i %s -G -F tid,time --show-round-events | sort", path);
                perfs = test_command("perf script -f -i %s -G -F tid,time --show-round-events 2>/dev/null | sort", path);
                ck_assert_str_eq(perfs, text);
        }
}
END_TEST

TEST_RUN("script-records", golden, hostile_names, pokes_and_rounds);
