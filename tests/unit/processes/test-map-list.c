/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "map-list.h"
#include "perfdata-test.h"

static uint32_t at(const MapList *l, uint64_t address) {
        const Map *m = map_list_find(l, address);

        return m ? m->object : 0;
}

START_TEST(finds_what_was_put) {
        _cleanup_(map_list_done) MapList l = {};

        ck_assert_uint_eq(at(&l, 0), 0);
        ck_assert_ok(map_list_insert(&l, 0x3000, 0x4000, 3));
        ck_assert_ok(map_list_insert(&l, 0x1000, 0x2000, 1));
        ck_assert_ok(map_list_insert(&l, 0x2000, 0x3000, 2));
        ck_assert_uint_eq(at(&l, 0xfff), 0);
        ck_assert_uint_eq(at(&l, 0x1000), 1);
        ck_assert_uint_eq(at(&l, 0x1fff), 1);
        ck_assert_uint_eq(at(&l, 0x2000), 2);
        ck_assert_uint_eq(at(&l, 0x3fff), 3);
        ck_assert_uint_eq(at(&l, 0x4000), 0);
        ck_assert_int_eq(map_list_insert(&l, 5, 5, 1), -EINVAL);
}
END_TEST

START_TEST(cuts_what_is_covered) {
        _cleanup_(map_list_done) MapList l = {};

        ck_assert_ok(map_list_insert(&l, 10, 100, 1));
        ck_assert_ok(map_list_insert(&l, 40, 50, 2)); /* a hole in the middle */
        ck_assert_uint_eq(l.n, 3);
        ck_assert_uint_eq(at(&l, 39), 1);
        ck_assert_uint_eq(at(&l, 40), 2);
        ck_assert_uint_eq(at(&l, 50), 1);
        ck_assert_ok(map_list_insert(&l, 45, 60, 3)); /* both ends */
        ck_assert_uint_eq(at(&l, 44), 2);
        ck_assert_uint_eq(at(&l, 59), 3);
        ck_assert_uint_eq(at(&l, 60), 1);
        ck_assert_ok(map_list_insert(&l, 0, 1000, 4)); /* all */
        ck_assert_uint_eq(l.n, 1);
        ck_assert_uint_eq(at(&l, 45), 4);
        ck_assert_ok(map_list_insert(&l, 0, 1000, 5)); /* the same range */
        ck_assert_uint_eq(l.n, 1);
        ck_assert_uint_eq(at(&l, 0), 5);
}
END_TEST

/* The list is compared with an array of a byte per address. */
START_TEST(as_a_plain_model) {
        _cleanup_(map_list_done) MapList l = {};
        uint8_t model[512] = {};
        uint32_t random = 1;

        for (unsigned round = 0; round < 2000; round++) {
                uint32_t start, length, object = round % 250 + 1;

                random = random * 1664525u + 1013904223u;
                start = random >> 8 & 0x1ff;
                length = (random >> 20 & 0x3f) + 1;
                if (start + length > sizeof(model))
                        continue;
                ck_assert_ok(map_list_insert(&l, start, start + length, object));
                memset(model + start, (int) object, length);
                for (size_t i = 0; i < sizeof(model); i++)
                        ck_assert_uint_eq(at(&l, i), model[i]);
        }
}
END_TEST

START_TEST(is_bounded) {
        _cleanup_(map_list_done) MapList l = {}, copy = {};

        for (uint64_t i = 0; i < MAP_LIST_MAX; i++)
                ck_assert_ok(map_list_insert(&l, i * 2, i * 2 + 1, 1));
        ck_assert_int_eq(map_list_insert(&l, MAP_LIST_MAX * 2, MAP_LIST_MAX * 2 + 1, 1), -ENOSPC);
        ck_assert_uint_eq(l.n, MAP_LIST_MAX);
        ck_assert_ok(map_list_insert(&copy, 1, 2, 9));
        ck_assert_ok(map_list_copy(&copy, &l));
        ck_assert_uint_eq(copy.n, MAP_LIST_MAX);
        ck_assert_uint_eq(at(&copy, 2), 1);
        ck_assert_uint_eq(at(&copy, 1), 0);
}
END_TEST

START_TEST(keeps_what_is_chosen) {
        static bool kept[MAP_LIST_MAX];
        _cleanup_(map_list_done) MapList l = {};

        for (uint64_t i = 0; i < MAP_LIST_MAX; i++)
                ck_assert_ok(map_list_insert(&l, i * 2, i * 2 + 1, 1));
        for (size_t i = 0; i < MAP_LIST_MAX; i++)
                kept[i] = i < 100 || i >= MAP_LIST_MAX - 50;
        map_list_keep(&l, kept);
        ck_assert_uint_eq(l.n, 150);
        ck_assert_uint_lt(l.allocated, 400); /* the memory is given back */
        ck_assert_uint_eq(at(&l, 99 * 2), 1);
        ck_assert_uint_eq(at(&l, 100 * 2), 0);
        ck_assert_uint_eq(at(&l, (MAP_LIST_MAX - 50) * 2), 1);
        ck_assert_ok(map_list_insert(&l, MAP_LIST_MAX * 2, MAP_LIST_MAX * 2 + 1, 2));
        ck_assert_uint_eq(at(&l, MAP_LIST_MAX * 2), 2);
}
END_TEST

START_TEST(pieces_know_their_offset) {
        _cleanup_(map_list_done) MapList l = {};

        ck_assert_ok(map_list_put(&l, &(Map) { .start = 0x1000, .end = 0x5000, .page_offset = 0x10000, .object = 1 }));
        ck_assert_ok(map_list_put(&l, &(Map) { .start = 0x2000, .end = 0x3000, .page_offset = 0x50000, .object = 2 }));
        ck_assert_uint_eq(l.n, 3);
        ck_assert_uint_eq(map_list_find(&l, 0x1000)->page_offset, 0x10000);
        ck_assert_uint_eq(map_list_find(&l, 0x2000)->page_offset, 0x50000);
        ck_assert_uint_eq(map_list_find(&l, 0x3000)->page_offset, 0x12000);
}
END_TEST

TEST_RUN("map-list", finds_what_was_put, cuts_what_is_covered, as_a_plain_model, is_bounded, keeps_what_is_chosen, pieces_know_their_offset);
