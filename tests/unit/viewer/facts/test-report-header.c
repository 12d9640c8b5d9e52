/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "report-header.h"

static char *header_of(PerfDataReader *reader, bool full) {
        char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);

        ck_assert_ok(report_header_print(reader, 0, full, f));
        (void) fclose(f);
        return text;
}

static PerfDataReader *reader_with(FeatureTable *features) {
        _cleanup_free_ char *path = test_path("header.data");
        _cleanup_perf_data_writer_free_ PerfDataWriter *w = NULL;
        PerfDataReader *reader = NULL;
        const PerfDataEvent *events;
        size_t n;

        events = test_events(&n);
        ck_assert_ok(perf_data_writer_new(AT_FDCWD, path, &(PerfDataWriterOptions) { .events = events, .n_events = n }, &w));
        ck_assert_ok(perf_data_writer_finish(w, features, NULL, NULL));
        ck_assert_ok(perf_data_reader_new(AT_FDCWD, path, &reader));
        return reader;
}

START_TEST(golden) {
        _cleanup_free_ char *path = test_golden("perf-6.1-groups.data"), *text = NULL, *full = NULL;
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;

        ck_assert_ok(perf_data_reader_new(AT_FDCWD, path, &reader));
        text = header_of(reader, false);
        full = header_of(reader, true);
        ck_assert_ptr_nonnull(strstr(text, "# data offset    : 584\n# data size      : 6096\n# feat offset    : 6680\n# hostname : vm\n"));
        ck_assert_ptr_nonnull(strstr(text, "# nrcpus online : 2\n# nrcpus avail : 2\n# cpudesc : AMD EPYC\n"));
        ck_assert_ptr_nonnull(strstr(text, "\n# event : name = task-clock, , id = { 1376, 1377 }, type = 1, size = 128, config = 0x1, {"));
        ck_assert_ptr_nonnull(strstr(text, "\n# group: {cpu-clock,task-clock}\n# CACHE info available, use -I to display\n"));
        ck_assert_ptr_nonnull(strstr(text, "\n# missing features: BRANCH_STACK AUXTRACE STAT "));
        ck_assert_ptr_nonnull(strstr(full, "# sibling dies    : 0-1\n# sibling threads : 0\n# sibling threads : 1\n"
                                     "# CPU 0: Core ID 0, Die ID 0, Socket ID 0\n"));
        ck_assert_ptr_nonnull(strstr(full, "#  L1 Data                 48K [0]\n"));
        ck_assert_ptr_nonnull(strstr(full, "# memory nodes (nr 1, block size 0x8000000):\n#    0 [24G]: 0-23,32-199\n"));
}
END_TEST

START_TEST(hostile) {
        _cleanup_feature_table_free_ FeatureTable *features = NULL;
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        _cleanup_free_ char *text = NULL;
        ByteBuffer host = {}, nodes = {}, memory = {}, groups = {};

        ck_assert_ok(feature_table_new(&features));
        byte_buffer_put_string(&host, "web\033[1m\nroot");
        ck_assert_ok(feature_table_take(features, PERF_FEATURE_HOSTNAME, &host));
        ck_assert_ok(feature_table_add_command_line(features, (char *const[]) { (char *) "it's\r", NULL }));
        byte_buffer_put_u32(&nodes, UINT32_MAX); /* as many nodes, and none follows */
        ck_assert_ok(feature_table_take(features, PERF_FEATURE_NUMA_TOPOLOGY, &nodes));
        byte_buffer_put_u64(&memory, 1);
        byte_buffer_put_u64(&memory, 4096);
        byte_buffer_put_u64(&memory, UINT64_MAX);
        byte_buffer_put_u64(&memory, 7);
        byte_buffer_put_u64(&memory, 1);
        byte_buffer_put_u64(&memory, UINT64_MAX); /* bits */
        ck_assert_ok(feature_table_take(features, PERF_FEATURE_MEM_TOPOLOGY, &memory));
        byte_buffer_put_u32(&groups, 2); /* of the same event */
        for (int i = 0; i < 2; i++) {
                byte_buffer_put_string(&groups, "group");
                byte_buffer_put_u32(&groups, 0);
                byte_buffer_put_u32(&groups, 1);
        }
        ck_assert_ok(feature_table_take(features, PERF_FEATURE_GROUP_DESC, &groups));
        ck_assert_ok(feature_table_put(features, PERF_FEATURE_CACHE, "", 1));
        reader = reader_with(features);
        text = header_of(reader, true);
        ck_assert_ptr_nonnull(strstr(text, "# hostname : web?[1m root\n# cmdline : it\\'s  \n# group: group{}\n# memory nodes (nr 18446744073709551615, "));
        for (const char *s = text; *s; s++)
                ck_assert((unsigned char) *s >= ' ' || *s == '\n');
}
END_TEST

TEST_RUN("report-header", golden, hostile);
