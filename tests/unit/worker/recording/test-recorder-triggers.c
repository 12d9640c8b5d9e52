/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The causes of dumps, with the program as the daemon runs it. */

#include "dump-reading.h"

/* Checks a fact of the first dump, unless the file system has no attributes. */
static void check_fact(const char *attribute, const char *expected) {
        _cleanup_strv_free_ char **files = data_files();
        char value[64] = "";
        ssize_t n;

        ck_assert_ptr_nonnull(files);
        n = getxattr(files[0], attribute, value, sizeof(value) - 1);
        if (n >= 0 || errno != ENOTSUP)
                ck_assert_str_eq(value, expected);
}

START_TEST(test_snapshot_with_id) {
        start("-e cpu-clock -F 1000 -a --switch-output=signal");
        await("READY=1");
        say("snapshot a-1 trigger=request detail=me, for fun\n");
        await("\nX_PERF_DUMP_IDS=a-1\n");
        check_fact(PR_DUMP_XATTR_TRIGGER, PR_TRIGGER_REQUEST);
        check_fact(PR_DUMP_XATTR_DETAIL, "me, for fun");
        check_fact(PR_DUMP_XATTR_LOST, "0");
        say("snapshot a-2 since=none\n");
        await("X_PERF_DUMP_ERROR=22 snapshot: since=none is not understood\nX_PERF_DUMP_IDS=a-2\n");
        say("snapshot /etc/passwd\n"); /* acknowledged, without an answer */
        say("snapshot a-3\n");
        await("X_PERF_DUMP=perf.data.2");
        say("snapshot a-4 since=1\n"); /* the samples are in the files */
        await("X_PERF_DUMP_ERROR=95 it writes all samples to files (Mode=stream)");
        stop();
}
END_TEST

static uint64_t fact(const char *path, const char *attribute) {
        char value[64] = "";

        return getxattr(path, attribute, value, sizeof(value) - 1) < 0 ? UINT64_MAX : strtoull(value, NULL, 10);
}

/* All files of a session that writes all the time have their cause and contents, the last one too. */
START_TEST(test_facts_of_stream) {
        static const char *const triggers[] = { PR_TRIGGER_REQUEST, PR_TRIGGER_ROTATION, PR_TRIGGER_SHUTDOWN };
        usec_t first = now_usec(CLOCK_REALTIME), last = first;

        keep_cpus_busy();
        ck_assert_int_eq(setenv("PERF_RECORDER_SESSION", "web", 1), 0);
        start("-e cpu-clock -F 1000 -a -m 8M --switch-output=1s"); /* none is lost, however late the rings are read */
        await("READY=1");
        for (size_t i = 0; i < ELEMENTSOF(triggers); i++) {
                const char *path;
                char value[64] = "";

                (void) usleep(200000);
                if (i == 0)
                        say("snapshot a trigger=request\n");
                else if (i == 2)
                        ck_assert_int_eq(kill(run.pid, SIGTERM), 0);
                await("X_PERF_OUTPUT=");
                path = newest();
                if (getxattr(path, PR_DUMP_XATTR_TRIGGER, value, sizeof(value) - 1) < 0 && errno == ENOTSUP)
                        return;
                ck_assert_str_eq(value, triggers[i]);
                ck_assert_uint_eq(fact(path, PR_DUMP_XATTR_SAMPLES), count_samples(path));
                ck_assert_uint_gt(fact(path, PR_DUMP_XATTR_SAMPLES), 50);
                ck_assert_uint_eq(fact(path, PR_DUMP_XATTR_LOST), 0);
                /* A ring that was read before the others has samples in the next file that are older than theirs in this one. */
                ck_assert_uint_ge(fact(path, PR_DUMP_XATTR_FIRST), first);
                ck_assert_uint_gt(fact(path, PR_DUMP_XATTR_LAST), last);
                first = fact(path, PR_DUMP_XATTR_FIRST);
                last = fact(path, PR_DUMP_XATTR_LAST);
                ck_assert_uint_ge(last, first + 100 * USEC_PER_MSEC);
                ck_assert_uint_le(last, now_usec(CLOCK_REALTIME));
        }
        ck_assert_int_eq(end(), 0);
}
END_TEST

