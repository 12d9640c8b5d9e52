/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The description of a file in its header and attributes. */

#include "check-main.h"
#include "loaded-program.h"
#include "made-recording.h"

static PerfDataReader *read_back(void) {
        PerfDataReader *r = NULL;

        ck_assert_int_eq(output_begin(made.output), 0);
        ck_assert_int_eq(output_finish(made.output, false, NULL), 0);
        ck_assert_int_eq(perf_data_reader_new(AT_FDCWD, made.path, &r), 0);
        return r;
}

START_TEST(test_events) {
        _cleanup_perf_data_reader_free_ PerfDataReader *r = read_back();
        const PerfDataEvent *events = NULL;

        ck_assert_uint_eq(perf_data_reader_events(r, &events), MADE_MEMBERS);
        ck_assert_str_eq(events[0].name, "cpu-clock");
        ck_assert_str_eq(events[1].name, "dummy:HG");
        ck_assert_uint_eq(events[0].n_ids, MADE_CPUS);
        ck_assert_uint_eq(events[0].ids[0], 100);
        ck_assert_uint_eq(events[0].ids[1], 101);
        ck_assert_uint_eq(events[1].ids[1], 201);
        ck_assert_uint_eq(events[1].attr.config, PERF_COUNT_SW_DUMMY);
}
END_TEST

/* Files of counts do not name an event that the machine does not have. */
START_TEST(test_missing_event) {
        const PerfDataEvent *events = NULL;
        _cleanup_perf_data_reader_free_ PerfDataReader *r = NULL;

        made.events[0] = made.events[1];
        made.events[1] = made.events[3];
        made.set.n_events = 2;
        made.set.n_rings = 0;
        made_teardown();
        made_output(0);
        ck_assert_int_eq(file_description_renew_ids(made.files.description), 0);
        r = read_back();
        ck_assert_uint_eq(perf_data_reader_events(r, &events), 1);
        ck_assert_str_eq(events[0].name, "dummy:HG");
        ck_assert_uint_eq(events[0].n_ids, 2);
        ck_assert_uint_eq(events[0].ids[0], 1);
        ck_assert_uint_eq(events[0].ids[1], 2);
}
END_TEST

START_TEST(test_features) {
        static const unsigned features[] = {
                PERF_FEATURE_HOSTNAME, PERF_FEATURE_OSRELEASE, PERF_FEATURE_VERSION, PERF_FEATURE_ARCH, PERF_FEATURE_NRCPUS,
                PERF_FEATURE_TOTAL_MEM, PERF_FEATURE_CMDLINE, PERF_FEATURE_EVENT_DESC, PERF_FEATURE_SAMPLE_TIME,
        };
        _cleanup_perf_data_reader_free_ PerfDataReader *r = read_back();
        _cleanup_strv_free_ char **line = NULL;
        const char *version = NULL;
        const void *data;
        size_t size;

        for (size_t i = 0; i < ELEMENTSOF(features); i++)
                ck_assert_msg(perf_data_reader_feature(r, features[i], &data, &size) == 0, "%u", features[i]);
        ck_assert_int_eq(perf_data_reader_feature(r, PERF_FEATURE_BUILD_ID, &data, &size), -ENODATA);
        ck_assert_int_eq(perf_data_reader_feature(r, PERF_FEATURE_TRACING_DATA, &data, &size), -ENODATA);
        ck_assert_int_eq(perf_data_reader_feature_string(r, PERF_FEATURE_VERSION, &version), 0);
        ck_assert_ptr_nonnull(startswith(version, "perf-recorder "));
        ck_assert_int_eq(perf_data_reader_command_line(r, &line), 0);
        ck_assert_str_eq(line[0], "test");
        ck_assert_ptr_null(line[1]);
}
END_TEST

START_TEST(test_groups) {
        const void *data;
        size_t size;
        _cleanup_perf_data_reader_free_ PerfDataReader *r = NULL;

        for (unsigned m = 0; m < MADE_MEMBERS; m++) {
                made.specs[m].group = made.members[m].group = 1;
                made.specs[m].leader = made.members[m].leader = m == 0;
        }
        made_teardown();
        made_output(0);
        r = read_back();
        ck_assert_int_eq(perf_data_reader_feature(r, PERF_FEATURE_GROUP_DESC, &data, &size), 0);
}
END_TEST

/* The file has the name of a probe, not the address of its text, which is useless to readers and reveals our memory
 * layout. */
