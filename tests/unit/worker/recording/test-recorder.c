/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The program as the daemon runs it: control FIFOs, messages, counters, signals. */

#include "run-worker.h"
#include <sys/sysinfo.h>

START_TEST(test_session) {
        _cleanup_strv_free_ char **files = NULL;
        _cleanup_free_ char *text = NULL;
        uint64_t n = 0;

        start("-e cpu-clock -F 1000 -a --switch-output=signal");
        await("READY=1\nSTATUS=Recording cpu-clock\nX_PERF_LENT=\nX_PERF_STATE=recording");
        say("ping\n");
        ck_assert_uint_gt(run.counters->ring_bytes, 0);
        for (int i = 0; i < 2; i++) {
                (void) usleep(20000); /* something to record */
                ck_assert_int_eq(kill(run.pid, SIGUSR2), 0);
                await("X_PERF_OUTPUT=/");
        }
        ck_assert_int_eq(kill(run.pid, SIGTERM), 0);
        await("STOPPING=1");
        await("X_PERF_OUTPUT=/");
        ck_assert_int_eq(end(), 0);

        files = data_files();
        ck_assert_uint_eq(strv_length(files), 3);
        STRV_FOREACH(name, files)
                n += count_samples(*name);
        ck_assert_uint_gt(n, 0);
        ck_assert_uint_eq(n, run.counters->samples);
        ck_assert_uint_eq(run.counters->files, 3);
        ck_assert_uint_eq(run.counters->lost, 0);
        text = output();
        ck_assert_ptr_nonnull(strstr(text, "[ perf record: Dump perf.data.2"));
        ck_assert_ptr_nonnull(strstr(text, "[ perf record: Captured and wrote 0."));
        ck_assert_ptr_nonnull(strstr(text, " MB perf.data.<timestamp> ("));
}
END_TEST

START_TEST(test_enable_and_disable) {
        _cleanup_free_ char *text = NULL;
        uint64_t before;

        start("-e cpu-clock,page-faults -F 1000 -m 1 -a");
        await("READY=1");
        await_samples(1);
        say("disable\n");
        await("X_PERF_STATE=paused");
        before = run.counters->samples;
        ck_assert_int_eq(kill(run.pid, SIGUSR2), 0); /* empties the rings */
        await("X_PERF_OUTPUT=");
        ck_assert_uint_eq(run.counters->samples, before);
        say("enable cpu-clock\n");
        await("X_PERF_STATE=recording");
        await_samples(before + 1);
        say("evlist -v\n");
        say("enable nonsense\n");
        say("stop\n");
        ck_assert_int_eq(end(), 0);
        text = output();
        ck_assert_ptr_nonnull(strstr(text, "Events disabled\n"));
        ck_assert_ptr_nonnull(strstr(text, "Event cpu-clock enabled\ncpu-clock: type: 1, "));
        ck_assert_ptr_nonnull(strstr(text, "failed: can't find 'nonsense' event\n"));
        ck_assert_uint_gt(count_samples("perf.data"), 0);
}
END_TEST

/* It works without --switch-output too, and the last file then has its own name. */
START_TEST(test_dump_by_word) {
        _cleanup_strv_free_ char **files = NULL;

        start("-e cpu-clock -F 1000 -a");
        await("READY=1");
        say("snapshot\n");
        await("X_PERF_OUTPUT=/");
        stop();
        files = data_files();
        ck_assert_uint_eq(strv_length(files), 2);
        ck_assert_str_eq(files[0], "perf.data");
}
END_TEST

START_TEST(test_overwrite) {
        _cleanup_strv_free_ char **files = NULL;

        start("-e cpu-clock -F 1000 -a -m 4 --overwrite --switch-output=signal");
        await("READY=1");
        (void) usleep(50000);
        for (int i = 0; i < 2; i++) {
                say("snapshot\n");
                await("X_PERF_OUTPUT=/");
        }
        stop();
        files = data_files();
        ck_assert_uint_eq(strv_length(files), 3);
        ck_assert_uint_gt(count_samples(files[0]), 0);
        (void) count_samples(files[1]);
        (void) count_samples(files[2]);
}
END_TEST

/* Overwrite rings without a flight recorder: beside rings that are read all the time, with the side band at the end of
 * each file, and into a stream. */
