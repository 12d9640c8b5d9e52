/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <time.h>

#include "perfdata-test.h"
#include "reader.h"
#include "sample.h"
#include "strv.h"

/* Makes the bytes of a whole file with all kinds of features. */
static char *make_file(size_t *ret_size) {
        static char word[] = "worker", option[] = "-a";
        const BuildIdEntry ids[] = {
                { .path = "/bin/sh", .id = { .bytes = { 1 }, .size = 20 } },
                { .path = "[kernel.kallsyms]", .cpumode = PERF_RECORD_MISC_KERNEL, .id = { .bytes = { 2 }, .size = 20 } },
        };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path("made");
        _cleanup_perf_data_writer_free_ PerfDataWriter *w = NULL;
        _cleanup_feature_table_free_ FeatureTable *t = NULL;
        const PerfDataEvent *events;
        size_t n;

        events = test_events(&n);
        ck_assert_ok(perf_data_writer_new(AT_FDCWD, path, &(PerfDataWriterOptions) { .events = events, .n_events = n }, &w));
        test_put_recording(&b, "/bin/sh");
        ck_assert_ok(test_append(w, &b));
        ck_assert_ok(feature_table_new(&t));
        ck_assert_ok(feature_table_add_version(t, "1.2.3"));
        ck_assert_ok(feature_table_add_command_line(t, (char *[]) { word, option, NULL }));
        ck_assert_ok(feature_table_add_events(t, events, n));
        test_put_build_ids(t, ids, ELEMENTSOF(ids));
        ck_assert_ok(perf_data_writer_finish(w, t, NULL, NULL));
        return test_read_file(path, ret_size);
}

START_TEST(reads_what_was_written) {
        _cleanup_perf_data_reader_free_ PerfDataReader *r = NULL;
        _cleanup_strv_free_ char **words = NULL;
        const struct perf_event_header *record;
        const PerfDataEvent *events;
        size_t size, cursor = 0, samples = 0, build_ids = 0;
        _cleanup_free_ char *file = make_file(&size);
        BuildIdEntry e;
        const char *s;

        ck_assert_ok(perf_data_reader_new_memory(file, size, &r));
        ck_assert_uint_eq(perf_data_reader_events(r, &events), 2);
        ck_assert_str_eq(events[0].name, "cpu-clock");
        ck_assert_str_eq(events[1].name, "dummy:u");
        ck_assert_uint_eq(events[1].n_ids, 2);
        ck_assert_uint_eq(events[1].ids[1], 22);
        ck_assert_uint_eq(events[0].attr.sample_freq, 99);

        while (perf_data_reader_next(r, &cursor, &record) == 1)
                if (record->type == PERF_RECORD_SAMPLE) {
                        ck_assert_ptr_eq(perf_data_reader_event_of(r, record), events);
                        samples++;
                }
        ck_assert_uint_eq(samples, 3);

        ck_assert_ok(perf_data_reader_feature_string(r, PERF_FEATURE_VERSION, &s));
        ck_assert_str_eq(s, "1.2.3");
        ck_assert_int_eq(perf_data_reader_feature_string(r, PERF_FEATURE_ARCH, &s), -ENODATA);
        ck_assert_ok(perf_data_reader_command_line(r, &words));
        ck_assert_uint_eq(strv_length(words), 2);
        ck_assert_str_eq(words[1], "-a");
        for (cursor = 0; perf_data_reader_next_build_id(r, &cursor, &e) == 1; build_ids++) {
                ck_assert_uint_eq(e.id.size, 20);
                ck_assert_str_eq(e.path, e.cpumode == PERF_RECORD_MISC_KERNEL ? "[kernel.kallsyms]" : "/bin/sh");
        }
        ck_assert_uint_eq(build_ids, 2);
}
END_TEST

