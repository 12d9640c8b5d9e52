/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

#include "daemon-fixture.h"
#include "directory-tree.h"
#include "fd-file.h"
#include "scratch.h"
#include "utf8.h"

static void take(const char *name, const char *text) {
        _cleanup_free_ char *copy = strdup(text);

        session_take_message(session(name), &(NotifyMessage) { .text = copy });
}

static void kill_recorder(const char *name, int sig) {
        ck_assert_int_eq(session_kill(session(name), sig), 0);
}

START_TEST(test_stop) {
        start_session("a", "", "");
        ck_assert_int_eq(run_verb(manager_stop, "a"), 0);
        ck_assert_int_eq(session_view(session("a")).state, SESSION_INACTIVE);
        ck_assert_int_eq(session_view(session("a")).main_pid, 0);
        ck_assert_str_eq(session_view(session("a")).error, "");
        ck_assert_int_eq(run_verb(manager_stop, "a"), 0); /* stopping an inactive session succeeds */
}
END_TEST

static void assert_reason(const char *name, const char *word) {
        _cleanup_free_ char *path = path_join(session_view(session(name)).directory, "reason"), *text = NULL;

        ck_assert_int_eq(read_file(path, 4096, &text, NULL), 0);
        ck_assert_str_eq(text, word);
}

/* The recorder gets the reason for its last dump. */
START_TEST(test_reason_of_a_stop) {
        const Caller caller = { .uid = 7, .text = "uid 7 (perfctl[3])" };

        start_session("a", "", "");
        fixture.manager->host.caller = &caller;
        begin_verb(manager_stop, "a");
        fixture.manager->host.caller = NULL;
        ck_assert_int_eq(finish_verb(), 0);
        assert_reason("a", "reason stopped by uid 7 (perfctl[3])");
        ck_assert_int_eq(run_verb(manager_start, "a"), 0);
        session("a")->restart.stop_reason = "restarted for changed settings";
        session_stop(session("a"), NULL);
        session("a")->restart.stop_reason = NULL;
        await_state("a", SESSION_INACTIVE);
        assert_reason("a", "reason restarted for changed settings");
        ck_assert_int_eq(run_verb(manager_start, "a"), 0);
        fixture.manager->host.exiting = true;
        ck_assert_int_eq(run_verb(manager_stop, "a"), 0);
        assert_reason("a", "reason perf-recorderd was stopped");
}
END_TEST

START_TEST(test_a_stopped_process_is_stopped) {
        start_session("a", "", "");
        kill_recorder("a", SIGSTOP);
        ck_assert_int_eq(run_verb(manager_stop, "a"), 0);
        ck_assert_int_eq(session_view(session("a")).result, SESSION_RESULT_SUCCESS);
}
END_TEST

START_TEST(test_stop_all) {
        write_session("hung", "--fake-late=60000", "");
        start_a_and_b("", "");
        ck_assert_int_eq(run_verb(manager_stop, NULL), 0);
        ck_assert_uint_eq(manager_n_running(fixture.manager), 0);
}
END_TEST

START_TEST(test_stop_while_it_starts) {
        write_session("late", "--fake-late=60000", "Enabled=no");
        daemon_start();
        begin_verb(manager_start, "late");
        session_stop(session("late"), NULL); /* at its gate */
        ck_assert_int_eq(finish_verb(), FAILURE_RECORDER);
        ck_assert_str_eq(fixture.sentence, "it was stopped in the meantime");
        ck_assert_int_eq(session_view(session("late")).state, SESSION_INACTIVE);
}
END_TEST

START_TEST(test_start_while_it_stops) {
        pid_t before;

        start_session("a", "", "");
        before = session_view(session("a")).main_pid;
        session_stop(session("a"), NULL);
        ck_assert_int_eq(session_view(session("a")).state, SESSION_STOPPING);
        ck_assert_int_eq(run_verb(manager_start, "a"), 0);
        ck_assert_int_ne(session_view(session("a")).main_pid, before);
}
END_TEST

