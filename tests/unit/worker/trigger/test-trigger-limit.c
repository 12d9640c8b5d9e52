/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The number of dumps that each kind of trigger may have. */

#include "trigger-limit.h"

#include "check-main.h"

static const TriggerLimit limit = { .set = true, .interval = 100, .burst = 2 };

START_TEST(test_kinds) {
        TriggerCounts c = {};
        usec_t wait = 0;

        ck_assert(trigger_counts_take(&c, &limit, "event", 1000, &wait));
        ck_assert(trigger_counts_take(&c, &limit, "event", 1010, &wait));
        ck_assert(!trigger_counts_take(&c, &limit, "event", 1020, &wait));
        ck_assert_uint_eq(wait, 80);
        ck_assert(trigger_counts_take(&c, &limit, "socket", 1020, &wait));
        ck_assert(!trigger_counts_take(&c, &limit, "event", 1099, &wait));
        ck_assert_uint_eq(wait, 1);
        ck_assert(trigger_counts_take(&c, &limit, "event", 1100, &wait));
        ck_assert(trigger_counts_take(&c, &limit, "socket", 1100, &wait));
        ck_assert(!trigger_counts_take(&c, &limit, "socket", 1100, &wait));
}
END_TEST

/* Unknown words do not avoid the limit. */
START_TEST(test_many_kinds) {
        unsigned n_taken = 0;
        TriggerCounts c = {};
        usec_t wait;

        for (unsigned i = 0; i < 1000; i++) {
                char word[64];

                (void) snprintf(word, sizeof(word), "kind-%u", i);
                n_taken += trigger_counts_take(&c, &limit, word, 1000, &wait);
        }
        ck_assert_uint_le(n_taken, TRIGGER_KINDS_MAX + 1);
}
END_TEST

START_TEST(test_none) {
        const TriggerLimit none[] = { { .set = true, .burst = 1 }, { .set = true, .interval = 100 } };
        TriggerCounts c = {};
        usec_t wait;

        for (size_t i = 0; i < ELEMENTSOF(none); i++)
                for (unsigned n = 0; n < 10; n++)
                        ck_assert(trigger_counts_take(&c, &none[i], "event", 1000, &wait));
}
END_TEST

CHECK_MAIN("trigger-limit", test_kinds, test_many_kinds, test_none);