START_TEST(test_probe) {
        const PerfDataEvent *events = NULL;
        _cleanup_perf_data_reader_free_ PerfDataReader *r = NULL;

        made.specs[0].probe_kind = PROBE_USER;
        made.members[0].attr.config1 = (uintptr_t) "/bin/true";
        made.members[0].attr.config2 = 0x1000;
        made_teardown();
        made_output(0);
        r = read_back();
        ck_assert_uint_eq(perf_data_reader_events(r, &events), MADE_MEMBERS);
        ck_assert_uint_eq(events[0].attr.config1, 0);
        ck_assert_uint_eq(events[0].attr.config2, 0x1000);
}
END_TEST

#define MAP_START 0x1000u /* address of made samples */

/* Writes a file of records in two segments, the second of which begins within a record. */
static unsigned write_and_count_build_ids(const RecordBuffer *b) {
        FileDescription *f = made.files.description;
        _cleanup_perf_data_writer_free_ PerfDataWriter *w = NULL;
        _cleanup_perf_data_reader_free_ PerfDataReader *r = NULL;
        size_t first = b->size > 16 ? 16 : 0, cursor = 0;
        const struct iovec segments[] = {
                { .iov_base = b->data, .iov_len = first },
                { .iov_base = b->data ? (uint8_t *) b->data + first : NULL, .iov_len = b->size - first },
        };
        BuildIdEntry entry;
        unsigned n = 0;

        ck_assert_int_eq(file_description_open(f, AT_FDCWD, made.path, false, &w), 0);
        ck_assert_int_eq(file_description_append(f, w, segments, b->size > 0 ? 2 : 0), 0);
        ck_assert_int_eq(file_description_finish(f, w, NULL, NULL, NULL), 0);
        ck_assert_int_eq(perf_data_reader_new(AT_FDCWD, made.path, &r), 0);
        while (perf_data_reader_next_build_id(r, &cursor, &entry) == 1)
                n++;
        return n;
}

/* Each file has only its own hits, whether its records are read in the file or, compressed, before. */
static void check_build_ids(unsigned level) {
        _cleanup_free_ char *program = realpath("/proc/self/exe", NULL);
        _cleanup_(record_buffer_done) RecordBuffer b = {}, nothing = {};
        const RecordMap map = {
                .pid = 7, .tid = 7, .start = MAP_START, .length = 0x1000, .misc = PERF_RECORD_MISC_USER, .path = program,
        };
        const MadeSample sample = {
                .header = { .type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_USER, .size = sizeof(sample) },
                .ip = MAP_START, .pid = 7, .tid = 7, .time = 1, .id = 100,
        };

        ck_assert_ptr_nonnull(program);
        made_describe((FileDescriptionOptions) { .build_ids = BUILD_ID_TABLE_HIT, .level = level, .synced = true });
        ck_assert_int_eq(record_put_mmap2(&b, &map, NULL), 0);
        byte_buffer_put(&b, &sample, sizeof(sample));
        ck_assert_uint_eq(write_and_count_build_ids(&b), 1);
        ck_assert_uint_eq(write_and_count_build_ids(&nothing), 0);
        ck_assert_uint_eq(write_and_count_build_ids(&b), 1);
}

START_TEST(test_build_ids) {
        check_build_ids(0);
}
END_TEST

START_TEST(test_build_ids_of_compressed) {
        check_build_ids(1);
}
END_TEST

static uint32_t count_programs(const PerfDataReader *r) {
        const void *data = NULL;
        size_t size = 0;
        uint32_t n;

        ck_assert_int_eq(perf_data_reader_feature(r, PERF_FEATURE_BPF_BTF, &data, &size), 0);
        ck_assert_int_eq(perf_data_reader_feature(r, PERF_FEATURE_BPF_PROG_INFO, &data, &size), 0);
        ck_assert_uint_ge(size, sizeof(n));
        memcpy(&n, data, sizeof(n));
        return n;
}

/* The program is loaded after the file was begun, if we may load any. */
START_TEST(test_programs) {
        _cleanup_(bpf_catalog_freep) BpfCatalog *programs = NULL;
        _cleanup_perf_data_reader_free_ PerfDataReader *without = read_back(), *with = NULL;
        uint32_t id;
        int fd;

        ck_assert_uint_eq(count_programs(without), 0);
        ck_assert_int_eq(bpf_catalog_new(&programs), 0);
        made_describe((FileDescriptionOptions) { .programs = programs });
        ck_assert_int_eq(output_begin(made.output), 0);
        fd = load_program(&id);
        with = read_back();
        ck_assert(fd < 0 || count_programs(with) > 0);
        safe_close(fd);
}
END_TEST

CHECK_MAIN_WITH("file-description", made_setup, made_teardown, test_events, test_missing_event, test_features, test_groups,
                test_probe, test_build_ids, test_build_ids_of_compressed, test_programs);