START_TEST(test_restart_by_hand) {
        pid_t before;

        start_session("a", "", "");
        before = session_view(session("a")).main_pid;
        for (unsigned i = 0; i < 7; i++) /* more often than the start limit allows */
                ck_assert_int_eq(run_verb(manager_restart, "a"), 0);
        ck_assert_int_ne(session_view(session("a")).main_pid, before);
        ck_assert_uint_eq(session_view(session("a")).n_restarts, 0);
        ck_assert_int_eq(run_verb(manager_stop, "a"), 0);
        ck_assert_int_eq(run_verb(manager_restart, "a"), 0); /* a stopped one is started */
        ck_assert_int_eq(session_view(session("a")).state, SESSION_RECORDING);
}
END_TEST

START_TEST(test_killed_and_restarted) {
        pid_t before;

        start_session("a", "", "RestartSec=50ms");
        before = session_view(session("a")).main_pid;
        kill_recorder("a", SIGKILL);
        await_restart("a", 1);
        ck_assert_int_ne(session_view(session("a")).main_pid, before);
        ck_assert_str_eq(session_view(session("a")).error, "");
        kill_recorder("a", SIGSEGV);
        await_restart("a", 2);
}
END_TEST

START_TEST(test_restart_policy_no) {
        start_session("a", "", "Restart=no");
        kill_recorder("a", SIGKILL);
        await_state("a", SESSION_FAILED);
        ck_assert_int_eq(session_view(session("a")).result, SESSION_RESULT_SIGNAL);
        ck_assert_str_eq(session_view(session("a")).error, "it was killed by SIGKILL");
}
END_TEST

START_TEST(test_a_clean_end_is_no_failure) {
        start_session("a", "", "");
        kill_recorder("a", SIGTERM);
        await_state("a", SESSION_INACTIVE);
        ck_assert_int_eq(session_view(session("a")).result, SESSION_RESULT_SUCCESS);
}
END_TEST

START_TEST(test_restart_policy_always) {
        start_session("a", "", "Restart=always\nRestartSec=50ms");
        kill_recorder("a", SIGTERM);
        await_restart("a", 1);
}
END_TEST

START_TEST(test_exit_status) {
        write_session("a", "--fake-exit=3", "Restart=no");
        daemon_start();
        await_state("a", SESSION_FAILED);
        ck_assert_int_eq(session_view(session("a")).result, SESSION_RESULT_EXIT_CODE);
        ck_assert_str_eq(session_view(session("a")).error, "it exited with status 3");
}
END_TEST

/* The recorder exits with its command's status, after lines of its own about the file. */
START_TEST(test_exit_status_of_command) {
        write_session("a", "--fake-exit=3 '--fake-line=no such host' '--fake-line=[ perf record: Captured and wrote 1 MB ]'",
                      "Restart=no");
        daemon_start();
        await_state("a", SESSION_FAILED);
        ck_assert_str_eq(session_view(session("a")).error, "it exited with status 3: no such host");
}
END_TEST

static void expect_logged(const char *line, bool logged) {
        _cleanup_free_ char *path = path_join(fixture.dir, "base/output"), *text = NULL;

        ck_assert_int_eq(read_file(path, 65536, &text, NULL), 0);
        ck_assert_msg(!strstr(text, line) == !logged, "'%s' in\n%s", line, text);
}

START_TEST(test_start_limit) {
        write_session("a", "--fake-exit=1", "RestartSec=10ms\nStartLimitBurst=3\nStartLimitIntervalSec=1min");
        daemon_start();
        await_state("a", SESSION_FAILED);
        ck_assert_int_eq(session_view(session("a")).result, SESSION_RESULT_START_LIMIT_HIT);
        ck_assert_uint_eq(session_view(session("a")).n_restarts, 3);
        expect_logged("a: Starting it again, restart 2\n", true);
        expect_logged("a: Starting it again, restart 3\n", false); /* which the limit refused */
        ck_assert_ptr_nonnull(strstr(session_view(session("a")).error, "too often"));
        ck_assert_ptr_nonnull(strstr(session_view(session("a")).error, "exited with status 1"));
}
END_TEST

/* A failure that only a changed file can fix is not tried again. */
START_TEST(test_a_final_reason) {
        write_session("a", "--fake-fail=no-such-event --fake-errno=22", "Enabled=no");
        daemon_start();
        ck_assert_int_eq(run_verb(manager_start, "a"), FAILURE_RECORDER);
        ck_assert_int_eq(session_view(session("a")).state, SESSION_FAILED);
        ck_assert_int_eq(session_view(session("a")).result, SESSION_RESULT_EXIT_CODE);
        ck_assert_str_eq(session_view(session("a")).error, fixture.sentence);
        run_loop(300 * USEC_PER_MSEC);
        ck_assert_uint_eq(session_view(session("a")).n_restarts, 0);
}
END_TEST

