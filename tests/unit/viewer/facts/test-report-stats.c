/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "report-stats.h"

static char *stats_of(const char *name, int expected) {
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);

        ck_assert_ok(perf_data_reader_new(AT_FDCWD, name, &reader));
        ck_assert_int_eq(report_stats_print(reader, f), expected);
        (void) fclose(f);
        return text;
}

/* The output of perf report 6.1. */
START_TEST(golden) {
        _cleanup_free_ char *path = test_golden("perf-6.1-compressed.data"), *text = stats_of(path, 0);

        ck_assert_str_eq(text,
                         "\nAggregated stats:\n"
                         "           TOTAL events:         22\n"
                         "            MMAP events:          1  ( 4.5%)\n"
                         "            COMM events:          2  ( 9.1%)\n"
                         "            EXIT events:          1  ( 4.5%)\n"
                         "          SAMPLE events:          6  (27.3%)\n"
                         "           MMAP2 events:          4  (18.2%)\n"
                         "  FINISHED_ROUND events:          1  ( 4.5%)\n"
                         "        ID_INDEX events:          1  ( 4.5%)\n"
                         "      THREAD_MAP events:          1  ( 4.5%)\n"
                         "         CPU_MAP events:          1  ( 4.5%)\n"
                         "    EVENT_UPDATE events:          2  ( 9.1%)\n"
                         "      COMPRESSED events:          1  ( 4.5%)\n"
                         "   FINISHED_INIT events:          1  ( 4.5%)\n"
                         "cpu-clock stats:\n"
                         "          SAMPLE events:          6\n");
}
END_TEST

START_TEST(of_no_known_type) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path("stats.data"), *text = NULL;
        const struct perf_event_header unknown = { .type = 4000, .size = sizeof(unknown) }, broken = { .type = 1 };

        byte_buffer_put(&b, &unknown, sizeof(unknown));
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x1000, 1);
        byte_buffer_put(&b, &broken, sizeof(broken));
        perf_data_reader_free(test_recording(path, &b, NULL, 0));
        text = stats_of(path, -EBADMSG);
        ck_assert_ptr_nonnull(strstr(text, "TOTAL events:          2\n         UNKNOWN events:          1  (50.0%)\n"));
        ck_assert_ptr_nonnull(strstr(text, "\nevent 1 stats:\n          SAMPLE events:          1\n"));
}
END_TEST

TEST_RUN("report-stats", golden, of_no_known_type);
