/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The words for kinds of counters, and claims to them. */

#include "check-main.h"
#include "counter-kind.h"

START_TEST(test_names) {
        for (CounterKind k = 0; k < _COUNTER_KIND_MAX; k++)
                ck_assert_int_eq(counter_kind_from_string(counter_kind_to_string(k)), k);
        ck_assert_str_eq(counter_kind_to_string(COUNTER_HARDWARE), "hardware");
        ck_assert_str_eq(counter_kind_to_string(COUNTER_BREAKPOINT), "breakpoint");
        ck_assert_int_eq(counter_kind_from_string("software"), -EINVAL);
}
END_TEST

START_TEST(test_claims) {
        static const struct {
                const char *text;
                CounterKind kind;
                unsigned n;
        } cases[] = {
                { "hardware", COUNTER_HARDWARE, 1 },        { "breakpoint", COUNTER_BREAKPOINT, 1 },
                { "hardware:8", COUNTER_HARDWARE, 8 },      { "breakpoint:64", COUNTER_BREAKPOINT, 64 },
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                CounterKind kind = _COUNTER_KIND_INVALID;
                unsigned n = 0;

                ck_assert_msg(counter_claim_parse(cases[i].text, &kind, &n, NULL) == 0, "%s", cases[i].text);
                ck_assert_int_eq(kind, cases[i].kind);
                ck_assert_uint_eq(n, cases[i].n);
        }
}
END_TEST

START_TEST(test_wrong) {
        static const struct {
                const char *text, *said;
        } cases[] = {
                { "", "no kind of counters" },         { "software", "no kind of counters" },   { "breakpoint:", "from 1 to 64" },
                { "breakpoint:0", "from 1 to 64" },    { "hardware:65", "from 1 to 64" },       { "hardware:-1", "from 1 to 64" },
                { "hardware:1:2", "from 1 to 64" },    { ":2", "no kind of counters" },
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_(diagnosis_done) Diagnosis d = {};
                CounterKind kind = COUNTER_HARDWARE;
                unsigned n = 42;

                ck_assert_msg(counter_claim_parse(cases[i].text, &kind, &n, &d) == -EINVAL, "%s", cases[i].text);
                ck_assert_uint_eq(n, 42);
                ck_assert_msg(d.sentence && strstr(d.sentence, cases[i].said), "%s: %s", cases[i].text, d.sentence);
        }
}
END_TEST

CHECK_MAIN("counter-kind", test_names, test_claims, test_wrong);