/* A temporary failure is tried again, more often than the start limit allows. */
START_TEST(test_a_reason_that_passes) {
        write_session("a", "--fake-fail=full --fake-errno=28 --fake-until=room",
                      "Enabled=no\nRestartSec=1ms\nStartLimitBurst=2\nStartLimitIntervalSec=1h");
        daemon_start();
        ck_assert_int_eq(run_verb(manager_start, "a"), FAILURE_NO_SPACE);
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "full"));
        ck_assert_int_eq(session_view(session("a")).state, SESSION_WAITING);
        while (session_view(session("a")).n_restarts < 5)
                run_loop(10 * USEC_PER_MSEC);
        ck_assert_ptr_nonnull(strstr(session_view(session("a")).error, "full"));
        scratch_write_text(fixture.dir, "base/session-a/room", "");
        await_state("a", SESSION_RECORDING);
        ck_assert_uint_eq(session("a")->restart.n_tries, 0);
}
END_TEST

START_TEST(test_a_reason_that_passes_without_restart) {
        write_session("a", "--fake-fail=full --fake-errno=28", "Enabled=no\nRestart=no");
        daemon_start();
        ck_assert_int_eq(run_verb(manager_start, "a"), FAILURE_NO_SPACE);
        ck_assert_int_eq(session_view(session("a")).state, SESSION_FAILED);
}
END_TEST

START_TEST(test_no_start_limit) {
        write_session("a", "--fake-exit=1", "RestartSec=10ms\nStartLimitBurst=0");
        daemon_start();
        while (session_view(session("a")).n_restarts < 8)
                run_loop(10 * USEC_PER_MSEC);
        ck_assert_int_eq(run_verb(manager_stop, "a"), 0);
        ck_assert_int_ne(session_view(session("a")).state, SESSION_STARTING);
}
END_TEST

START_TEST(test_stop_ends_the_wait_for_a_restart) {
        start_session("a", "", "RestartSec=1h");
        kill_recorder("a", SIGKILL);
        await_state("a", SESSION_WAITING);
        ck_assert_ptr_nonnull(strstr(session_view(session("a")).error, "SIGKILL"));
        ck_assert_int_eq(run_verb(manager_stop, "a"), 0);
        ck_assert_int_eq(session_view(session("a")).state, SESSION_FAILED);
        ck_assert_int_eq(session_view(session("a")).result, SESSION_RESULT_SIGNAL);
}
END_TEST

START_TEST(test_start_ends_the_wait_for_a_restart) {
        start_session("a", "", "RestartSec=1h");
        kill_recorder("a", SIGKILL);
        await_state("a", SESSION_WAITING);
        ck_assert_int_eq(run_verb(manager_start, "a"), 0);
        ck_assert_int_eq(session_view(session("a")).state, SESSION_RECORDING);
}
END_TEST

START_TEST(test_a_deaf_recorder_holds_up_nobody) {
        write_session("deaf", "--fake-deaf", "");
        write_session("b", "", "");
        daemon_start();
        await_state("deaf", SESSION_RECORDING);
        await_state("b", SESSION_RECORDING);
        session_stop(session("deaf"), NULL);
        ck_assert_int_eq(run_verb(manager_restart, "b"), 0);
        ck_assert_int_eq(session_view(session("deaf")).state, SESSION_STOPPING);
        kill_recorder("deaf", SIGKILL);
        await_state("deaf", SESSION_FAILED);
}
END_TEST

START_TEST(test_restart_without_its_directory) {
        _cleanup_free_ char *base = path_join(fixture.dir, "base"), *directory = path_join(base, "session-a");

        start_session("a", "", "");
        ck_assert_int_eq(directory_tree_remove(AT_FDCWD, directory), 0);
        ck_assert_int_eq(run_verb(manager_restart, "a"), 0);
        ck_assert_int_eq(access(directory, F_OK), 0);
        ck_assert_int_eq(directory_tree_remove(AT_FDCWD, directory), 0);
        scratch_write_text(fixture.dir, "base/session-a", "a file");
        ck_assert_int_eq(run_verb(manager_restart, "a"), FAILURE_RECORDER);
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "goes on recording"));
        ck_assert_int_eq(directory_tree_remove(AT_FDCWD, base), 0);
        ck_assert_int_eq(run_verb(manager_restart, "a"), FAILURE_RECORDER);
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "goes on recording"));
        ck_assert_int_eq(session_view(session("a")).state, SESSION_RECORDING);
}
END_TEST

