/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Features that a kernel lacks are given up in order, except those that were asked for. */

#include <time.h>
#include "attr.h"
#include "check-main.h"

/* Features are given up one after the other, each once, until none is left; then the attribute has none of them. */
START_TEST(test_give_up) {
        struct perf_event_attr a = {
                .read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST | PERF_FORMAT_GROUP, .build_id = true,
                .sample_type = PERF_SAMPLE_WEIGHT_STRUCT, .branch_sample_type = PERF_SAMPLE_BRANCH_NO_FLAGS,
                .mmap2 = true, .exclude_guest = true, .sample_id_all = true, .inherit = true,
        };
        AttrMissing missing = {};
        const char *why = NULL;
        unsigned n = 0;

        while (attr_give_up_feature(&missing, &a, false, &why)) {
                attr_drop_missing(&a, &missing);
                n++;
        }
        ck_assert_uint_eq(n, 6);
        ck_assert_ptr_null(why);
        ck_assert(!a.read_format && !a.build_id && !a.exclude_guest);
        ck_assert(a.mmap2 && a.sample_id_all); /* all kernels that we run on have them */
        ck_assert_uint_eq(a.sample_type, PERF_SAMPLE_WEIGHT);
        ck_assert_uint_eq(a.branch_sample_type, 0);
}
END_TEST

START_TEST(test_give_up_refused) {
        struct perf_event_attr guest = { .exclude_guest = true },
                               clock = { .use_clockid = true, .clockid = CLOCK_TAI },
                               pages = { .sample_type = PERF_SAMPLE_CODE_PAGE_SIZE };
        AttrMissing missing = {};
        const char *why = NULL;

        ck_assert(!attr_give_up_feature(&missing, &guest, true, &why));
        ck_assert_ptr_nonnull(strstr(why, "guest"));
        ck_assert(!attr_give_up_feature(&missing, &clock, false, &why));
        ck_assert_ptr_nonnull(strstr(why, "clock"));
        ck_assert(!attr_give_up_feature(&missing, &pages, false, &why));
        ck_assert_ptr_nonnull(strstr(why, "--code-page-size"));
}
END_TEST

CHECK_MAIN("attr-missing", test_give_up, test_give_up_refused);