static size_t samples_in(const char *name, size_t n_events, const char *first_name) {
        _cleanup_perf_data_reader_free_ PerfDataReader *r = NULL;
        _cleanup_free_ char *path = test_golden(name);
        const struct perf_event_header *record;
        const PerfDataEvent *events;
        size_t cursor = 0, samples = 0;
        int q;

        ck_assert_ok(perf_data_reader_new(AT_FDCWD, path, &r));
        ck_assert_uint_eq(perf_data_reader_events(r, &events), n_events);
        ck_assert_str_eq(events[0].name, first_name);
        while ((q = perf_data_reader_next(r, &cursor, &record)) == 1) {
                const PerfDataEvent *e = perf_data_reader_event_of(r, record);
                PerfSample s;

                if (record->type != PERF_RECORD_SAMPLE)
                        continue;
                ck_assert_ptr_nonnull(e);
                ck_assert_ok(sample_parse(&e->attr, record, &s));
                samples++;
        }
        ck_assert_int_eq(q, 0);
        return samples;
}

START_TEST(reads_what_perf_wrote) {
        ck_assert_uint_gt(samples_in("perf-6.1-plain.data", 1, "cpu-clock"), 0);
        ck_assert_uint_gt(samples_in("perf-6.1-groups.data", 3, "cpu-clock"), 0);
        ck_assert_uint_gt(samples_in("perf-6.1-compressed.data", 1, "cpu-clock"), 0);
        ck_assert_uint_gt(samples_in("perf-6.1-pipe.data", 2, "cpu-clock"), 0);
        ck_assert_uint_gt(samples_in("perf-6.1-pipe-compressed.data", 1, "syscalls:sys_enter_openat"), 0);
}
END_TEST

/* Calls every function of the reader. */
static void ask_everything(PerfDataReader *r) {
        const struct perf_event_header *record;
        const PerfDataEvent *e;
        BuildIdEntry entry;
        const char *s;
        size_t cursor = 0;

        while (perf_data_reader_next(r, &cursor, &record) == 1) {
                PerfSample sample;

                e = perf_data_reader_event_of(r, record);
                if (e && record->type == PERF_RECORD_SAMPLE)
                        (void) sample_parse(&e->attr, record, &sample);
                else if (e)
                        (void) sample_parse_trailer(&e->attr, record, &sample);
        }
        for (unsigned i = 0; i < 256; i++)
                (void) perf_data_reader_feature_string(r, i, &s);
        for (cursor = 0; perf_data_reader_next_build_id(r, &cursor, &entry) == 1;)
                ck_assert_uint_le(entry.id.size, PERF_BUILD_ID_SIZE);
        {
                _cleanup_strv_free_ char **words = NULL;

                (void) perf_data_reader_command_line(r, &words);
        }
}

static void open_and_ask(const void *file, size_t size) {
        _cleanup_perf_data_reader_free_ PerfDataReader *r = NULL;
        _cleanup_free_ void *copy = malloc(size + 1); /* the sanitizer checks its end */

        memcpy(copy, file, size);
        if (perf_data_reader_new_memory(copy, size, &r) >= 0)
                ask_everything(r);
}

START_TEST(cut_anywhere) {
        _cleanup_free_ char *file = NULL;
        size_t size;

        file = make_file(&size);
        for (size_t n = 0; n < size; n++)
                open_and_ask(file, n);
}
END_TEST

START_TEST(any_word_is_wrong) {
        static const uint64_t wrong[] = { 0, UINT64_MAX, UINT64_MAX - 7, UINT64_C(1) << 63, UINT32_MAX, 8, UINT64_C(0xffff000000000000) };
        _cleanup_free_ char *file = NULL;
        size_t size;

        file = make_file(&size);
        for (size_t at = 0; at + 8 <= size; at += 4)
                for (size_t k = 0; k < ELEMENTSOF(wrong); k++) {
                        uint64_t saved;

                        memcpy(&saved, file + at, 8);
                        memcpy(file + at, wrong + k, 8);
                        open_and_ask(file, size);
                        memcpy(file + at, &saved, 8);
                }
}
END_TEST

