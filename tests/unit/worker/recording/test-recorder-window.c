/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Windows of the program's memory, in both kinds of flight recorders: they follow each other without a hole, and leave no trace. */

#include <fcntl.h>
#include <stdalign.h>

#include <perf-recorder/notify-fields.h>

#include "descriptor-set.h"
#include "dump-reading.h"
#include "record-layout.h"

static struct {
        int fd;
        uint64_t until;
        char path[64];
} window = { .fd = -EBADF };

/* Asks for a window, and waits for the answer: its text, or "" if it is the window. */
static const char *ask(uint64_t since, const char *more) {
        static unsigned n;
        static char text[4096];
        char word[128], expected[64];
        usec_t deadline = now_usec(CLOCK_MONOTONIC) + TIMEOUT;

        (void) snprintf(word, sizeof(word), "window w%u %" PRIu64 "%s\n", ++n, since, more);
        (void) snprintf(expected, sizeof(expected), PR_NOTIFY_WINDOW "w%u ", n);
        say(word);
        for (;;) {
                alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
                struct iovec iov = { .iov_base = text, .iov_len = sizeof(text) - 1 };
                struct msghdr mh = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control) };
                struct pollfd p = { .fd = run.notify_fd, .events = POLLIN };
                ssize_t k;

                ck_assert_uint_lt(now_usec(CLOCK_MONOTONIC), deadline);
                if (poll(&p, 1, 1000) <= 0 || (k = recvmsg(run.notify_fd, &mh, 0)) < 0)
                        continue;
                text[k] = '\0';
                if (startswith(text, PR_NOTIFY_WINDOW_ERROR))
                        return text;
                if (!startswith(text, expected))
                        continue;
                window.fd = safe_close(window.fd);
                ck_assert_uint_eq(descriptors_of_message(&mh, &window.fd, 1), 1);
                window.until = strtoull(text + strlen(expected), NULL, 10);
                (void) snprintf(window.path, sizeof(window.path), "/proc/self/fd/%d", window.fd);
                return "";
        }
}

/* The names that a window has of this process, which does not change its own. */
static uint64_t count_own_names(const char *path) {
        _cleanup_perf_data_reader_free_ PerfDataReader *r = NULL;
        const struct perf_event_header *h;
        size_t cursor = 0;
        uint64_t n = 0;

        ck_assert_int_eq(perf_data_reader_new(AT_FDCWD, path, &r), 0);
        while (perf_data_reader_next(r, &cursor, &h) > 0)
                n += h->type == PERF_RECORD_COMM && ((const PerfRecordComm *) h)->pid == (uint32_t) getpid();
        return n;
}

static void check_windows(const char *options) {
        _cleanup_strv_free_ char **none = NULL;
        _cleanup_free_ char *said = NULL;
        uint64_t last = 0, before, first, newest_time;
        uint64_t from, to, n = 0;

        keep_cpus_busy();
        start(options);
        await("READY=1");
        (void) usleep(200000);
        ck_assert_str_eq(ask(0, " whole"), "");
        ck_assert_uint_gt(read_times(window.path, &first, &newest_time), 50);
        ck_assert_uint_le(newest_time, window.until);
        ck_assert_uint_gt(count_own_names(window.path), 0);
        ck_assert_uint_gt(count_records(window.path, PERF_RECORD_MMAP2), 0);
        last = newest_time;
        from = window.until;
        for (unsigned i = 0; i < 10; i++) {
                (void) usleep(30000);
                before = window.until;
                ck_assert_str_eq(ask(before, ""), "");
                n += read_times(window.path, &first, &newest_time);
                ck_assert_uint_gt(first, before);
                ck_assert_uint_le(newest_time, window.until);
                ck_assert_uint_eq(count_own_names(window.path), 0); /* was said before */
                ck_assert_uint_eq(count_records(window.path, PERF_RECORD_ID_INDEX), 0);
                last = newest_time;
        }
        to = window.until;
        ck_assert_str_eq(ask(UINT64_MAX, ""), "");
        ck_assert_uint_eq(count_samples(window.path), 0);
        ck_assert(window.until > last && window.until < last + NSEC_PER_SEC);
        ck_assert_int_eq(fcntl(window.fd, F_GETFL) & O_ACCMODE, O_RDONLY);
        none = data_files();
        ck_assert_uint_eq(strv_length(none), 0);
        ck_assert_uint_eq(run.counters->files, 0);

        say("snapshot new new=1\n"); /* windows count nothing as dumped */
        await("X_PERF_DUMP_IDS=new\n");
        ck_assert_uint_gt(n, 0);
        ck_assert_uint_eq(read_times_between(newest(), from, to, &first, &newest_time), n); /* one behind the other, they have each sample once */
        say("disable\n");
        (void) usleep(100000);
        ck_assert_str_eq(ask(window.until, ""), "");
        stop();
        said = output();
        ck_assert_ptr_null(strstr(said, "indow"));
}

START_TEST(test_rings) {
        check_windows("-e cpu-clock -c 500000 -C 0 -m 1M --overwrite");
}
END_TEST

START_TEST(test_history) {
        check_windows("-e cpu-clock -c 500000 -C 0 -m 1M -M 4M");
}
END_TEST

/* Requests that come at once are answered one by one. */
START_TEST(test_many) {
        static const char words[] = "window a 0 whole\nwindow b 0\nsnapshot c\nwindow d 0\nwindow nonsense\nwindow e 0 half\nwindow\n";
        char acks[64];

        start("-e cpu-clock -F 1000 -a --overwrite");
        await("READY=1");
        ck_assert_int_eq(write(run.control_fd, words, strlen(words)), (ssize_t) strlen(words));
        await("X_PERF_WINDOW=d ");
        for (size_t n = 0; n < 7 * strlen("ack\n");) {
                ssize_t k = read(run.ack_fd, acks, sizeof(acks));

                n += k > 0 ? (size_t) k : 0;
        }
        say("snapshot f\n");
        await("X_PERF_DUMP_IDS=f\n");
        stop();
}
END_TEST

START_TEST(test_none) {
        start("-e cpu-clock -F 1000 -a");
        await("READY=1");
        ck_assert_ptr_nonnull(strstr(ask(0, " whole"), " 95 it keeps no samples in memory"));
        stop();
}
END_TEST

RECORDER_MAIN("recorder-window", test_rings, test_history, test_many, test_none);
