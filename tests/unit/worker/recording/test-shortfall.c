/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Messages about a recording with holes: from made-up figures, and from made-up readings of two events. */

#include "check-main.h"
#include "fd-file.h"
#include "shortfall.h"

#define FORMAT (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID)

static SetMember members[] = {
        { .name = (char *) "cycles", .attr.read_format = FORMAT },
        { .name = (char *) "cs", .attr = { .type = PERF_TYPE_SOFTWARE, .read_format = FORMAT } },
};
static Event events[] = {
        { .fd = -EBADF, .cpu = 0, .tid = -1, .member = 0 },
        { .fd = -EBADF, .cpu = 1, .tid = -1, .member = 0 },
        { .fd = -EBADF, .cpu = 0, .tid = -1, .member = 1 },
};
static int cpus[] = { 0, 1 };
static pid_t tids[] = { -1 };
static EventSet set = { .members = members, .n_members = 2, .events = events, .n_events = 3, .cpus = cpus, .n_cpus = 2,
                        .tids = tids, .n_tids = 1 };

static void answer(size_t event, uint64_t enabled, uint64_t running) {
        const uint64_t words[] = { 1000, enabled, running, 7 };

        events[event].fd = open_memfd("event", sizeof(words));
        ck_assert_int_eq(pwrite(events[event].fd, words, sizeof(words), 0), sizeof(words));
}

static char *describe(const Shortfall *s) {
        _cleanup_strv_free_ char **lines = NULL;

        ck_assert_int_eq(shortfall_describe(s, &set, &lines), 0);
        return strv_join(lines, "\n");
}

START_TEST(test_nothing) {
        _cleanup_free_ char *text = NULL;

        answer(0, 500, 500);
        answer(1, 0, 0); /* never enabled */
        answer(2, 9, 1); /* a software event shares nothing */
        text = describe(&(Shortfall) { .samples = 100 });
        ck_assert_str_eq(text, "");
}
END_TEST

START_TEST(test_lost_and_throttled) {
        _cleanup_free_ char *text = describe(&(Shortfall) { .samples = 900, .lost = 100, .throttled = 3 });

        ck_assert_ptr_nonnull(startswith(text, "Lost 100 samples (10.0 %): "));
        ck_assert_ptr_nonnull(strstr(text, "\nSampling was throttled 3 times: "));
}
END_TEST

/* More than the samples that there could be: they are not compared with samples, and the rate is not blamed. */
START_TEST(test_lost_records) {
        _cleanup_free_ char *told = describe(&(Shortfall) { .samples = 62, .lost_records = 19031 });
        _cleanup_free_ char *mixed = describe(&(Shortfall) { .samples = 62, .lost = 19031, .lost_records = PR_COUNTERS_UNKNOWN });

        ck_assert_str_eq(told, "19031 records of what processes did were lost: some samples may have no symbols; "
                               "larger ring buffers (-m) lose less");
        ck_assert_str_eq(mixed, "Lost 19031 records, samples or what processes did: there was no room for them in time; "
                                "larger ring buffers (-m) lose less");
}
END_TEST

START_TEST(test_multiplexed) {
        _cleanup_free_ char *text = NULL;

        answer(0, 1000, 500);
        answer(1, 1000, 0);
        text = describe(&(Shortfall) {});
        ck_assert_ptr_nonnull(startswith(text, "Event cycles counted 25.0 % of the time: "));
        ck_assert_ptr_null(strchr(text, '\n'));
}
END_TEST

/* A thread's events on all CPUs have its time as enabled, and only the one on its CPU counts. */
START_TEST(test_thread) {
        _cleanup_free_ char *whole = NULL, *half = NULL;

        tids[0] = events[0].tid = events[1].tid = 42;
        answer(0, 1000, 400);
        answer(1, 1000, 599);
        whole = describe(&(Shortfall) {});
        ck_assert_str_eq(whole, "");
        answer(0, 1000, 400);
        answer(1, 1000, 100);
        half = describe(&(Shortfall) {});
        ck_assert_ptr_nonnull(startswith(half, "Event cycles counted 50.0 % of the time: "));
}
END_TEST

CHECK_MAIN("shortfall", test_nothing, test_lost_and_throttled, test_lost_records, test_multiplexed, test_thread);
