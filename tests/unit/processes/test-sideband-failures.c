/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Every allocation fails once, and the call is made again: the table is the same as without the failure. The linker
 * has the library call the functions below in place of the allocator's. */

#include "sideband-test.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__real_reallocarray(void *p, size_t n, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_reallocarray(void *p, size_t n, size_t size);

static uint64_t countdown; /* 0: nothing fails */
static uint64_t failures;
static bool armed;         /* the library allocates, not the test */

static bool fails(void) {
        if (!armed || countdown == 0 || --countdown > 0)
                return false;
        failures++;
        return true;
}

void *__wrap_malloc(size_t size) {
        return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size) {
        return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t size) {
        return fails() ? NULL : __real_realloc(p, size);
}

void *__wrap_reallocarray(void *p, size_t n, size_t size) {
        return fails() ? NULL : __real_reallocarray(p, n, size);
}

/* Makes the call again after the failure. */
#define AGAIN(call)                              \
        do {                                     \
                int _r;                          \
                                                 \
                armed = true;                    \
                _r = (call);                     \
                if (_r == -ENOMEM)               \
                        _r = (call);             \
                armed = false;                   \
                ck_assert_int_eq(_r, 0);         \
        } while (0)

static const char first[] = "0 kernel ffff0000 1000 [kernel.kallsyms]_text\n"
                            "0 fork 5 1\n0 comm 5 5 sh\n0 map 5 1000 2000 0 /bin/sh\n0 thread 5 6\n0 ns 5 6 7\n"
                            "10 fork 7 5\n11 map 7 5000 1000 0 /lib/a.so\n12 fork 8 7\n13 thread 8 9\n14 comm 8 9 worker\n"
                            "15 exit 7 7\n16 ksymbol ffff9000 x\n17 comm 8 8 ls exec\n18 map 8 1000 1000 0 /bin/ls\n";
static const char second[] = "20 fork 30 8\n21 map 30 9000 1000 0 /lib/b.so\n22 cgroup 3 /x\n23 exit 8 9\n24 fork 31 30\n25 exit 30 30\n";

static void feed_each(SidebandTable *t, const RecordBuffer *b) {
        const struct perf_event_header *h;
        size_t cursor = 0;

        while (record_next(b->data, b->size, &cursor, &h) == 1)
                AGAIN(sideband_table_feed(t, h, h->size));
}

static char *run(uint64_t n, const RecordBuffer *a, const RecordBuffer *b) {
        _cleanup_sideband_table_free_ SidebandTable *t = NULL;
        _cleanup_(record_buffer_done) RecordBuffer out = {};

        countdown = n;
        AGAIN(sideband_table_new(SIDEBAND_TEST_TYPE, &t));
        feed_each(t, a);
        AGAIN(sideband_table_round(t, false));
        feed_each(t, b);
        AGAIN(sideband_table_round(t, false));
        AGAIN(sideband_table_keep_only(t, NULL, 0));
        AGAIN(sideband_table_forget_before(t, 17));
        AGAIN(sideband_table_round(t, true));
        AGAIN(sideband_table_keep_only(t, NULL, 0));
        AGAIN(sideband_table_put(t, NULL, &out));
        countdown = 0;
        return sideband_test_describe(&out, SIDEBAND_TEST_TYPE);
}

START_TEST(each_allocation_fails) {
        _cleanup_(record_buffer_done) RecordBuffer a = {}, b = {};
        _cleanup_free_ char *wanted = NULL;
        uint64_t n = 0, before;

        sideband_test_build(&a, SIDEBAND_TEST_TYPE, first);
        sideband_test_build(&b, SIDEBAND_TEST_TYPE, second);
        wanted = run(0, &a, &b);
        do {
                _cleanup_free_ char *found = NULL;

                before = failures;
                found = run(++n, &a, &b);
                ck_assert_str_eq(found, wanted);
        } while (failures > before);
        ck_assert_uint_gt(n, 60);
}
END_TEST

TEST_RUN("sideband-failures", each_allocation_fails);