START_TEST(test_a_slow_end_is_waited_for) {
        start_session("a", "--fake-slow=1500", "");
        fixture.manager->host.stop_silence = 300 * USEC_PER_MSEC;
        ck_assert_int_eq(run_verb(manager_stop, "a"), 0);
        ck_assert_int_eq(session_view(session("a")).state, SESSION_INACTIVE);
        ck_assert_int_eq(session_view(session("a")).result, SESSION_RESULT_SUCCESS);
}
END_TEST

START_TEST(test_an_end_without_progress_is_not) {
        usec_t begin;

        start_session("a", "--fake-deaf", "");
        fixture.manager->host.stop_silence = 2 * USEC_PER_SEC;
        begin = now_usec(CLOCK_MONOTONIC);
        ck_assert_int_eq(run_verb(manager_stop, "a"), FAILURE_TIMEOUT);
        ck_assert_uint_lt(now_usec(CLOCK_MONOTONIC) - begin, 3500 * USEC_PER_MSEC); /* since its last progress */
        ck_assert_int_eq(session_view(session("a")).result, SESSION_RESULT_TIMEOUT);
        ck_assert_ptr_nonnull(strstr(session_view(session("a")).error, "no progress for 2s, and was killed"));
        ck_assert_str_eq(fixture.sentence, session_view(session("a")).error);
}
END_TEST

START_TEST(test_messages) {
        start_session("a", "--fake-line=hello", "");
        kill_recorder("a", SIGUSR2);
        run_loop(200 * USEC_PER_MSEC);
        ck_assert_str_eq(session("a")->recorder.output.last_line, "[ fake: dump ]");
        take("a", "X_PERF_STATE=paused\nREADY=1\nX_PERF_BOGUS=1\nbogus");
        ck_assert_int_eq(session_view(session("a")).state, SESSION_PAUSED);
        take("a", "X_PERF_STATE=flying");
        ck_assert_int_eq(session_view(session("a")).state, SESSION_PAUSED);
        take("a", "X_PERF_NO_SPACE=28\nX_PERF_MESSAGE=full\nX_PERF_STATE=recording");
        ck_assert_int_eq(session_view(session("a")).state, SESSION_RECORDING);
}
END_TEST

static void expect_error(const char *part, const char *status) {
        _cleanup_free_ char *error = NULL, *text = NULL;

        ck_assert_int_eq(session_describe_error(session("a"), &error), 0);
        ck_assert_msg(*part ? startswith(error, part) != NULL : !*error, "%s", error);
        ck_assert_int_eq(manager_describe_status(fixture.manager, &text), 0);
        ck_assert_str_eq(text, status);
}

/* The first refusal of each unit by a rate limit is reported at once, others of a short time only by their number. */
START_TEST(test_refusals_of_units) {
        start_session("a", "", "");
        take("a", "X_PERF_DUMP_ERROR=16 five\nX_PERF_DUMP_TRIGGER=unit-failure: flap.service");
        expect_logged("a: No dump for unit-failure: flap.service: five\n", true);
        take("a", "X_PERF_DUMP_ERROR=16 five of flap.service");
        take("a", "X_PERF_DUMP_ERROR=16 five\nX_PERF_DUMP_TRIGGER=unit-failure: other.service");
        expect_logged("a: No dump for unit-failure: other.service: five (1 earlier refusal was not logged)\n", true);
        take("a", "X_PERF_DUMP_ERROR=16 five of flap.service");
        take("a", "X_PERF_DUMP_ERROR=5 broken\nX_PERF_DUMP_TRIGGER=unit-failure: third.service");
        expect_logged("of flap.service", false);
        expect_logged("third.service", false);
        take("a", "X_PERF_DUMP_ERROR=16 five\nX_PERF_DUMP_TRIGGER=unit-failure: third.service");
        expect_logged("a: No dump for unit-failure: third.service: five (2 earlier refusals were not logged)\n", true);
}
END_TEST

