/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The age of the oldest record in rings, from made-up counts. */

#include "check-main.h"
#include "ring-reach.h"

#define SEC USEC_PER_SEC
#define SIZE 1000

static RingReach *reach;
static usec_t begin;

static void setup(void) {
        reach = NULL;
        begin = 10 * SEC;
}

static void teardown(void) {
        reach = ring_reach_free(reach);
}

static void note(unsigned second, uint64_t a, uint64_t b) {
        const RingFill rings[] = { { SIZE, a }, { SIZE, b } };

        ck_assert_int_eq(ring_reach_note(&reach, &begin, second * SEC, rings, 2), 0);
}

/* Returns it in ms. */
static uint64_t get(unsigned second, uint64_t a, uint64_t b) {
        const RingFill rings[] = { { SIZE, a }, { SIZE, b } };

        return ring_reach_get(reach, second * SEC, rings, 2) / USEC_PER_MSEC;
}

START_TEST(test_until_it_is_full_a_ring_reaches_to_its_beginning) {
        ck_assert_uint_eq(ring_reach_get(NULL, 20 * SEC, NULL, 0), 0);
        note(10, 0, 0);
        ck_assert_uint_eq(get(10, 0, 0), 0);
        ck_assert_uint_eq(get(15, 0, 0), 5000); /* nothing was written: there was no event */
        ck_assert_uint_eq(get(15, 999, 0), 5000);
        note(100, 1000, 0);
        ck_assert_uint_eq(get(110, 1000, 0), 100000);
}
END_TEST

START_TEST(test_a_full_ring_reaches_back_by_its_size) {
        note(10, 0, 0);
        /* 100 bytes a second: the last 1000 are 10 s */
        ck_assert_uint_eq(get(110, 10000, 0), 10000);
        note(110, 10000, 0);
        ck_assert_uint_eq(get(120, 11000, 0), 10000);
        /* then 1000 a second; the busiest ring counts */
        ck_assert_uint_eq(get(121, 12000, 500), 5500); /* evenly since the last note: 2000 bytes in 11 s */
        note(120, 11000, 0);
        ck_assert_uint_eq(get(121, 12000, 500), 1000);
        ck_assert_uint_eq(get(121, 12000, 200000), 5);
}
END_TEST

START_TEST(test_a_quiet_ring_keeps_what_it_has) {
        note(10, 0, 0);
        note(20, 5000, 0);
        for (unsigned second = 30; second < 1000; second += 10)
                note(second, 5000, 0);
        ck_assert_uint_eq(get(1000, 5000, 0), 982000); /* byte 4000 was written at 18 s */
        ck_assert_uint_eq(get(1001, 5500, 0), 982000); /* and byte 4500 at 19 s, which is younger than that */
}
END_TEST

START_TEST(test_notes_are_thinned_out) {
        uint64_t written = 0;
        unsigned second = 10;

        note(second, 0, 0);
        for (; second < 5000; second++, written += 10) /* 1000 bytes are 100 s */
                note(second, written, 0);
        ck_assert_uint_ge(get(second, written, 0), 99000);
        ck_assert_uint_le(get(second, written, 0), 101000);
        for (; second < 10000; second++, written += 1) /* and now 1000 s */
                note(second, written, 0);
        ck_assert_uint_ge(get(second, written, 0), 980000);
        ck_assert_uint_le(get(second, written, 0), 1020000);
}
END_TEST

START_TEST(test_other_rings_begin_anew) {
        const RingFill three[] = { { SIZE, 5 }, { SIZE, 5 }, { SIZE, 5 } };

        note(10, 0, 0);
        note(20, 700, 0);
        ck_assert_uint_eq(get(30, 10, 0), 0); /* less than before: not the noted ring */
        ck_assert_uint_eq(begin, 10 * SEC);
        note(30, 10, 0);
        ck_assert_uint_eq(begin, 30 * SEC);
        ck_assert_uint_eq(get(40, 20, 0), 10000);
        ck_assert_int_eq(ring_reach_note(&reach, &begin, 50 * SEC, three, 3), 0);
        ck_assert_uint_eq(begin, 50 * SEC);
        ck_assert_uint_eq(ring_reach_get(reach, 60 * SEC, three, 3), 10 * SEC);
}
END_TEST

/* The newest records are large, then small, then no samples; then the rings are new ones. */
START_TEST(test_samples_do_not_become_fewer) {
        RingFill two[] = { { SIZE, 600 }, { SIZE, 400 } };
        RingSamples s = {};

        ring_samples_note(&s, two, 2, 100);
        ck_assert_uint_eq((uint64_t) s.samples, 100);
        two[0].written += 1000;
        ring_samples_note(&s, two, 2, 20); /* a hundred bytes each */
        ck_assert_uint_eq((uint64_t) s.samples, 110);
        ring_samples_note(&s, two, 2, 20);
        ck_assert_uint_eq((uint64_t) s.samples, 110);
        two[1].written += 1000;
        ring_samples_note(&s, two, 2, 0);
        ck_assert_uint_eq((uint64_t) s.samples, 110);
        two[0].written = 50;
        two[1].written = 50;
        ring_samples_note(&s, two, 2, 10);
        ck_assert_uint_eq((uint64_t) s.samples, 120);
        ring_samples_note(&s, two, 0, 0);
        ck_assert_uint_eq((uint64_t) s.samples, 120);
}
END_TEST

CHECK_MAIN_WITH("ring-reach", setup, teardown, test_until_it_is_full_a_ring_reaches_to_its_beginning,
                test_a_full_ring_reaches_back_by_its_size, test_a_quiet_ring_keeps_what_it_has, test_notes_are_thinned_out,
                test_other_rings_begin_anew, test_samples_do_not_become_fewer);
