/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "record.h"
#include "record-cpus.h"

static int read_map(RecordBuffer *b, int **ret, size_t *ret_n) {
        int r = record_read_cpus((const void *) b->data, ret, ret_n);

        record_buffer_reset(b);
        return r;
}

static void assert_map(RecordBuffer *b, const int *cpus, size_t n) {
        _cleanup_free_ int *list = NULL;
        size_t n_list;

        ck_assert_int_eq(read_map(b, &list, &n_list), 0);
        ck_assert_uint_eq(n_list, n);
        ck_assert_mem_eq(list, cpus, n * sizeof(*cpus));
}

#define ASSERT_MAP(b, ...) assert_map(b, (const int[]) { __VA_ARGS__ }, ELEMENTSOF(((const int[]) { __VA_ARGS__ })))

static void put_map(RecordBuffer *b, const uint16_t *words, size_t n) {
        size_t start = record_begin(b, PERF_RECORD_CPU_MAP, 0);

        byte_buffer_put(b, words, n * sizeof(*words));
        (void) byte_buffer_extend(b, -b->size % sizeof(uint64_t));
        ck_assert_int_eq(record_end(b, start, NULL), 0);
}

#define PUT_MAP(b, ...) put_map(b, (const uint16_t[]) { __VA_ARGS__ }, ELEMENTSOF(((const uint16_t[]) { __VA_ARGS__ })))

START_TEST(own_maps) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ int *list = NULL;
        size_t n;

        ck_assert_int_eq(record_put_cpu_map(&b, (int[]) { 2, 3, 4 }, 3), 0);
        ASSERT_MAP(&b, 2, 3, 4);
        ck_assert_int_eq(record_put_cpu_map(&b, (int[]) { 0, 2, 511 }, 3), 0);
        ASSERT_MAP(&b, 0, 2, 511);
        ck_assert_int_eq(record_put_cpu_map(&b, NULL, 0), 0);
        ASSERT_MAP(&b, -1);
        PUT_MAP(&b, CPU_MAP_RANGE, 0, 0, UINT16_MAX);
        ck_assert_int_eq(read_map(&b, &list, &n), 0);
        ck_assert_uint_eq(n, 65536);
        ck_assert_int_eq(list[65535], 65535);
}
END_TEST

/* perf writes masks: words of 64 bits behind 4 bytes of padding, or words of 32 bits. */
START_TEST(masks) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        PUT_MAP(&b, CPU_MAP_MASK, 2, 8, 0, 0, 0x0005, 0, 0, 0x8000, 0x0001, 0, 0, 0);
        ASSERT_MAP(&b, 0, 2, 63, 64);
        PUT_MAP(&b, CPU_MAP_MASK, 2, 4, 0, 0x8000, 0x0002, 0);
        ASSERT_MAP(&b, 31, 33);
        PUT_MAP(&b, CPU_MAP_RANGE, 1, 0, 1);
        ASSERT_MAP(&b, -1, 0, 1);
}
END_TEST

START_TEST(broken_maps) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        int *list;
        size_t n;

        PUT_MAP(&b, 3, 1, 0, 0); /* no such kind */
        ck_assert_int_eq(read_map(&b, &list, &n), -EBADMSG);
        PUT_MAP(&b, CPU_MAP_LIST, 3, 1, 2); /* of three CPUs, with room for two */
        ck_assert_int_eq(read_map(&b, &list, &n), -EBADMSG);
        PUT_MAP(&b, CPU_MAP_LIST, 2, 2, 2); /* twice the same */
        ck_assert_int_eq(read_map(&b, &list, &n), -EBADMSG);
        PUT_MAP(&b, CPU_MAP_MASK, 2, 8, 0, 0, 1, 0, 0); /* of two words, with room for less */
        ck_assert_int_eq(read_map(&b, &list, &n), -EBADMSG);
        PUT_MAP(&b, CPU_MAP_MASK, 1, 3, 0); /* no such size */
        ck_assert_int_eq(read_map(&b, &list, &n), -EBADMSG);
        ck_assert_int_eq(record_end(&b, record_begin(&b, PERF_RECORD_CPU_MAP, 0), NULL), 0); /* empty */
        ck_assert_int_eq(read_map(&b, &list, &n), -EBADMSG);
}
END_TEST

CHECK_MAIN("record-cpus", own_maps, masks, broken_maps);