/* Files without samples are no dumps, unless somebody asked for them; a process that wakes up has its samples in one. */
START_TEST(test_idle_stream) {
        _cleanup_strv_free_ char **before = NULL;
        pid_t sleeper = run.load[run.n_load++] = fork();
        char line[128];

        ck_assert_int_ge(sleeper, 0);
        if (sleeper == 0) {
                (void) raise(SIGSTOP);
                for (;;)
                        ;
        }
        ck_assert_int_eq(waitpid(sleeper, NULL, WUNTRACED), sleeper);
        ck_assert_int_eq(setenv("PERF_RECORDER_SESSION", "web", 1), 0);
        (void) snprintf(line, sizeof(line), "-e cpu-clock -F 1000 -p %d --switch-output=1s", (int) sleeper);
        start(line);
        await("READY=1");
        say("snapshot a trigger=event\n");
        await("X_PERF_DUMP_ERROR=61 no sample has come since the previous file\nX_PERF_DUMP_TRIGGER=event");
        (void) usleep(2500000); /* two files are due */
        before = data_files();
        STRV_FOREACH(name, before)
                ck_assert_ptr_null(startswith(*name, "perf.data.2"));
        say("snapshot b trigger=request\n");
        await("X_PERF_DUMP_IDS=b\n");
        ck_assert_uint_eq(count_samples(newest()), 0);
        ck_assert_int_eq(unlink(newest()), 0);
        ck_assert_int_eq(kill(sleeper, SIGCONT), 0);
        await("X_PERF_OUTPUT=");
        ck_assert_uint_gt(count_samples(newest()), 0);
        stop();
}
END_TEST

/* The side band may be all that is wanted. */
START_TEST(test_stream_of_side_band) {
        ck_assert_int_eq(setenv("PERF_RECORDER_SESSION", "web", 1), 0);
        start("-e dummy:u -a --switch-output=signal");
        await("READY=1");
        say("snapshot a trigger=event\n");
        await("X_PERF_DUMP_IDS=a\n");
        ck_assert_str_ne(newest(), "");
        stop();
}
END_TEST

START_TEST(test_delay) {
        usec_t begin = now_usec(CLOCK_MONOTONIC);

        start("-e cpu-clock -F 1000 -a --switch-output=signal");
        await("READY=1");
        say("snapshot late delay=300000\n");
        say("ping\n"); /* it continues in the meantime */
        await("X_PERF_DUMP_IDS=late\n");
        ck_assert_uint_ge(now_usec(CLOCK_MONOTONIC) - begin, 300 * USEC_PER_MSEC);
        say("snapshot end delay=60000000\n");
        ck_assert_int_eq(kill(run.pid, SIGTERM), 0);
        await("X_PERF_DUMP_IDS=end\n"); /* the end comes first */
        ck_assert_int_eq(end(), 0);
}
END_TEST

START_TEST(test_stream) {
        start_into(">stream", "-e cpu-clock -F 1000 -a -o -");
        await("READY=1");
        say("snapshot a\n");
        await("X_PERF_DUMP_ERROR=95 a stream has no dumps\nX_PERF_DUMP_TRIGGER=control\nX_PERF_DUMP_IDS=a\n");
        say("snapshot\n");
        stop();
}
END_TEST

START_TEST(test_signals) {
        start("-e cpu-clock -F 1000 -a --switch-output=signal --trigger-signal=RTMIN+2");
        await("READY=1");
        ck_assert_int_eq(kill(run.pid, SIGRTMIN + 2), 0);
        await("X_PERF_DUMP=perf.data.");
        ck_assert_int_eq(kill(run.pid, SIGUSR2), 0);
        await("X_PERF_DUMP=perf.data.");
        stop();
}
END_TEST

/* Signals to a session must not displace all its dumps. */
START_TEST(test_signals_of_session) {
        _cleanup_strv_free_ char **files = NULL;
        _cleanup_free_ char *said = NULL;

        ck_assert_int_eq(setenv("PERF_RECORDER_SESSION", "web", 1), 0);
        start("-e cpu-clock -F 1000 -a --overwrite --no-trigger-shutdown");
        await("READY=1");
        for (unsigned i = 0; i < 5; i++) {
                ck_assert_int_eq(kill(run.pid, SIGUSR2), 0);
                await("X_PERF_DUMP=perf.data.");
        }
        ck_assert_int_eq(kill(run.pid, SIGUSR2), 0);
        await("X_PERF_DUMP_ERROR=16 there were 5 dumps for the trigger signal within 1min (RateLimitBurst=");
        ck_assert_int_eq(kill(run.pid, SIGUSR2), 0);
        say("snapshot a\n"); /* requested dumps have no limit */
        await("X_PERF_DUMP_IDS=a\n");
        files = data_files();
        ck_assert_uint_eq(strv_length(files), 6);
        stop();
        said = output();
        ck_assert_ptr_null(strstr(said, "No dump")); /* the daemon has its own messages about dumps */
        ck_assert_ptr_null(strstr(said, "Woken up"));
        ck_assert_ptr_null(strstr(said, "[ perf record: Dump"));
}
END_TEST

