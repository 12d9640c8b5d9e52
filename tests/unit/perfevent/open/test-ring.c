/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Rings in plain memory: records across the end, overwritten records, invalid records. */

#include "check-main.h"
#include "record-counts.h"
#include "record-cursor.h"
#include "ring.h"

#define SIZE 4096

typedef struct Memory {
        struct perf_event_mmap_page page;
        _Alignas(8) uint8_t data[SIZE];
        Ring ring;
} Memory;

static Memory *memory_new(bool overwrite) {
        Memory *m = calloc(1, sizeof(Memory));

        ck_assert_ptr_nonnull(m);
        ck_assert_int_eq(ring_init_memory(&m->ring, &m->page, m->data, SIZE, overwrite), 0);
        return m;
}

static void put_u64(Memory *m, uint64_t at, uint64_t v) {
        memcpy(m->data + (at & (SIZE - 1)), &v, sizeof(v));
}

/* Puts a record of size bytes whose words after the header are the value. */
static void put_record(Memory *m, uint64_t at, uint32_t type, uint16_t size, uint64_t value) {
        struct perf_event_header h = { .type = type, .size = size };
        uint64_t header;

        memcpy(&header, &h, sizeof(header));
        put_u64(m, at, header);
        for (uint64_t i = 8; i < size; i += 8)
                put_u64(m, at + i, value);
}

static void append(Memory *m, uint32_t type, uint16_t size, uint64_t value) {
        put_record(m, m->page.data_head, type, size, value);
        m->page.data_head += size;
}

START_TEST(test_init) {
        struct perf_event_mmap_page page = {};
        uint8_t data[64];
        Ring r = RING_EMPTY;

        ck_assert_int_eq(ring_init_memory(&r, &page, data, 48, false), -EINVAL);
        ck_assert_int_eq(ring_init_memory(&r, &page, data, 0, false), -EINVAL);
        ck_assert_int_eq(ring_map(&r, -1, 3, false), -EINVAL);
        ck_assert_int_eq(ring_map(&r, -1, 4, false), -EBADF);
        ck_assert_int_eq(r.fd, -EBADF);
}
END_TEST

START_TEST(test_read) {
        _cleanup_free_ Memory *m = memory_new(false);
        struct iovec v[2];
        unsigned n = 9;

        ck_assert_uint_eq(ring_read_begin(&m->ring, v, &n), 0);
        ck_assert_uint_eq(n, 0);

        append(m, PERF_RECORD_SAMPLE, 40, 1);
        append(m, PERF_RECORD_COMM, 16, 2);
        ck_assert_uint_eq(ring_read_begin(&m->ring, v, &n), 56);
        ck_assert_uint_eq(n, 1);
        ck_assert_ptr_eq(v[0].iov_base, m->data);
        ck_assert_uint_eq(m->page.data_tail, 0); /* not returned before it is consumed */
        ring_consume(&m->ring, 40);
        ck_assert_uint_eq(m->page.data_tail, 40);
        ck_assert_uint_eq(ring_read_begin(&m->ring, v, &n), 16);
        ring_consume(&m->ring, 16);
        ck_assert_uint_eq(ring_read_begin(&m->ring, v, &n), 0);
}
END_TEST

START_TEST(test_read_across_the_end) {
        _cleanup_free_ Memory *m = memory_new(false);
        const struct perf_event_header *h;
        uint64_t scratch[RECORD_SCRATCH_SIZE / 8];
        struct iovec v[2];
        RecordCursor c;
        unsigned n;

        m->page.data_head = m->ring.position = m->page.data_tail = 3 * SIZE - 24;
        append(m, PERF_RECORD_SAMPLE, 48, 7);
        ck_assert_uint_eq(ring_read_begin(&m->ring, v, &n), 48);
        ck_assert_uint_eq(n, 2);
        ck_assert_uint_eq(v[0].iov_len, 24);
        ck_assert_uint_eq(v[1].iov_len, 24);
        ck_assert_ptr_eq(v[1].iov_base, m->data);

        record_cursor_init(&c, v, n, scratch);
        ck_assert_int_eq(record_cursor_next(&c, &h), 1);
        ck_assert_ptr_eq(h, scratch);
        for (size_t i = 1; i < 6; i++)
                ck_assert_uint_eq(scratch[i], 7);
        ck_assert_int_eq(record_cursor_next(&c, &h), 0);
}
END_TEST