/* A recorder that goes on, with less. */
START_TEST(test_trouble) {
        start_session("a", "", "Restart=no");
        take("a", "X_PERF_TROUBLE=/srv/web was replaced");
        expect_error("/srv/web was replaced", "Recording 1 of 1 sessions");
        ck_assert_int_eq(session_view(session("a")).state, SESSION_RECORDING);
        take("a", "X_PERF_TROUBLE=");
        expect_error("", "Recording 1 of 1 sessions");
        take("a", "X_PERF_TROUBLE=/srv/web was replaced");
        ck_assert_int_eq(run_verb(manager_stop, "a"), 0);
        expect_error("", "Recording 0 of 1 sessions");
}
END_TEST

START_TEST(test_what_cannot_write) {
        start_session("a", "--fake-lost=5", "Restart=no");
        expect_error("", "Recording 1 of 1 sessions");
        take("a", "X_PERF_NO_SPACE=28");
        expect_error("the disk is full: 0 samples dropped since ", "Recording 1 of 1 sessions, 1 cannot write: a");
        session("a")->recorder.blocked.lost = 2; /* three more by now */
        take("a", "X_PERF_NO_SPACE=5");
        expect_error("Input/output error: 3 samples dropped since ", "Recording 1 of 1 sessions, 1 cannot write: a");
        take("a", "X_PERF_NO_SPACE=nonsense");
        expect_error("Input/output error: 3 ", "Recording 1 of 1 sessions, 1 cannot write: a");
        take("a", "X_PERF_NO_SPACE=0");
        expect_error("", "Recording 1 of 1 sessions");
        take("a", "X_PERF_DUMP_ERROR=28 no room\nX_PERF_DUMP_TRIGGER=unit-failure: web.service");
        expect_error("the disk is full: no dump was written since ", "Recording 1 of 1 sessions, 1 cannot write: a");
        expect_logged("a: No dump for unit-failure: web.service: no room\n", true);
        take("a", "X_PERF_DUMP_ERROR=61 nothing new");
        expect_error("the disk is full: no dump ", "Recording 1 of 1 sessions, 1 cannot write: a");
        take("a", "X_PERF_NO_SPACE=28");
        expect_error("the disk is full: 0 samples dropped ", "Recording 1 of 1 sessions, 1 cannot write: a");
        take("a", "X_PERF_DUMP=perf.data.2001010100000001");
        expect_error("the disk is full: 0 samples dropped ", "Recording 1 of 1 sessions, 1 cannot write: a");
        take("a", "X_PERF_NO_SPACE=0\nX_PERF_DUMP_ERROR=122 quota");
        expect_error("the disk is full: no dump ", "Recording 1 of 1 sessions, 1 cannot write: a");
        take("a", "X_PERF_DUMP=perf.data.2001010100000001");
        expect_error("", "Recording 1 of 1 sessions");
        take("a", "X_PERF_NO_SPACE=28");
        kill_recorder("a", SIGKILL);
        await_state("a", SESSION_FAILED);
        expect_error("it was killed by SIGKILL", "Recording 0 of 1 sessions, failed: a");
}
END_TEST

START_TEST(test_the_base_keeps_what_was_said) {
        _cleanup_free_ char *path = path_join(fixture.dir, "base/output"), *text = NULL;

        start_session("a", "--fake-lost=5", "Restart=no");
        kill_recorder("a", SIGKILL);
        await_state("a", SESSION_FAILED);
        ck_assert_int_eq(read_file(path, 65536, &text, NULL), 0);
        ck_assert_ptr_nonnull(strstr(text, "a: Started recording"));
        ck_assert_ptr_nonnull(strstr(text, "a: 5 samples lost"));
        ck_assert_ptr_nonnull(strstr(text, "a: Failed (signal): it was killed by SIGKILL"));
}
END_TEST

static bool has_read_all(const Session *s) {
        struct stat st;

        return stat(session_view(s).output_path, &st) >= 0 && s->recorder.output.position == (uint64_t) st.st_size;
}

