/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Counts of dumps: by kind, by unit, until their interval is over, and beyond the places that there are. */

#include "check-main.h"
#include "trigger-counts.h"

#define INTERVAL USEC_PER_MINUTE
#define NOW (100 * USEC_PER_MINUTE)

static TriggerCounts counts;

static void setup(void) {
        counts = (TriggerCounts) {};
}

static TriggerCount *count_dump(const char *word, const char *unit, usec_t now) {
        const Trigger trigger = { .request = { .trigger = word, .unit = unit } };
        TriggerCount *c = trigger_counts_find(&counts, &trigger, INTERVAL, now);

        c->n++;
        return c;
}

START_TEST(test_kinds_and_units) {
        TriggerCount *kind = count_dump("signal", NULL, NOW), *unit = count_dump("signal", "a.service", NOW);

        ck_assert_ptr_ne(kind, unit);
        ck_assert(unit->of_unit && !kind->of_unit);
        ck_assert_ptr_eq(count_dump("signal", NULL, NOW + 1), kind);
        ck_assert_ptr_eq(count_dump("signal", "a.service", NOW + 1), unit);
        ck_assert_ptr_ne(count_dump("signal", "b.service", NOW), unit);
        ck_assert_ptr_ne(count_dump("pressure", "a.service", NOW), unit);
        ck_assert_uint_eq(kind->n, 2);
        ck_assert_uint_eq(unit->n, 2);
}
END_TEST

START_TEST(test_interval) {
        TriggerCount *c = count_dump("signal", NULL, NOW);

        c->refused = true;
        ck_assert_uint_eq(count_dump("signal", NULL, NOW + INTERVAL - 1)->n, 2);
        c = count_dump("signal", NULL, NOW + INTERVAL);
        ck_assert_uint_eq(c->n, 1);
        ck_assert_uint_eq(c->begin, NOW + INTERVAL);
        ck_assert(!c->refused);
}
END_TEST

START_TEST(test_too_many) {
        TriggerCount *last = NULL;
        char name[32];

        for (unsigned i = 0; i < TRIGGER_UNITS_MAX; i++) {
                (void) snprintf(name, sizeof(name), "%u.service", i);
                ck_assert(count_dump("signal", name, NOW)->of_unit);
        }
        ck_assert(!count_dump("signal", "more.service", NOW)->of_unit);
        for (unsigned i = 0; i < TRIGGER_KINDS_MAX + 5; i++) {
                (void) snprintf(name, sizeof(name), "kind-%u", i);
                last = count_dump(name, NULL, NOW);
        }
        ck_assert_ptr_eq(last, counts.kinds + TRIGGER_KINDS_MAX - 1);
        ck_assert_uint_gt(last->n, 1);
        ck_assert(count_dump("signal", "more.service", NOW + INTERVAL)->of_unit);
}
END_TEST

START_TEST(test_sentence) {
        const TriggerLimit limit = { .interval = INTERVAL, .burst = 1 };
        const Trigger trigger = { .request = { .trigger = "signal", .unit = "a.service" } };
        _cleanup_free_ char *of_unit = NULL, *of_kind = NULL;

        of_unit = trigger_count_describe(count_dump("signal", "a.service", NOW), &limit, &trigger, NOW + 20 * USEC_PER_SEC);
        of_kind = trigger_count_describe(count_dump("signal", NULL, NOW), &limit, &trigger, NOW);
        ck_assert_str_eq(of_unit, "there was 1 dump for the trigger signal of a.service within 1min (RateLimitBurst=, "
                         "RateLimitIntervalSec=); the next one is possible in 40s");
        ck_assert_ptr_nonnull(strstr(of_kind, "for the trigger signal within"));
}
END_TEST

CHECK_MAIN_WITH("trigger-counts", setup, NULL, test_kinds_and_units, test_interval, test_too_many, test_sentence);