START_TEST(test_overwrite_of_streams) {
        static const char *const lines[] = {
                "-e cpu-clock/overwrite/,minor-faults/no-overwrite/ -F 1000 -a -m 64 --switch-output=signal",
                "-e cpu-clock -F 1000 -a -m 64 --overwrite --tail-synthesize --switch-output=signal",
        };

        for (size_t i = 0; i < ELEMENTSOF(lines); i++) {
                _cleanup_strv_free_ char **files = NULL;

                start(lines[i]);
                await("READY=1");
                (void) usleep(50000);
                say("snapshot\n");
                await("X_PERF_OUTPUT=/");
                (void) usleep(50000);
                stop();
                files = data_files();
                ck_assert_uint_eq(strv_length(files), 2);
                STRV_FOREACH(file, files) {
                        ck_assert_uint_gt(count_samples(*file), 5);
                        ck_assert_int_eq(unlink(*file), 0);
                }
        }
        start_into(">stream", "-e cpu-clock -F 1000 -a -m 64 --overwrite -o -");
        await("READY=1");
        (void) usleep(50000);
        say("snapshot a\n");
        await("X_PERF_DUMP_ERROR=95 a stream has no dumps\nX_PERF_DUMP_TRIGGER=control\nX_PERF_DUMP_IDS=a\n");
        ck_assert_uint_gt(run.counters->samples, 5);
        stop();
}
END_TEST

START_TEST(test_switch_by_size) {
        _cleanup_strv_free_ char **files = NULL;

        start("-e cpu-clock -F 10000 -a -m 1 --switch-output=100K --switch-max-files 2");
        await("READY=1");
        for (int i = 0; i < 4; i++)
                await("X_PERF_OUTPUT=/");
        stop();
        files = data_files();
        ck_assert_uint_eq(strv_length(files), 2);
}
END_TEST

START_TEST(test_switch_by_time) {
        start("-e cpu-clock -F 1 -C 0 --switch-output=1s");
        await("READY=1");
        await("X_PERF_OUTPUT=/");
        await("X_PERF_OUTPUT=/");
        stop();
}
END_TEST

START_TEST(test_killed) {
        static const struct timespec old[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };
        _cleanup_strv_free_ char **files = NULL, **left = NULL;
        _cleanup_closedir_ DIR *dir = NULL;
        const struct dirent *entry;

        start("-e cpu-clock -F 1000 -m 1 -a --switch-output=signal");
        await("READY=1");
        say("snapshot\n");
        await("X_PERF_OUTPUT=/");
        ck_assert_int_eq(kill(run.pid, SIGKILL), 0);
        (void) end();
        files = data_files();
        ck_assert_uint_eq(strv_length(files), 1);
        (void) count_samples(files[0]);

        /* The next recorder removes the killed one's leftovers. Its own, if its time for symbols is over, are the next
         * one's again. */
        dir = opendir(".");
        while ((entry = readdir(dir)))
                if (startswith(entry->d_name, ".#")) {
                        ck_assert_int_eq(utimensat(AT_FDCWD, entry->d_name, old, 0), 0);
                        ck_assert_int_eq(strv_extend(&left, entry->d_name), 0);
                }
        ck_assert_uint_gt(strv_length(left), 0);
        start("-e cpu-clock -F 1000 -m 1 -a --switch-output=signal");
        await("READY=1");
        stop();
        STRV_FOREACH(name, left)
                ck_assert_int_ne(access(*name, F_OK), 0);
}
END_TEST

/* A limit on the size of files replaces the full disk. */
START_TEST(test_full_disk) {
        const struct rlimit full = { 1, RLIM_INFINITY }, unlimited = { RLIM_INFINITY, RLIM_INFINITY };

        start("-e cpu-clock -F 1000 -m 1 -a");
        await("READY=1");
        await_samples(10);
        ck_assert_int_eq(prlimit(run.pid, RLIMIT_FSIZE, &full, NULL), 0);
        await("X_PERF_NO_SPACE=27"); /* EFBIG */
        say("ping\n");
        ck_assert_int_eq(prlimit(run.pid, RLIMIT_FSIZE, &unlimited, NULL), 0);
        await("X_PERF_NO_SPACE=0");
        ck_assert_uint_gt(run.counters->lost, 0);
        stop();
        ck_assert_uint_ge(count_samples("perf.data"), 10);
}
END_TEST

/* A process that maps files faster than the recorder reads takes the room in the ring, hardly any of it for samples. */
START_TEST(test_lost_records) {
        usec_t begin = now_usec(CLOCK_MONOTONIC);
        _cleanup_close_ int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
        _cleanup_free_ char *text = NULL;
        uint64_t samples_max;

        start("-e cpu-clock -F 99 -m 1 -a");
        await("READY=1");
        ck_assert_int_eq(kill(run.pid, SIGSTOP), 0);
        for (unsigned i = 0; i < 20000; i++) {
                void *p = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);

                ck_assert_ptr_ne(p, MAP_FAILED);
                ck_assert_int_eq(munmap(p, 4096), 0);
        }
        ck_assert_int_eq(kill(run.pid, SIGCONT), 0);
        stop();
        text = output();
        if (run.counters->lost_records == PR_COUNTERS_UNKNOWN) { /* before Linux 6.0 */
                ck_assert_ptr_nonnull(strstr(text, " records, samples or what processes did: "));
                return;
        }
        samples_max = (uint64_t) get_nprocs() * 100 * (2 + (now_usec(CLOCK_MONOTONIC) - begin) / USEC_PER_SEC);
        ck_assert_uint_gt(run.counters->lost_records, 10000);
        ck_assert_uint_le(run.counters->lost, samples_max);
        ck_assert_ptr_nonnull(strstr(text, " records of what processes did were lost: some samples may have no symbols; "));
}
END_TEST