/* A session's output leaves space in the journal for the others. */
START_TEST(test_output_is_limited) {
        _cleanup_free_ char *path = NULL, *text = NULL;
        _cleanup_close_ int fd = -EBADF;

        start_session("a", "", "");
        fd = open(session_view(session("a")).output_path, O_WRONLY | O_APPEND | O_CLOEXEC);
        for (unsigned i = 0; i < 3000; i++)
                ck_assert_int_eq(write_all(fd, "noise\n", 6), 0);
        await(has_read_all, "a");
        ck_assert_uint_eq(session("a")->recorder.output.n_suppressed, 2000);
        ck_assert_str_eq(session("a")->recorder.output.last_line, "noise");
        ck_assert_int_eq(run_verb(manager_stop, "a"), 0);
        path = path_join(manager_base_directory(fixture.manager), "output");
        ck_assert_int_eq(read_file(path, 65536, &text, NULL), 0);
        ck_assert_ptr_nonnull(strstr(text, "a: 2000 lines of its output suppressed"));
}
END_TEST

static void expect_text(const char *s) {
        _cleanup_free_ char *valid = utf8_text(s, SIZE_MAX, SIZE_MAX);

        ck_assert_str_eq(s, valid);
}

/* A long reason is truncated at the end of a character. */
START_TEST(test_reason_is_cut_at_a_character) {
        char words[4096] = "--fake-fail=a";

        for (unsigned i = 0; i < 1500; i++)
                strcat(words, "é");
        write_session("bad", words, "Enabled=no\nRestart=no");
        daemon_start();
        ck_assert_int_eq(run_verb(manager_start, "bad"), FAILURE_RECORDER);
        expect_text(session_view(session("bad")).error);
        ck_assert_ptr_null(strstr(session_view(session("bad")).error, "\xef\xbf\xbd"));
        ck_assert_ptr_nonnull(strstr(session_view(session("bad")).error, "aéé"));
}
END_TEST

START_TEST(test_reason_is_cut_at_a_word) {
        char words[4096] = "\"--fake-fail=no field x; it has";
        const char *error;

        for (unsigned i = 0; i < 300; i++)
                snprintf(words + strlen(words), sizeof(words) - strlen(words), " field%u,", i);
        strcat(words, "\"");
        write_session("long", words, "Enabled=no\nRestart=no");
        words[1000] = '\0';
        strcat(words, " last\"");
        write_session("short", words, "Enabled=no\nRestart=no");
        daemon_start();

        ck_assert_int_eq(run_verb(manager_start, "long"), FAILURE_RECORDER);
        error = session_view(session("long")).error;
        ck_assert_ptr_nonnull(strstr(error, " it has field0, field1,"));
        ck_assert_ptr_nonnull(strstr(error, ",…; 'perfctl log long' has all of it"));
        ck_assert_int_eq(run_verb(manager_start, "short"), FAILURE_RECORDER);
        error = session_view(session("short")).error;
        ck_assert_str_eq(error + strlen(error) - strlen(" last"), " last");
}
END_TEST

START_TEST(test_reason_that_is_no_text) {
        start_session("a", "", "Restart=no");
        take("a", "X_PERF_ERROR=no such file: \xff\033[m");
        kill_recorder("a", SIGKILL);
        await_state("a", SESSION_FAILED);
        ck_assert_str_eq(session_view(session("a")).error, "it was killed by SIGKILL: no such file: \xef\xbf\xbd?[m");
}
END_TEST

CHECK_MAIN_WITH("session-exit", daemon_fixture_setup, daemon_fixture_teardown, test_stop, test_reason_of_a_stop,
                test_a_stopped_process_is_stopped, test_stop_all, test_stop_while_it_starts, test_start_while_it_stops, test_restart_by_hand,
                test_killed_and_restarted, test_restart_policy_no, test_a_clean_end_is_no_failure, test_restart_policy_always,
                test_exit_status, test_exit_status_of_command, test_start_limit, test_a_final_reason, test_a_reason_that_passes,
                test_a_reason_that_passes_without_restart, test_no_start_limit, test_stop_ends_the_wait_for_a_restart,
                test_start_ends_the_wait_for_a_restart, test_a_deaf_recorder_holds_up_nobody,
                test_restart_without_its_directory, test_a_slow_end_is_waited_for, test_an_end_without_progress_is_not, test_messages,
                test_refusals_of_units, test_trouble, test_what_cannot_write,
                test_the_base_keeps_what_was_said, test_reason_is_cut_at_a_character, test_reason_is_cut_at_a_word,
                test_reason_that_is_no_text, test_output_is_limited);
