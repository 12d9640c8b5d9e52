/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The program as a flight recorder: it dumps overwrite rings while they run. */

#include <sys/mount.h>

#include "dump-reading.h"

/* Checks that the file has the wall clock time of its samples, also without a clock of its own. */
static void check_clock_data(const char *path) {
        _cleanup_perf_data_reader_free_ PerfDataReader *r = NULL;
        uint64_t times[2], begins, ends;
        const void *data;
        size_t size;

        ck_assert_int_eq(perf_data_reader_new(AT_FDCWD, path, &r), 0);
        ck_assert_int_ge(perf_data_reader_feature(r, PERF_FEATURE_CLOCK_DATA, &data, &size), 0);
        ck_assert_uint_eq(size, 24);
        memcpy(times, (const uint8_t *) data + 8, sizeof(times));
        (void) read_times(path, &begins, &ends);
        ck_assert_int_lt(llabs((int64_t) (begins + times[0] - times[1] - xattr_number(path, PR_DUMP_XATTR_FIRST) * NSEC_PER_USEC)),
                         (int64_t) NSEC_PER_SEC / 1000);
}

START_TEST(test_facts) {
        const char *path;
        usec_t begin = now_usec(CLOCK_REALTIME);

        ck_assert_int_eq(setenv("PERF_RECORDER_SESSION", "web", 1), 0);
        start("-e cpu-clock -F 1000 -a --overwrite");
        await("READY=1");
        (void) usleep(100000);
        say("snapshot one trigger=request detail=somebody\n");
        await("\nX_PERF_DUMP_IDS=one\n");
        path = newest();
        assert_xattr(path, PR_DUMP_XATTR_SESSION, "web");
        assert_xattr(path, PR_DUMP_XATTR_TRIGGER, "request");
        assert_xattr(path, PR_DUMP_XATTR_DETAIL, "somebody");
        assert_xattr(path, PR_DUMP_XATTR_TRIGGERS, "1");
        ck_assert_uint_eq(xattr_number(path, PR_DUMP_XATTR_SAMPLES), count_samples(path));
        ck_assert_uint_gt(count_samples(path), 10);
        ck_assert_uint_ge(xattr_number(path, PR_DUMP_XATTR_FIRST), begin);
        ck_assert_uint_ge(xattr_number(path, PR_DUMP_XATTR_LAST), xattr_number(path, PR_DUMP_XATTR_FIRST) + 50000);
        ck_assert_uint_le(xattr_number(path, PR_DUMP_XATTR_LAST), now_usec(CLOCK_REALTIME));
        ck_assert_uint_ge(xattr_number(path, PR_DUMP_XATTR_TIMESTAMP), begin);
        check_clock_data(path);
        say("reason a test\n");
        stop();
        assert_xattr("perf.data", PR_DUMP_XATTR_TRIGGER, "shutdown");
        assert_xattr("perf.data", PR_DUMP_XATTR_DETAIL, "a test");
}
END_TEST

/* With one CPU, the next dump begins where the previous one ended. */
START_TEST(test_no_hole) {
        uint64_t last = 0;

        keep_cpus_busy();
        start("-e cpu-clock -c 500000 -C 0 -m 1M --overwrite");
        await("READY=1");
        for (unsigned i = 0; i < 10; i++) {
                char word[64];
                uint64_t begins, ends;

                (void) usleep(30000);
                (void) snprintf(word, sizeof(word), "snapshot %u trigger=calendar force=1\n", i);
                say(word);
                (void) snprintf(word, sizeof(word), "X_PERF_DUMP_IDS=%u\n", i);
                await(word);
                (void) read_times(newest(), &begins, &ends);
                ck_assert_uint_gt(begins, last);
                last = ends;
        }
        (void) usleep(30000);
        stop();
        ck_assert_uint_gt(count_samples("perf.data"), 0);
}
END_TEST

/* By words of the control protocol, a requested dump always has all samples, automatic ones have new samples, and a
 * window by the wall clock has the samples of that time. */
