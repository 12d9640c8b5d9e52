/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The program with a history ring: dumps that follow each other, reach back as far as requested, and have symbols. */

#include "dump-reading.h"

static const char *dump(const char *id, const char *more) {
        char text[128];

        (void) snprintf(text, sizeof(text), "snapshot %s%s\n", id, more);
        say(text);
        (void) snprintf(text, sizeof(text), "X_PERF_DUMP_IDS=%s\n", id);
        await(text);
        return newest();
}

START_TEST(test_no_hole) {
        uint64_t last = 0;

        start("-e cpu-clock -c 500000 -C 0 -m 64K -M 1M");
        await("READY=1");
        for (unsigned i = 0; i < 10; i++) {
                uint64_t begins, ends, n;
                char id[16];
                const char *path;

                (void) usleep(30000);
                (void) snprintf(id, sizeof(id), "%u", i);
                path = dump(id, i % 2 == 0 ? " trigger=calendar force=1" : " trigger=calendar force=1 delay=10000");
                n = read_times(path, &begins, &ends);
                ck_assert_uint_eq(xattr_number(path, PR_DUMP_XATTR_SAMPLES), n);
                ck_assert_uint_eq(xattr_number(path, PR_DUMP_XATTR_LOST), 0);
                ck_assert_uint_gt(begins, last);
                last = ends;
        }
        stop();
        ck_assert_uint_gt(count_samples("perf.data"), 0);
}
END_TEST

/* There are so many samples that the oldest are dropped, which limits how far it reaches back. */
START_TEST(test_oldest_go) {
        uint64_t begins, ends, all, told;
        usec_t deadline = now_usec(CLOCK_MONOTONIC) + TIMEOUT;

        start("-e cpu-clock -c 200000 -a -m 256K -M 1M --history-level=0");
        await("READY=1");
        while ((told = __atomic_load_n(&run.counters->first_sample_nsec, __ATOMIC_RELAXED)) == 0)
                ck_assert_uint_lt(now_usec(CLOCK_MONOTONIC), deadline);
        while (__atomic_load_n(&run.counters->first_sample_nsec, __ATOMIC_RELAXED) < told + NSEC_PER_SEC)
                ck_assert_uint_lt(now_usec(CLOCK_MONOTONIC), deadline);
        all = read_times(dump("a", ""), &begins, &ends);
        ck_assert_uint_lt(all * 40, 3 << 20); /* 1M, the rings, and later samples */
        ck_assert_uint_gt(all * 40, 1 << 18); /* whole blocks are dropped */
        stop();
}
END_TEST

START_TEST(test_requests) {
        uint64_t all, first, begins, ends;
        char more[128];
        const char *path;
        usec_t middle;

        start("-e cpu-clock -F 1000 -a -m 64K -M 4M -z --history-time=1h");
        await("READY=1");
        (void) usleep(300000);
        path = dump("a", "");
        all = count_samples(path);
        first = xattr_number(path, PR_DUMP_XATTR_FIRST);
        middle = xattr_number(path, PR_DUMP_XATTR_LAST) - 200 * USEC_PER_MSEC;
        ck_assert_uint_ge(count_samples(dump("b", "")), all);
        ck_assert_uint_ge(count_samples(dump("c", " trigger=calendar")), all);
        ck_assert_uint_gt(xattr_number(dump("d", " new=1"), PR_DUMP_XATTR_FIRST), first);
        (void) snprintf(more, sizeof(more), " since=%" PRIu64 " until=%" PRIu64, middle, middle + 100 * USEC_PER_MSEC);
        path = dump("e", more);
        ck_assert_uint_lt(count_samples(path), all);
        ck_assert_uint_gt(count_samples(path), 20);
        ck_assert_uint_ge(xattr_number(path, PR_DUMP_XATTR_FIRST), middle);
        ck_assert_uint_le(xattr_number(path, PR_DUMP_XATTR_LAST), middle + 100 * USEC_PER_MSEC);
        ck_assert_uint_eq(xattr_number(path, PR_DUMP_XATTR_LOST), 0);
        (void) read_times(path, &begins, &ends);
        ck_assert_uint_le(ends - begins, NSEC_PER_SEC / 10);
        stop();
}
END_TEST

START_TEST(test_switches) {
        check_switches("-e cpu-clock -F 1000 -a -m 64K -M 4M --switch-events");
}
END_TEST

/* The page of counters has all samples, without a dump, and none twice. */
START_TEST(test_counts) {
        uint64_t n;

        keep_cpus_busy();
        start("-e cpu-clock -c 1000000 -a -m 16K -M 4M");
        await("READY=1");
        await_samples(1000);
        n = count_samples(dump("a", ""));
        n = MAX_OF(n, count_samples(dump("b", "")));
        ck_assert_uint_ge(n, 1000);
        n = count_samples(dump("c", ""));
        ck_assert_uint_ge(run.counters->samples, n);
        ck_assert_uint_le(run.counters->samples, n + n / 2);
        ck_assert_uint_eq(run.counters->files, 3);
        stop();
}
END_TEST

START_TEST(test_no_stream) {
        _cleanup_free_ char *said = NULL;

        start("-e cpu-clock -a -M 4M -o -");
        ck_assert_int_ne(end(), 0);
        said = output();
        ck_assert_ptr_nonnull(strstr(said, "-M writes files when something happens"));
}
END_TEST

RECORDER_MAIN("recorder-history", test_no_hole, test_oldest_go, test_requests, test_switches, test_counts, test_no_stream);