/* A dump is made also if the event repeats without end, and the worker continues its other work. */
START_TEST(test_event) {
        char line[256];
        pid_t pid = fork();

        ck_assert_int_ge(pid, 0);
        while (pid == 0)
                (void) usleep(100);
        (void) snprintf(line, sizeof(line), "-e cpu-clock -p %d --switch-output=signal --trigger-limit=2/1min "
                        "--trigger-event=context-switches", pid);
        start(line);
        await("READY=1");
        await("X_PERF_DUMP=perf.data.");
        await("X_PERF_DUMP=perf.data.");
        await("X_PERF_DUMP_ERROR=16 ");
        say("ping\n");
        say("snapshot a trigger=event\n");
        await("X_PERF_DUMP_ERROR=16 there were 2 dumps for the trigger event within 1min (RateLimitBurst=");
        say("snapshot b trigger=event force=1\n");
        await("X_PERF_DUMP_IDS=b\n");
        say("snapshot c\n"); /* which has a limit of its own */
        await("X_PERF_DUMP_IDS=c\n");
        stop();
        (void) kill(pid, SIGKILL);
        ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
}
END_TEST

START_TEST(test_shutdown) {
        _cleanup_strv_free_ char **files = NULL;

        start("-e cpu-clock -F 1000 -a -m 4 --overwrite --no-trigger-shutdown");
        await("READY=1");
        stop();
        files = data_files();
        ck_assert_uint_eq(strv_length(files), 0);
        start("-e cpu-clock -F 1000 -a -m 4 --overwrite");
        await("READY=1");
        stop();
        strv_free(files);
        files = data_files();
        ck_assert_uint_eq(strv_length(files), 1);
}
END_TEST

static unsigned answered[1000];

/* Marks the ids of the whole messages in run.received, and removes these. */
static unsigned take_answers(void) {
        unsigned n = 0;

        for (char *at = run.received; (at = strstr(at, "X_PERF_DUMP_IDS="));)
                for (at += strlen("X_PERF_DUMP_IDS="); *at && *at != '\n'; n++) {
                        answered[strtoul(at, &at, 10)]++;
                        at += *at == ' ';
                }
        run.received[0] = '\0';
        return n;
}

/* Sends a thousand words at 1 kHz from another process, so that answers are read in the meantime. */
static void assert_thousand(const char *line) {
        unsigned n = 0;
        pid_t pid;

        memset(answered, 0, sizeof(answered));
        start(line);
        await("READY=1");
        pid = fork();
        ck_assert_int_ge(pid, 0);
        if (pid == 0) {
                for (unsigned i = 0; i < 1000; i++) {
                        (void) dprintf(run.control_fd, "snapshot %u\n", i);
                        (void) usleep(1000);
                }
                _exit(0);
        }
        while (n < 1000) {
                ck_assert_msg(received("X_PERF_DUMP_IDS=", now_usec(CLOCK_MONOTONIC) + TIMEOUT), "%u answers", n);
                n += take_answers();
        }
        ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
        for (unsigned i = 0; i < 1000; i++)
                ck_assert_uint_eq(answered[i], 1);
        stop();
}

START_TEST(test_thousand) {
        assert_thousand("-e cpu-clock -F 1000 -a --switch-output=signal --switch-max-files 3");
}
END_TEST

START_TEST(test_thousand_in_flight) {
        assert_thousand("-e cpu-clock -F 1000 -a -m 64 --overwrite --switch-output=signal --switch-max-files 3");
}
END_TEST

RECORDER_MAIN("recorder-triggers", test_snapshot_with_id, test_facts_of_stream, test_idle_stream, test_stream_of_side_band, test_delay, test_stream, test_signals,
              test_signals_of_session, test_event, test_shutdown, test_thousand, test_thousand_in_flight);