static int open_changed(const char *file, size_t size, size_t offset, uint64_t value) {
        _cleanup_perf_data_reader_free_ PerfDataReader *r = NULL;
        _cleanup_free_ char *copy = malloc(size);

        memcpy(copy, file, size);
        memcpy(copy + offset, &value, 8);
        return perf_data_reader_new_memory(copy, size, &r);
}

START_TEST(refuses_a_broken_frame) {
        static const struct {
                size_t offset;
                uint64_t value;
        } cases[] = {
                { offsetof(PerfFileHeader, magic), UINT64_C(0x50455246494c4532) }, /* the other byte order */
                { offsetof(PerfFileHeader, size), 8 },
                { offsetof(PerfFileHeader, attr_size), 0 },
                { offsetof(PerfFileHeader, attr_size), 72 },
                { offsetof(PerfFileHeader, attr_size), UINT64_MAX },
                { offsetof(PerfFileHeader, attrs.offset), UINT64_MAX - 16 },
                { offsetof(PerfFileHeader, attrs.size), UINT64_MAX },
                { offsetof(PerfFileHeader, data.offset), 1 },
                { offsetof(PerfFileHeader, data.size), UINT64_MAX },
                { offsetof(PerfFileHeader, features), UINT64_MAX },
        };
        _cleanup_free_ char *file = NULL;
        size_t size;

        file = make_file(&size);
        ck_assert_int_eq(open_changed(file, size, 0, PERF_FILE_MAGIC), 0);
        for (size_t i = 0; i < ELEMENTSOF(cases); i++)
                ck_assert_int_eq(open_changed(file, size, cases[i].offset, cases[i].value), -EBADMSG);
}
END_TEST

START_TEST(refuses_what_is_no_file) {
        _cleanup_free_ char *empty = test_path("empty");
        PerfDataReader *r = NULL;

        test_write_file(empty, "", 0);
        ck_assert_int_eq(perf_data_reader_new(AT_FDCWD, empty, &r), -EBADMSG);
        ck_assert_int_eq(perf_data_reader_new(AT_FDCWD, test_directory(), &r), -EISDIR);
        ck_assert_int_eq(perf_data_reader_new(AT_FDCWD, "/dev/null", &r), -EBADFD);
        ck_assert_int_eq(perf_data_reader_new(AT_FDCWD, "/no/such/file", &r), -ENOENT);
        ck_assert_ptr_null(r);
}
END_TEST

/* The stream has the maximum number of events, with as many names. */
START_TEST(a_stream_of_names) {
        enum { N = 60000 };
        const PerfPipeHeader header = { .magic = PERF_FILE_MAGIC, .size = sizeof(header) };
        _cleanup_perf_data_reader_free_ PerfDataReader *r = NULL;
        _cleanup_byte_buffer_ ByteBuffer b = {};
        const PerfDataEvent *events;
        clock_t start = clock();

        byte_buffer_put(&b, &header, sizeof(header));
        for (uint64_t i = 0; i < N; i++) {
                const struct perf_event_header h = { .type = PERF_RECORD_HEADER_ATTR, .size = sizeof(h) + PERF_ATTR_SIZE_VER0 + 8 };
                const struct perf_event_attr attr = { .size = PERF_ATTR_SIZE_VER0 };

                byte_buffer_put(&b, &h, sizeof(h));
                byte_buffer_put(&b, &attr, PERF_ATTR_SIZE_VER0);
                byte_buffer_put_u64(&b, i);
        }
        for (uint64_t i = 0; i < N; i++) {
                const struct perf_event_header h = { .type = PERF_RECORD_EVENT_UPDATE, .size = sizeof(h) + 24 };

                byte_buffer_put(&b, &h, sizeof(h));
                byte_buffer_put_u64(&b, 2);
                byte_buffer_put_u64(&b, N - 1 - i / 2);
                byte_buffer_put(&b, "a name\0", 8);
        }
        ck_assert_int_eq(b.error, 0);
        ck_assert_ok(perf_data_reader_new_memory(b.data, b.size, &r));
        ck_assert_uint_eq(perf_data_reader_events(r, &events), N);
        ck_assert_str_eq(events[N - 1].name, "a name");
        ck_assert_ptr_null(events[0].name);
        ck_assert_int_lt((clock() - start) / CLOCKS_PER_SEC, 3);
}
END_TEST

