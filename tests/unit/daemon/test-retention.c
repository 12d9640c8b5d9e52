/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "retention.h"

#define NOW UINT64_C(1000000)
#define NO_LIMITS { .max_use = UINT64_MAX, .max_files = UINT64_MAX, .max_age = USEC_INFINITY }

static Dump dumps[4];
static RetentionEntry entries[4];
static const RetentionReason untouched = (RetentionReason) 99;

/* Four of 10 bytes, from the newest to the oldest; the newest is the newest. */
static void setup(void) {
        static char *names[] = { (char *) "d", (char *) "c", (char *) "b", (char *) "a" };

        for (size_t i = 0; i < 4; i++) {
                dumps[i] = (Dump) { .name = names[i], .timestamp = NOW - 100 * (i + 1), .usage = 10 };
                entries[i] = (RetentionEntry) { .dump = &dumps[i], .newest = i == 0 };
        }
        retention_sort(entries, 4);
}

static void check(const RetentionLimits *l, uint64_t free, size_t expected, RetentionReason reason) {
        RetentionReason r = untouched;

        ck_assert_uint_eq(retention_pick(entries, 4, l, NOW, free, &r), expected);
        ck_assert_int_eq(r, reason);
}

START_TEST(test_sorted) {
        for (size_t i = 0; i < 4; i++)
                ck_assert_ptr_eq(entries[i].dump, &dumps[3 - i]);
        ck_assert(entries[3].newest);
}
END_TEST

START_TEST(test_no_limits) {
        const RetentionLimits l = NO_LIMITS;

        check(&l, 0, 4, untouched);
        ck_assert_uint_eq(retention_next(entries, 4, &l, NOW), USEC_INFINITY);
        ck_assert_uint_eq(retention_pick(NULL, 0, &l, NOW, 0, NULL), 0);
}
END_TEST

START_TEST(test_use) {
        RetentionLimits l = NO_LIMITS;

        l.max_use = 40;
        check(&l, 0, 4, untouched);
        l.max_use = 39;
        check(&l, 0, 0, RETENTION_MAX_USE);
        l.max_use = 1; /* the newest stays */
        entries[0].stays = entries[1].stays = entries[2].stays = true;
        ck_assert_uint_eq(retention_pick(entries, 4, &l, NOW, 0, &(RetentionReason) { untouched }), 4);
}
END_TEST

START_TEST(test_files) {
        RetentionLimits l = NO_LIMITS;

        l.max_files = 4;
        check(&l, 0, 4, untouched);
        l.max_files = 3;
        check(&l, 0, 0, RETENTION_MAX_FILES);
        entries[0].stays = true; /* somebody reads it: the next one goes */
        check(&l, 0, 1, RETENTION_MAX_FILES);
}
END_TEST

START_TEST(test_free) {
        RetentionLimits l = NO_LIMITS;

        l.keep_free = 100;
        check(&l, 100, 4, untouched);
        check(&l, 99, 0, RETENTION_KEEP_FREE);
}
END_TEST

START_TEST(test_age) {
        RetentionLimits l = NO_LIMITS;

        l.max_age = 400;
        check(&l, 0, 4, untouched);
        ck_assert_uint_eq(retention_next(entries, 4, &l, NOW), 1);
        l.max_age = 350;
        check(&l, 0, 0, RETENTION_MAX_AGE);
        entries[0].stays = true;
        check(&l, 0, 4, untouched);
        ck_assert_uint_eq(retention_next(entries, 4, &l, NOW), 51);
        l.max_age = 50;
        entries[1].stays = entries[2].stays = true;
        check(&l, 0, 3, RETENTION_MAX_AGE); /* the newest too */
        dumps[0].timestamp = NOW + 1000;
        check(&l, 0, 4, untouched); /* it comes from the future */
}
END_TEST

CHECK_MAIN_WITH("retention", setup, NULL, test_sorted, test_no_limits, test_use, test_files, test_free, test_age);
