/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <perf-recorder/dump-facts.h>

#include "check-main.h"
#include "trigger-word.h"

START_TEST(test_incidents) {
        static const char *const all[] = { PR_TRIGGERS };
        unsigned n = 0;

        for (size_t i = 0; i < ELEMENTSOF(all); i++)
                n += trigger_is_incident(all[i]);
        ck_assert_uint_eq(n, 9);
        ck_assert(trigger_is_incident("unit-failure"));
        ck_assert(trigger_is_incident("cpu-pressure"));
        ck_assert(!trigger_is_incident("request"));
        ck_assert(!trigger_is_incident("calendar"));
        ck_assert(!trigger_is_incident("shutdown"));
        ck_assert(!trigger_is_incident(""));
}
END_TEST

CHECK_MAIN("trigger-word", test_incidents);