START_TEST(test_impossible_head) {
        _cleanup_free_ Memory *m = memory_new(false);
        struct iovec v[2];
        unsigned n;

        m->page.data_head = SIZE + 8;
        ck_assert_uint_eq(ring_read_begin(&m->ring, v, &n), 0);
        ck_assert_uint_eq(n, 0);
        append(m, PERF_RECORD_SAMPLE, 16, 0); /* and reading continues there */
        ck_assert_uint_eq(ring_read_begin(&m->ring, v, &n), 16);
}
END_TEST

/* The counts are the same for any position of the end. */
START_TEST(test_count) {
        for (uint64_t start = 0; start < SIZE; start += 8) {
                _cleanup_free_ Memory *m = memory_new(false);
                RecordCounts counts = {};
                struct iovec v[2];
                unsigned n;

                m->page.data_head = m->ring.position = start;
                append(m, PERF_RECORD_SAMPLE, 40, 0);
                append(m, PERF_RECORD_LOST, 24, 5);         /* id 5, 5 lost */
                append(m, PERF_RECORD_LOST_SAMPLES, 16, 3);
                append(m, PERF_RECORD_THROTTLE, 32, 0);
                append(m, PERF_RECORD_SAMPLE, 2000, 0);
                append(m, PERF_RECORD_MMAP2, 120, 0);
                (void) ring_read_begin(&m->ring, v, &n);
                record_counts_add_segments(&counts, v, n);
                ck_assert_uint_eq(counts.records, 6);
                ck_assert_uint_eq(counts.samples, 2);
                ck_assert_uint_eq(counts.lost, 8);
                ck_assert_uint_eq(counts.throttled, 1);
        }
}
END_TEST

START_TEST(test_parse_pages) {
        unsigned page = (unsigned) sysconf(_SC_PAGESIZE), pages = 77;
        _cleanup_free_ char *bytes = NULL;

        ck_assert_int_gt(asprintf(&bytes, "%uB", page * 3), 0);
        ck_assert_int_eq(ring_parse_pages("128", &pages), 0);
        ck_assert_uint_eq(pages, 128);
        ck_assert_int_eq(ring_parse_pages("100", &pages), 0);
        ck_assert_uint_eq(pages, 128);
        ck_assert_int_eq(ring_parse_pages("1M", &pages), 0);
        ck_assert_uint_eq(pages, 1024 * 1024 / page);
        ck_assert_int_eq(ring_parse_pages("1K", &pages), 0);
        ck_assert_uint_eq(pages, 1);
        ck_assert_int_eq(ring_parse_pages(bytes, &pages), 0);
        ck_assert_uint_eq(pages, 4);
        ck_assert_int_eq(ring_parse_pages("0", &pages), -EINVAL);
        ck_assert_int_eq(ring_parse_pages("", &pages), -EINVAL);
        ck_assert_int_eq(ring_parse_pages("12,4", &pages), -EINVAL);
        ck_assert_int_eq(ring_parse_pages("-1", &pages), -EINVAL);
        ck_assert_int_eq(ring_parse_pages("999999999999", &pages), -ERANGE);
        ck_assert_int_eq(ring_parse_pages("1E", &pages), -ERANGE);
        ck_assert_uint_eq(pages, 4);
}
END_TEST

START_TEST(test_default_pages) {
        unsigned pages = ring_default_pages();

        ck_assert_uint_gt(pages, 0);
        ck_assert_uint_eq(pages & (pages - 1), 0);
}
END_TEST

CHECK_MAIN("ring", test_init, test_read, test_read_across_the_end, test_impossible_head, test_count, test_parse_pages,
           test_default_pages);