/* Records at all places of a block's end, and one that is followed by a payload longer than a block. */
static void put_records_of_all_sizes(RecordBuffer *b) {
        static const char payload[3 << 20];

        for (uint32_t i = 0; i < 100000; i++) {
                char name[64];

                (void) snprintf(name, sizeof(name), "%.*s", (int) (i % 40 + 1), "0123456789012345678901234567890123456789");
                ck_assert_ok(record_put_comm(b, i, i, name, 0, NULL));
                if (i == 50000)
                        ck_assert_ok(record_put_tracing_data(b, payload, sizeof(payload)));
        }
}

/* A file that is read in blocks has the records of the mapped one. */
START_TEST(blocks) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path("blocks.data");
        _cleanup_perf_data_reader_free_ PerfDataReader *mapped = NULL, *read_by_blocks = NULL;
        const struct perf_event_header *x, *y;
        _cleanup_close_ int fd = -EBADF;
        size_t cursor = 0, other = 0, n = 0;
        int r;

        put_records_of_all_sizes(&b);
        mapped = test_recording(path, &b, NULL, 0);
        fd = open(path, O_RDONLY | O_CLOEXEC);
        ck_assert_ok(perf_data_reader_new_fd(fd, &read_by_blocks));
        ck_assert_ok(perf_data_reader_read_blocks(read_by_blocks, fd));
        while ((r = perf_data_reader_next(mapped, &cursor, &x)) == 1) {
                ck_assert_int_eq(perf_data_reader_next(read_by_blocks, &other, &y), 1);
                ck_assert_uint_eq((uintptr_t) y % sizeof(uint64_t), 0);
                ck_assert(x->size == y->size && memcmp(x, y, x->size) == 0);
                n++;
        }
        ck_assert_int_eq(r, 0);
        ck_assert_int_eq(perf_data_reader_next(read_by_blocks, &other, &y), 0);
        ck_assert_uint_eq(n, 100001);
        for (other = 0; (r = perf_data_reader_next(read_by_blocks, &other, &y)) == 1;) /* once more, from the begin */
                n--;
        ck_assert_int_eq(r, 0);
        ck_assert_uint_eq(n, 0);
}
END_TEST

/* perf record writes the size of the data at its end. */
START_TEST(killed_perf) {
        _cleanup_free_ char *path = test_golden("perf-6.1-plain.data"), *killed = test_path("killed.data"), *data = NULL;
        _cleanup_perf_data_reader_free_ PerfDataReader *r = NULL, *whole = NULL;
        const struct perf_event_header *record;
        _cleanup_close_ int fd = -EBADF;
        size_t size, cursor = 0, n = 0, n_whole = 0;
        PerfFileHeader h;

        data = test_read_file(path, &size);
        ck_assert_ok(perf_data_reader_new_memory(data, size, &whole));
        while (perf_data_reader_next(whole, &cursor, &record) == 1)
                n_whole++;
        memcpy(&h, data, sizeof(h));
        size = h.data.offset + h.data.size;
        h.data.size = 0;
        memcpy(data, &h, sizeof(h));
        test_write_file(killed, data, size);
        fd = open(killed, O_RDONLY | O_CLOEXEC);
        ck_assert_ok(perf_data_reader_new_partial(fd, &r));
        ck_assert(perf_data_reader_is_cut(r));
        for (cursor = 0; perf_data_reader_next(r, &cursor, &record) == 1;)
                n++;
        ck_assert_uint_eq(n, n_whole);
}
END_TEST

TEST_RUN("reader", a_stream_of_names, blocks, killed_perf, reads_what_was_written, reads_what_perf_wrote, cut_anywhere, any_word_is_wrong, refuses_a_broken_frame,
         refuses_what_is_no_file);
