/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"

START_TEST(put_get_replace_remove) {
        _cleanup_feature_table_free_ FeatureTable *t = NULL;
        const void *data;
        size_t size;

        ck_assert_ok(feature_table_new(&t));
        ck_assert(!feature_table_get(t, PERF_FEATURE_HOSTNAME, &data, &size));
        ck_assert_ok(feature_table_put(t, PERF_FEATURE_HOSTNAME, "abc", 3));
        ck_assert_ok(feature_table_put(t, PERF_FEATURE_HOSTNAME, "defg", 4));
        ck_assert(feature_table_get(t, PERF_FEATURE_HOSTNAME, &data, &size));
        ck_assert_uint_eq(size, 4);
        ck_assert_mem_eq(data, "defg", 4);
        ck_assert_uint_eq(feature_table_size(t), 16 + 4);
}
END_TEST

START_TEST(empty_is_not_absent) {
        _cleanup_feature_table_free_ FeatureTable *t = NULL;
        const void *data;
        size_t size;

        ck_assert_ok(feature_table_new(&t));
        ck_assert_ok(feature_table_put(t, PERF_FEATURE_BRANCH_STACK, NULL, 0));
        ck_assert(feature_table_get(t, PERF_FEATURE_BRANCH_STACK, &data, &size));
        ck_assert_uint_eq(size, 0);
        ck_assert_uint_eq(feature_table_size(t), 16);
}
END_TEST

START_TEST(refuses_what_is_no_feature) {
        _cleanup_feature_table_free_ FeatureTable *t = NULL;
        ByteBuffer b = {};

        ck_assert_ok(feature_table_new(&t));
        ck_assert_int_eq(feature_table_put(t, 0, "x", 1), -EINVAL);
        ck_assert_int_eq(feature_table_put(t, 64, "x", 1), -EINVAL);
        (void) byte_buffer_extend(&b, SIZE_MAX);
        ck_assert_int_eq(feature_table_take(t, PERF_FEATURE_ARCH, &b), -E2BIG);
        ck_assert_uint_eq(feature_table_size(t), 0);
}
END_TEST

TEST_RUN("feature", put_get_replace_remove, empty_is_not_absent, refuses_what_is_no_feature);
