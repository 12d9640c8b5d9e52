/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The words of -j, with the bits that perf record -vv of perf 6.1 showed for them. */

#include <inttypes.h>
#include "branch-filter.h"
#include "check-main.h"

START_TEST(test_parse) {
        static const struct {
                const char *words;
                uint64_t bits;
        } cases[] = {
                { "any", PERF_SAMPLE_BRANCH_ANY },
                { "any,u", PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_USER },
                { "call,u", PERF_SAMPLE_BRANCH_CALL | PERF_SAMPLE_BRANCH_USER },
                { "ANY_CALL,k,hv", PERF_SAMPLE_BRANCH_ANY_CALL | PERF_SAMPLE_BRANCH_KERNEL | PERF_SAMPLE_BRANCH_HV },
                { "any_ret,ind_call,ind_jmp,cond", PERF_SAMPLE_BRANCH_ANY_RETURN | PERF_SAMPLE_BRANCH_IND_CALL |
                                                   PERF_SAMPLE_BRANCH_IND_JUMP | PERF_SAMPLE_BRANCH_COND },
                { "abort_tx,in_tx,no_tx", PERF_SAMPLE_BRANCH_ABORT_TX | PERF_SAMPLE_BRANCH_IN_TX | PERF_SAMPLE_BRANCH_NO_TX },
                { "stack", PERF_SAMPLE_BRANCH_CALL_STACK },
                { "any,save_type", PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_TYPE_SAVE },
                { "priv", PERF_SAMPLE_BRANCH_PRIV_SAVE },
                { "u,k", PERF_SAMPLE_BRANCH_ANY },
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                uint64_t bits = 0;

                ck_assert_msg(branch_filter_parse(cases[i].words, &bits, NULL) == 0, "%s", cases[i].words);
                ck_assert_msg(bits == cases[i].bits, "%s: %#" PRIx64, cases[i].words, bits);
        }
}
END_TEST

START_TEST(test_wrong) {
        static const char *const wrong[] = { "", ",", "any,", "foo", "hw_idx", "any,no_flags", "any u" };

        for (size_t i = 0; i < ELEMENTSOF(wrong); i++) {
                _cleanup_(diagnosis_done) Diagnosis d = {};
                uint64_t bits = 42;

                ck_assert_int_eq(branch_filter_parse(wrong[i], &bits, &d), -EINVAL);
                ck_assert_uint_eq(bits, 42);
                ck_assert_ptr_nonnull(strstr(d.sentence, "unknown branch filter"));
                ck_assert_ptr_nonnull(strstr(d.sentence, "any_ret, ind_call"));
        }
}
END_TEST

CHECK_MAIN("branch-filter", test_parse, test_wrong);
