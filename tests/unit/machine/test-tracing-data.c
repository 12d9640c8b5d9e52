/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "tracing-data.h"

typedef struct Bytes {
        const char *p;
        size_t left;
} Bytes;

static const char *take(Bytes *b, size_t n) {
        const char *p = b->p;

        ck_assert_uint_ge(b->left, n);
        b->p += n;
        b->left -= n;
        return p;
}

static uint64_t number(Bytes *b, size_t width) {
        uint64_t v = 0;

        memcpy(&v, take(b, width), width); /* little endian */
        return v;
}

static void assert_name(Bytes *b, const char *name) {
        ck_assert_str_eq(take(b, strlen(name) + 1), name);
}

static void assert_format(Bytes *b, const char *first_line) {
        uint64_t n = number(b, 8);

        ck_assert_mem_eq(take(b, n), first_line, strlen(first_line));
}

START_TEST(layout) {
        char *names[] = { (char *) "sched:sched_switch", (char *) "irq:softirq_entry", (char *) "ftrace:function",
                          (char *) "sched:sched_wakeup", (char *) "sched:sched_switch", NULL };
        _cleanup_free_ char *tracefs = test_golden("tracefs");
        _cleanup_feature_table_free_ FeatureTable *t = NULL;
        const void *data;
        Bytes b = {};

        ck_assert_ok(feature_table_new(&t));
        ck_assert_ok(feature_table_add_tracing_data(t, tracefs, names));
        ck_assert(feature_table_get(t, PERF_FEATURE_TRACING_DATA, &data, &b.left));
        b.p = data;
        ck_assert_mem_eq(take(&b, 10), "\x17\x08\x44tracing", 10);
        assert_name(&b, "0.6");
        ck_assert_uint_eq(number(&b, 1), 0);
        ck_assert_uint_eq(number(&b, 1), sizeof(long));
        ck_assert_uint_eq(number(&b, 4), (uint64_t) sysconf(_SC_PAGESIZE));
        assert_name(&b, "header_page");
        assert_format(&b, "\tfield: u64 timestamp;");
        assert_name(&b, "header_event");
        assert_format(&b, "# compressed entry header\n");
        ck_assert_uint_eq(number(&b, 4), 1); /* of ftrace */
        assert_format(&b, "name: function\n");
        ck_assert_uint_eq(number(&b, 4), 2); /* systems */
        assert_name(&b, "irq");
        ck_assert_uint_eq(number(&b, 4), 1);
        assert_format(&b, "name: softirq_entry\n");
        assert_name(&b, "sched");
        ck_assert_uint_eq(number(&b, 4), 2);
        assert_format(&b, "name: sched_switch\n");
        assert_format(&b, "name: sched_wakeup\n");
        ck_assert_uint_eq(number(&b, 4), 0); /* kallsyms */
        ck_assert_ptr_nonnull(memmem(b.p, b.left, " : \"", 4));
        take(&b, number(&b, 4)); /* printk formats */
        ck_assert_uint_eq(number(&b, 8), 0); /* saved command lines: not in the tree */
        ck_assert_uint_eq(b.left, 0);
}
END_TEST

START_TEST(refusals) {
        static const struct {
                const char *name;
                int error;
        } cases[] = {
                { "sched:no_such_event", -ENOENT }, { "sched_switch", -EINVAL }, { "../x:y", -EINVAL }, { "a:../b", -EINVAL },
                { "a:", -EINVAL }, { ":b", -EINVAL }, { "..:..", -EINVAL }, { "a:b:c", -EINVAL },
        };
        _cleanup_free_ char *tracefs = test_golden("tracefs");
        _cleanup_feature_table_free_ FeatureTable *t = NULL;

        ck_assert_ok(feature_table_new(&t));
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                char *names[] = { (char *) cases[i].name, NULL };

                ck_assert_int_eq(feature_table_add_tracing_data(t, tracefs, names), cases[i].error);
        }
        ck_assert_int_eq(feature_table_add_tracing_data(t, "/no-such-tracefs", (char *[]) { (char *) "a:b", NULL }), -ENOENT);
        ck_assert_int_eq(feature_table_add_tracing_data(t, tracefs, NULL), -EINVAL);
        ck_assert_uint_eq(feature_table_size(t), 0);
}
END_TEST

TEST_RUN("tracing-data", layout, refusals);