START_TEST(test_requests) {
        uint64_t all, some, first, begins, ends;
        usec_t middle;
        char word[128];

        start("-e cpu-clock -F 1000 -a --overwrite");
        await("READY=1");
        (void) usleep(200000);
        say("snapshot a\n");
        await("X_PERF_DUMP_IDS=a\n");
        all = count_samples(newest());
        first = xattr_number(newest(), PR_DUMP_XATTR_FIRST);
        say("snapshot b\n");
        await("X_PERF_DUMP_IDS=b\n");
        ck_assert_uint_gt(count_samples(newest()), all);
        say("snapshot c new=1\n");
        await("X_PERF_DUMP_IDS=c\n");
        ck_assert_uint_gt(xattr_number(newest(), PR_DUMP_XATTR_FIRST), first);
        say("snapshot d trigger=calendar\n");
        await("X_PERF_DUMP_IDS=d\n");
        ck_assert_uint_gt(count_samples(newest()), all);
        (void) usleep(50000);
        say("snapshot e trigger=calendar\n");
        await("X_PERF_DUMP_IDS=e\n");
        ck_assert_uint_gt(xattr_number(newest(), PR_DUMP_XATTR_FIRST), first);
        begins = xattr_number(newest(), PR_DUMP_XATTR_FIRST);

        middle = begins - 100 * USEC_PER_MSEC; /* within the first dump */
        (void) snprintf(word, sizeof(word), "snapshot f since=%" PRIu64 " until=%" PRIu64 "\n", middle, middle + 50 * USEC_PER_MSEC);
        say(word);
        await("X_PERF_DUMP_IDS=f\n");
        some = count_samples(newest());
        ck_assert_uint_eq(xattr_number(newest(), PR_DUMP_XATTR_SAMPLES), some);
        ck_assert_uint_gt(some, 10);
        ck_assert_uint_lt(some, all);
        ck_assert_uint_ge(xattr_number(newest(), PR_DUMP_XATTR_FIRST), middle);
        ck_assert_uint_le(xattr_number(newest(), PR_DUMP_XATTR_LAST), middle + 50 * USEC_PER_MSEC);
        (void) read_times(newest(), &begins, &ends);
        ck_assert_uint_le(ends - begins, NSEC_PER_SEC / 20);

        say("snapshot g since=1000000 until=2000000\n");
        await("X_PERF_DUMP_ERROR=61 there are no samples of that time in memory, which reaches from ");
        stop();
}
END_TEST

START_TEST(test_switches) {
        check_switches("-e cpu-clock -F 1000 -a --overwrite --switch-events");
}
END_TEST

/* A dump in an hour delays no other, and can be withdrawn. */
START_TEST(test_delayed) {
        start("-e cpu-clock -F 1000 -a --overwrite");
        await("READY=1");
        say("snapshot late delay=3600000000\n");
        say("ping\n");
        ck_assert_uint_gt(run.counters->next_dump_nsec, now_nsec(CLOCK_MONOTONIC) + 3500 * NSEC_PER_SEC);
        say("snapshot now\n");
        await("X_PERF_DUMP_IDS=now\n");
        say("withdraw late\n");
        say("ping\n");
        ck_assert_uint_eq(run.counters->next_dump_nsec, 0);
        stop();
        ck_assert(!received("X_PERF_DUMP_IDS=late\n", now_usec(CLOCK_MONOTONIC)));
}
END_TEST

/* The directory is created again. Until that succeeds no dump can be written, and no sample is lost. */
START_TEST(test_vanished_directory) {
        uint64_t n;

        ck_assert_int_eq(mkdir("out", 0755), 0);
        start("-e cpu-clock -F 1000 -a --overwrite -o out/perf.data");
        await("READY=1");
        (void) usleep(100000);
        ck_assert_int_eq(rmdir("out"), 0);
        ck_assert_int_eq(symlink(".", "out"), 0);
        say("snapshot a\n");
        await("X_PERF_DUMP_ERROR=2 the directory of the dumps is gone");
        ck_assert_int_eq(unlink("out"), 0);
        say("snapshot b\n");
        await("X_PERF_DUMP_IDS=b\n");
        n = run.counters->samples;
        ck_assert_uint_gt(n, 50);
        ck_assert_int_eq(system("until rm -rf out 2>/dev/null; do :; done"), 0); /* NOLINT(cert-env33-c) */
        say("snapshot c\n");
        await("X_PERF_DUMP_IDS=c\n");
        ck_assert_int_eq(access("out", F_OK), 0);
        stop();
}
END_TEST

START_TEST(test_full_disk) {
        uint64_t n;
        int fd;
        void *fill = calloc(1, 1 << 20);

        ck_assert_int_eq(mkdir("out", 0755), 0);
        if (mount("tmpfs", "out", "tmpfs", 0, "size=64m") < 0) {
                free(fill);
                return; /* not allowed here */
        }
        start("-e cpu-clock -F 1000 -a --overwrite -o out/perf.data");
        await("READY=1");
        (void) usleep(200000);
        fd = open("out/filler", O_WRONLY | O_CREAT, 0600);
        while (write(fd, fill, 4096) > 0)
                ;
        free(fill);
        say("snapshot a\n");
        await("X_PERF_DUMP_ERROR=28 the disk is full");
        (void) close(fd);
        ck_assert_int_eq(unlink("out/filler"), 0);
        say("snapshot b\n");
        await("X_PERF_DUMP_IDS=b\n");
        n = run.counters->samples;
        ck_assert_uint_gt(n, 150); /* with the samples from before the disk was full */
        stop();
        ck_assert_int_eq(umount2("out", MNT_DETACH), 0);
}
END_TEST

RECORDER_MAIN("recording-flight", test_facts, test_no_hole, test_requests, test_switches, test_delayed,
              test_vanished_directory, test_full_disk);
