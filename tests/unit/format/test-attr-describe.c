/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The printed forms; every bit of a word has a name of its own. */

#include "attr-describe.h"
#include "check-main.h"

START_TEST(test_forms) {
        struct perf_event_attr a = { .type = 2, .config = 255, .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID, .disabled = true };
        _cleanup_free_ char *one = attr_describe(&a, ATTR_FORM_LIST), *lines = attr_describe(&a, ATTR_FORM_LINES),
                *header = attr_describe(&a, ATTR_FORM_HEADER);

        ck_assert_str_eq(one, "type: 2, config: 0xff, sample_type: IP|TID, disabled: 1");
        ck_assert_str_eq(lines, "  type                             2\n"
                                "  config                           0xff\n"
                                "  sample_type                      IP|TID\n"
                                "  disabled                         1\n");
        ck_assert_str_eq(header, ", type = 2, config = 0xff, sample_type = IP|TID, disabled = 1");
}
END_TEST

START_TEST(test_empty) {
        struct perf_event_attr a = {};
        _cleanup_free_ char *s = attr_describe(&a, ATTR_FORM_LIST);

        ck_assert_str_eq(s, "");
}
END_TEST

START_TEST(test_bits) {
        for (unsigned bit = 0; bit < 25; bit++) {
                struct perf_event_attr a = { .sample_type = UINT64_C(1) << bit };
                _cleanup_free_ char *s = attr_describe(&a, ATTR_FORM_LIST);

                if (UINT64_C(1) << bit != PERF_SAMPLE_TRANSACTION) /* perf has no name for it either */
                        ck_assert_msg(startswith(s, "sample_type: ") && !strchr(s, '|'), "bit %u: %s", bit, s);
        }
}
END_TEST

START_TEST(test_everything) {
        struct perf_event_attr a;
        _cleanup_free_ char *s = NULL;

        memset(&a, 0xff, sizeof(a));
        s = attr_describe(&a, ATTR_FORM_LINES);
        ck_assert_ptr_nonnull(strstr(s, "sample_max_stack                 65535\n"));
        ck_assert_ptr_nonnull(strstr(s, "precise_ip                       3\n"));
}
END_TEST

CHECK_MAIN("attr-describe", test_forms, test_empty, test_bits, test_everything);
