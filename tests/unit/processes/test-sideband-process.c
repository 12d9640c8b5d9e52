/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "sideband-parts.h"

static Map map_of(uint64_t page, uint32_t object) {
        return (Map) { .start = page << 12, .end = (page + 1) << 12, .object = object };
}

/* Returns the pool's number of a file whose record has about this size. */
static uint32_t object(SidebandTable *t, uint32_t number, size_t size, uint16_t misc) {
        struct {
                struct perf_event_header h;
                uint32_t number;
                char rest[8192];
        } tail = { .h = { .type = PERF_RECORD_MMAP2, .misc = misc }, .number = number };
        uint32_t n;

        ck_assert_uint_lt(size, sizeof(tail.rest));
        ck_assert_ok(byte_pool_intern(&t->pool, &tail, offsetof(__typeof__(tail), rest) + size, &n));
        return n;
}

static void put_object(SidebandTable *t, SidebandMaps **m, uint64_t page, uint32_t o) {
        Map map = map_of(page, o);

        ck_assert_ok(sideband_maps_put(t, m, &map));
}

static void put(SidebandTable *t, SidebandMaps **m, uint64_t page, uint32_t number) {
        put_object(t, m, page, object(t, number, 0, 0));
}

static bool has(const SidebandMaps *m, uint64_t page) {
        return map_list_find(&m->list, page << 12);
}

/* Returns the sum of the records for all maps. */
static size_t recount(const SidebandTable *t, const SidebandMaps *m) {
        size_t bytes = 0;

        for (size_t i = 0; i < m->list.n; i++)
                bytes += 32 + byte_pool_get(&t->pool, m->list.maps[i].object)->size + t->trailer_size;
        return bytes;
}

START_TEST(sharers_do_not_see_each_other) {
        _cleanup_sideband_table_free_ SidebandTable *t = NULL;
        SidebandMaps *a = NULL, *b;

        ck_assert_ok(sideband_table_new(0, &t));
        put(t, &a, 1, 10);
        b = sideband_maps_ref(t, a);
        ck_assert_uint_eq(b->refs, 2);
        put(t, &b, 2, 20);
        ck_assert_ptr_ne(a, b);
        ck_assert_uint_eq(a->refs, 1);
        ck_assert_uint_eq(a->list.n, 1);
        ck_assert_uint_eq(b->list.n, 2);
        put(t, &a, 1, 30);
        ck_assert_uint_eq(b->list.maps[0].object, object(t, 10, 0, 0));
        ck_assert_uint_eq(t->base_records, recount(t, a) + recount(t, b));
        a = sideband_maps_unref(t, a);
        b = sideband_maps_unref(t, b);
        ck_assert_uint_eq(t->base_bytes, 0);
        ck_assert_uint_eq(t->base_records, 0);
        ck_assert_ptr_null(sideband_maps_ref(t, NULL));
}
END_TEST

/* A process that maps new places all the time keeps its program, and its latest maps. */
START_TEST(long_lives_have_a_limit) {
        _cleanup_sideband_table_free_ SidebandTable *t = NULL;
        SidebandMaps *m = NULL;

        ck_assert_ok(sideband_table_new(0, &t));
        for (uint64_t page = 0; page < 100000; page++) {
                put(t, &m, page * 2, (uint32_t) page % 1000 + 1);
                ck_assert_ptr_nonnull(map_list_find(&m->list, page << 13));
                ck_assert_ptr_nonnull(map_list_find(&m->list, (page - MIN_OF(page, UINT64_C(8000))) << 13));
                ck_assert_uint_le(m->list.n, MAP_LIST_MAX);
        }
        ck_assert_uint_eq(map_list_find(&m->list, 0)->object, object(t, 1, 0, 0));
        ck_assert_uint_lt(t->base_bytes, 1 << 20);
        ck_assert_uint_eq(m->left_out, 100000 - m->list.n);
        m = sideband_maps_unref(t, m);
}
END_TEST

/* The bytes are right for any overlap of maps. */
START_TEST(bytes_are_those_of_the_records) {
        _cleanup_sideband_table_free_ SidebandTable *t = NULL;
        SidebandMaps *m = NULL;
        unsigned seed = 1;

        ck_assert_ok(sideband_table_new(0, &t));
        for (unsigned i = 0; i < 3000; i++) {
                uint64_t page = (uint64_t) rand_r(&seed) % 500;
                Map map = map_of(page, object(t, i % 7, i % 7 * 100, 0));

                map.end += (uint64_t) (rand_r(&seed) % 20) << 12;
                ck_assert_ok(sideband_maps_put(t, &m, &map));
                ck_assert_uint_eq(m->bytes, recount(t, m));
                ck_assert_uint_eq(t->base_records, m->bytes);
        }
        m = sideband_maps_unref(t, m);
        ck_assert_uint_eq(t->base_records, 0);
}
END_TEST

/* 100 early mappings are followed by 16,000 with long paths. */
START_TEST(long_paths_have_a_limit) {
        _cleanup_sideband_table_free_ SidebandTable *t = NULL;
        SidebandMaps *m = NULL, *shared;

        ck_assert_ok(sideband_table_new(0, &t));
        for (uint64_t page = 0; page < 100; page++)
                put(t, &m, page, 1);
        for (uint64_t page = 0; page < 16000; page++) {
                put_object(t, &m, 1000 + page * 2, object(t, 2, 4000, 0));
                ck_assert_uint_le(m->bytes, SIDEBAND_TABLE_SHARE + 4096);
                ck_assert(has(m, 1000 + page * 2));
        }
        for (uint64_t page = 0; page < 100; page++)
                ck_assert(has(m, page));
        ck_assert_uint_eq(m->bytes, recount(t, m));
        ck_assert_uint_eq(m->left_out, 16100 - m->list.n);

        shared = sideband_maps_ref(t, m);
        ck_assert_ok(sideband_maps_shrink(t, m, 40000));
        ck_assert_uint_le(m->bytes, 40000);
        ck_assert_uint_ge(m->bytes, 30000);
        ck_assert_uint_eq(t->base_records, 2 * m->bytes);
        ck_assert(has(m, 1000 + 15999 * 2) && has(m, 0));
        m = sideband_maps_unref(t, m);
        shared = sideband_maps_unref(t, shared);
        ck_assert_uint_eq(t->base_bytes, 0);
}
END_TEST

START_TEST(data_gives_way_first) {
        _cleanup_sideband_table_free_ SidebandTable *t = NULL;
        SidebandMaps *m = NULL;

        ck_assert_ok(sideband_table_new(0, &t));
        for (uint64_t page = 0; page < 2000; page++)
                put_object(t, &m, page, object(t, page % 2, 500, page % 2 ? PERF_RECORD_MISC_MMAP_DATA : 0));
        ck_assert_ok(sideband_maps_shrink(t, m, m->bytes / 2 + 10000));
        for (uint64_t page = 0; page < 2000; page += 2)
                ck_assert(has(m, page));
        ck_assert(has(m, 1999) && !has(m, 1001));
        m = sideband_maps_unref(t, m);
}
END_TEST

TEST_RUN("sideband-process", sharers_do_not_see_each_other, long_lives_have_a_limit, bytes_are_those_of_the_records,
         long_paths_have_a_limit, data_gives_way_first);
