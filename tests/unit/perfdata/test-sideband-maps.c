/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "sideband-parts.h"

static Map map_of(uint64_t page, uint32_t object) {
        return (Map) { .start = page << 12, .end = (page + 1) << 12, .object = object };
}

static void put(SidebandTable *t, SidebandMaps **m, uint64_t page, uint32_t object) {
        Map map = map_of(page, object);

        ck_assert_ok(sideband_maps_put(t, m, &map));
}

START_TEST(sharers_do_not_see_each_other) {
        _cleanup_sideband_table_free_ SidebandTable *t = NULL;
        SidebandMaps *a = NULL, *b;

        ck_assert_ok(sideband_table_new(0, &t));
        put(t, &a, 1, 10);
        b = sideband_maps_ref(a);
        ck_assert_uint_eq(b->refs, 2);
        put(t, &b, 2, 20);
        ck_assert_ptr_ne(a, b);
        ck_assert_uint_eq(a->refs, 1);
        ck_assert_uint_eq(a->list.n, 1);
        ck_assert_uint_eq(b->list.n, 2);
        put(t, &a, 1, 30);
        ck_assert_uint_eq(b->list.maps[0].object, 10);
        a = sideband_maps_unref(t, a);
        b = sideband_maps_unref(t, b);
        ck_assert_uint_eq(t->base_bytes, 0);
        ck_assert_ptr_null(sideband_maps_ref(NULL));
}
END_TEST

/* A process that maps ever new places keeps its program, and what it mapped lately. */
START_TEST(long_lives_have_a_limit) {
        _cleanup_sideband_table_free_ SidebandTable *t = NULL;
        SidebandMaps *m = NULL;

        ck_assert_ok(sideband_table_new(0, &t));
        for (uint64_t page = 0; page < 100000; page++) {
                put(t, &m, page * 2, (uint32_t) page + 1);
                ck_assert_ptr_nonnull(map_list_find(&m->list, page << 13));
                ck_assert_ptr_nonnull(map_list_find(&m->list, (page - MIN_OF(page, UINT64_C(8000))) << 13));
                ck_assert_uint_le(m->list.n, MAP_LIST_MAX);
        }
        ck_assert_uint_eq(map_list_find(&m->list, 0)->object, 1);
        ck_assert_uint_lt(t->base_bytes, 1 << 20);
        m = sideband_maps_unref(t, m);
}
END_TEST

TEST_RUN("sideband-maps", sharers_do_not_see_each_other, long_lives_have_a_limit);
