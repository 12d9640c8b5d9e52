/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "retention.h"

#include <perf-recorder/dump-facts.h>

#define NOW UINT64_C(1000000)
#define NO_LIMITS { .max_use = UINT64_MAX, .max_files = UINT64_MAX, .max_age = USEC_INFINITY }

static Dump dumps[4];
static RetentionEntry entries[4];
static const RetentionReason untouched = (RetentionReason) 99;
static TreeFile files[4][2];
static char nothing[] = "", restart[] = PR_TRIGGER_UNIT_RESTART, somewhere[] = "/symbols";

/* Makes four dumps of 10 bytes, from the newest to the oldest. */
static void setup(void) {
        static char *names[] = { (char *) "d", (char *) "c", (char *) "b", (char *) "a" };

        for (size_t i = 0; i < 4; i++) {
                dumps[i] = (Dump) { .name = names[i], .timestamp = NOW - 100 * (i + 1), .symbols.path = nothing, .trigger = nothing,
                                    .st = { .st_blocks = 1 } };
                entries[i] = (RetentionEntry) { .dump = &dumps[i], .newest = i == 0 };
        }
        ck_assert_int_eq(retention_sort(entries, 4), 0);
}

/* Gives each dump's symbols one file that all share, and one of its own, of these sizes. */
static void add_symbols(uint64_t shared, uint64_t own) {
        for (size_t i = 0; i < 4; i++) {
                files[i][0] = (TreeFile) { .inode = 1, .bytes = shared };
                files[i][1] = (TreeFile) { .inode = 2 + i, .bytes = own };
                dumps[i].symbols.path = somewhere;
                dumps[i].symbols.files = files[i];
                dumps[i].symbols.n_files = own > 0 ? 2 : 1;
        }
        ck_assert_int_eq(retention_sort(entries, 4), 0);
}

static void check_target(const RetentionLimits *l, uint64_t free, size_t expected, RetentionTarget target,
                         RetentionReason reason) {
        RetentionReason r = untouched;
        RetentionTarget t;

        ck_assert_uint_eq(retention_pick(entries, 4, l, NOW, free, &t, &r), expected);
        ck_assert_int_eq(t, target);
        ck_assert_int_eq(r, reason);
}

static void check(const RetentionLimits *l, uint64_t free, size_t expected, RetentionReason reason) {
        check_target(l, free, expected, RETENTION_DUMP, reason);
}

/* Sets the entry as after the removal of its symbols. */
static void remove_symbols(size_t i) {
        Dump *d = &dumps[3 - i];

        d->symbols.path = nothing;
        entries[i].symbols = 0;
}

START_TEST(test_sorted) {
        for (size_t i = 0; i < 4; i++)
                ck_assert_ptr_eq(entries[i].dump, &dumps[3 - i]);
        ck_assert(entries[3].newest);
}
END_TEST

/* Dumps of restarts of a unit and their symbols are removed before older ones, but not the newest dump. */
START_TEST(test_restarts) {
        RetentionLimits l = NO_LIMITS;
        const size_t order[] = { 2, 1, 3, 0 };

        dumps[0].trigger = dumps[1].trigger = dumps[2].trigger = dumps[3].trigger = restart;
        dumps[3].n_triggers = 2; /* somebody asked for it as well */
        add_symbols(0, 100);
        for (size_t i = 0; i < 4; i++)
                ck_assert_ptr_eq(entries[i].dump, &dumps[order[i]]);
        l.max_files = 3;
        check(&l, 0, 0, RETENTION_MAX_FILES);
        l.max_files = UINT64_MAX;
        l.max_use = 4 * 512 + 399;
        check_target(&l, 0, 0, RETENTION_SYMBOLS, RETENTION_MAX_USE);
        l.max_age = 450;
        ck_assert_uint_eq(retention_next(entries, 4, &l, NOW), 51); /* of the oldest, which is not the first */
}
END_TEST

START_TEST(test_no_limits) {
        const RetentionLimits l = NO_LIMITS;

        check(&l, 0, 4, untouched);
        ck_assert_uint_eq(retention_next(entries, 4, &l, NOW), USEC_INFINITY);
        ck_assert_uint_eq(retention_pick(NULL, 0, &l, NOW, 0, &(RetentionTarget) { RETENTION_DUMP }, NULL), 0);
}
END_TEST

START_TEST(test_use) {
        RetentionLimits l = NO_LIMITS;

        l.max_use = 2048;
        check(&l, 0, 4, untouched);
        l.max_use = 2047;
        check(&l, 0, 0, RETENTION_MAX_USE);
        l.max_use = 1; /* the newest stays */
        entries[0].stays = entries[1].stays = entries[2].stays = true;
        check(&l, 0, 4, RETENTION_MAX_USE);
}
END_TEST

/* Shared files count once. Symbols are removed before a recording is, from the oldest on, and the recordings stay. */
START_TEST(test_shared_symbols) {
        RetentionLimits l = NO_LIMITS;

        add_symbols(100000, 0);
        l.max_use = 102048;
        check(&l, 0, 4, untouched);
        l.max_use = 3000;
        for (size_t i = 0; i < 4; i++) {
                check_target(&l, 0, i, RETENTION_SYMBOLS, RETENTION_MAX_USE);
                remove_symbols(i);
        }
        check(&l, 0, 4, untouched);
}
END_TEST

/* Shared symbols that are smaller than the recordings are kept: the oldest dump is removed. */
START_TEST(test_few_symbols) {
        RetentionLimits l = NO_LIMITS;

        add_symbols(1000, 0);
        l.max_use = 3000;
        check_target(&l, 0, 0, RETENTION_DUMP, RETENTION_MAX_USE);
        l.max_use = UINT64_MAX;
        l.keep_free = 100;
        check_target(&l, 99, 0, RETENTION_DUMP, RETENTION_KEEP_FREE);
}
END_TEST

/* Symbols of the oldest dumps only are removed first, and those that could not be removed are skipped. */
START_TEST(test_own_symbols) {
        RetentionLimits l = NO_LIMITS;

        add_symbols(100, 100);
        l.max_use = 2500;
        check_target(&l, 0, 0, RETENTION_SYMBOLS, RETENTION_MAX_USE);
        entries[0].symbols_stay = true;
        check_target(&l, 0, 1, RETENTION_SYMBOLS, RETENTION_MAX_USE);
        remove_symbols(1);
        check(&l, 0, 4, untouched);
        l.max_files = 3; /* which do not include symbols */
        check_target(&l, 0, 0, RETENTION_DUMP, RETENTION_MAX_FILES);
}
END_TEST

/* Removing a dump that uses no disk space frees nothing. */
START_TEST(test_nothing_to_free) {
        RetentionLimits l = NO_LIMITS;

        dumps[3].st.st_blocks = 0;
        l.keep_free = 100;
        check(&l, 99, 1, RETENTION_KEEP_FREE);
}
END_TEST

START_TEST(test_files) {
        RetentionLimits l = NO_LIMITS;

        l.max_files = 4;
        check(&l, 0, 4, untouched);
        l.max_files = 3;
        check(&l, 0, 0, RETENTION_MAX_FILES);
        entries[0].stays = true; /* it is being read: the next one is removed */
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
        check(&l, 0, 4, untouched); /* its time is in the future */
}
END_TEST

CHECK_MAIN_WITH("retention", setup, NULL, test_sorted, test_restarts, test_no_limits, test_use, test_shared_symbols,
                test_few_symbols, test_own_symbols, test_nothing_to_free, test_files, test_free, test_age);