START_TEST(test_command) {
        int status;

        start("-e cpu-clock -F 1000 sh -c 'exit 3'");
        status = end();
        ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 3);
        ck_assert_int_eq(access("perf.data", F_OK), 0);
}
END_TEST

START_TEST(test_failures) {
        static const struct {
                const char *line, *message, *error;
                int status;
        } cases[] = {
                { "-e cpu-clock /nonexistent/program", "Failed to collect 'cpu-clock' for the '/nonexistent/program' workload",
                  "X_PERF_ERROR=Failed to collect", 255 },
                { "--frob", " Error: unknown option `frob'", "X_PERF_ERROR=Error: unknown option", 129 },
                { "-e nonsense", "event syntax error: 'nonsense'\n                     \\___", "X_PERF_ERROR=event syntax error: 'nonsense': ", 129 },
                { "-e cpu-clock -o nowhere/perf.data", "failed to open nowhere/perf.data : No such file", "X_PERF_ERROR=failed", 255 },
                { "-e cpu-clock -p 999999999", "999999999", "X_PERF_ERROR=", 255 },
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_free_ char *text = NULL;
                int status;

                (void) unlink("output");
                start(cases[i].line);
                await(cases[i].error);
                status = end();
                text = output();
                ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == cases[i].status, "%s: %x", cases[i].line, status);
                ck_assert_msg(strstr(text, cases[i].message) != NULL, "%s", text);
                ck_assert_int_lt(access("perf.data", F_OK), 0);
        }
}
END_TEST

START_TEST(test_interrupted) {
        int status;

        start("-e cpu-clock -F 100 -a");
        await("READY=1");
        ck_assert_int_eq(kill(run.pid, SIGINT), 0);
        status = end();
        ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
        ck_assert_int_eq(access("perf.data", F_OK), 0);
}
END_TEST

START_TEST(test_hung_up) {
        int status;

        start("-e cpu-clock -F 100 -a");
        await("READY=1");
        ck_assert_int_eq(kill(run.pid, SIGHUP), 0);
        status = end();
        ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGHUP);
        (void) count_samples("perf.data"); /* it is whole */
}
END_TEST

/* Nothing is sampled until the word comes, also if a command was executed long before. */
START_TEST(test_delayed) {
        start("-e cpu-clock -F 999 -D -1 -- sh -c 'while :; do :; done'");
        await("X_PERF_STATE=paused");
        ck_assert_int_eq(usleep(50000), 0);
        ck_assert_uint_eq(run.counters->samples, 0);
        say("enable\n");
        await("X_PERF_STATE=recording");
        ck_assert_int_eq(usleep(50000), 0);
        stop();
        ck_assert_uint_gt(count_samples("perf.data"), 0);
}
END_TEST

/* Ranges end the recording; a command that still runs is ended with it. */
START_TEST(test_ranges) {
        usec_t begin = now_usec(CLOCK_MONOTONIC);
        _cleanup_free_ char *text = NULL;

        start("-e cpu-clock -F 999 -D 20-60,80-120 -a sleep 1000");
        await("READY=1");
        ck_assert_int_eq(end(), 0);
        ck_assert_uint_ge(now_usec(CLOCK_MONOTONIC) - begin, 120000);
        text = output();
        ck_assert_msg(strstr(text, "Events disabled\nEvents enabled\nEvents disabled\nEvents enabled\nEvents disabled\n") != NULL,
                      "%s", text);
        ck_assert_uint_gt(count_samples("perf.data"), 0);
}
END_TEST

/* The recording ends when the recorded process exits. */
START_TEST(test_target_ends) {
        char line[64];
        pid_t pid = fork();

        if (pid == 0) {
                (void) pause();
                _exit(0);
        }
        (void) snprintf(line, sizeof(line), "-e cpu-clock -p %d", pid);
        start(line);
        await("READY=1");
        ck_assert_int_eq(kill(pid, SIGKILL), 0);
        ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
        ck_assert_int_eq(end(), 0);
        ck_assert_int_eq(access("perf.data", F_OK), 0);
}
END_TEST

RECORDER_MAIN("recorder", test_session, test_enable_and_disable, test_dump_by_word, test_overwrite, test_overwrite_of_streams,
              test_switch_by_size, test_switch_by_time, test_killed, test_full_disk, test_lost_records, test_command, test_failures,
              test_interrupted, test_hung_up, test_delayed, test_ranges, test_target_ends);
