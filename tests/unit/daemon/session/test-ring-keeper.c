/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Recorders that die and leave rings to their successors, with a daemon that continues or dies too. */

#include <perf-recorder/notify-fields.h>
#include <signal.h>

#include "daemon-fixture.h"
#include "scratch.h"

static void kill_it(const char *name, unsigned restart) {
        ck_assert_int_eq(session_kill(session(name), SIGKILL), 0);
        await_restart(name, restart);
}

static char *output_of(const char *name) {
        char *text = NULL;

        ck_assert_int_eq(read_file(session_view(session(name)).output_path, 65536, &text, NULL), 0);
        return text;
}

static void assert_output(const char *name, const char *part) {
        _cleanup_free_ char *text = output_of(name);

        ck_assert_msg(strstr(text, part) != NULL, "no \"%s\" in: %s", part, text);
}

static void assert_no_takeover(const char *name) {
        _cleanup_free_ char *text = output_of(name);

        ck_assert_msg(!strstr(text, "took over"), "%s", text);
}

static bool keeps(const Session *s) {
        return kept_rings_are_whole(s->rings.kept);
}

START_TEST(test_a_successor_gets_them) {
        PrCounters c;

        start_session("a", "--fake-keep=700", "RestartSec=10ms");
        ck_assert(keeps(session("a"))); /* before it was ready */
        kill_it("a", 1);
        assert_output("a", "took over 700, hands 1, ");
        assert_output("a", "X_PERF_KEEP_END=PID ");
        assert_output("a", "was killed by SIGKILL");
        kill_it("a", 2);
        assert_output("a", "took over 700, hands 2, ");
        ck_assert(keeps(session("a")));
        session_counters(session("a"), &c);
        ck_assert_uint_eq(c.ring_bytes, 4096); /* the fake recorder's own number, counted once */
        ck_assert_uint_eq(c.samples, 3 * 42);   /* each successor goes on from what the page has */
}
END_TEST

static void on_reloaded(Failure failure, const char *sentence, const ReloadRow *rows, size_t n_rows, void *userdata) {
        fixture_done(failure, sentence, NULL);
}

static bool waits(const Session *s) {
        return s->recorder.phase == PHASE_DELAY;
}

START_TEST(test_they_are_locked_memory_while_nobody_runs) {
        start_session("a", "--fake-keep=3", "RestartSec=1h");
        ck_assert_int_eq(session_kill(session("a"), SIGKILL), 0);
        await(waits, "a");
        ck_assert_uint_eq(manager_locked_memory(fixture.manager), 2 * 4096);
        ck_assert_int_eq(run_verb(manager_stop, "a"), FAILURE_RECORDER);
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "what it had in memory is lost: PID "));
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "was killed by SIGKILL"));
        ck_assert_uint_eq(manager_locked_memory(fixture.manager), 0);
        ck_assert_ptr_null(session("a")->rings.kept);
}
END_TEST

static unsigned awaited_tries;

static bool has_tried(const Session *s) {
        return waits(s) && s->restart.n_tries >= awaited_tries;
}

static void await_tries(const char *name, unsigned n) {
        awaited_tries = n;
        await(has_tried, name);
        ck_assert(keeps(session(name)));
        ck_assert_int_eq(session_view(session(name)).state, SESSION_WAITING);
}

/* Neither a bus that is away nor systemd that is not on it yet is a reason to give them up. */
START_TEST(test_without_a_bus) {
        start_session("a", "--fake-keep=3", "RestartSec=1ms");
        private_bus_kill(&fixture.bus);
        fake_systemd1_end();
        ck_assert_int_eq(session_kill(session("a"), SIGKILL), 0);
        await_tries("a", 5);
        ck_assert_ptr_nonnull(strstr(session_view(session("a")).error, "cannot ask systemd"));
        private_bus_restart(&fixture.bus);
        await_tries("a", 10);
        ck_assert_ptr_nonnull(strstr(session_view(session("a")).error, "systemd made no scope"));
        fake_systemd1_start();
        manager_retry(fixture.manager);
        ck_assert_int_eq(session_view(session("a")).state, SESSION_STARTING);
        await_state("a", SESSION_RECORDING);
        assert_output("a", "took over 3, hands 1, ");
        assert_output("a", "was killed by SIGKILL");
}
END_TEST

/* The last dump does not fit: a successor gets the samples in memory, and a stop reports that they are lost. */
START_TEST(test_a_full_disk_at_the_end) {
        start_session("a", "--fake-keep=3 --fake-full", "RestartSec=1h");
        ck_assert_int_eq(run_verb(manager_restart, "a"), 0);
        await_state("a", SESSION_RECORDING);
        assert_output("a", "took over 3, hands 1, ");
        assert_output("a", "No space left on device");
        await(keeps, "a");
        ck_assert_int_eq(run_verb(manager_stop, "a"), FAILURE_NO_SPACE);
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "what it had in memory is lost"));
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "No space left on device"));
        ck_assert_int_eq(session_view(session("a")).state, SESSION_FAILED);
        ck_assert_ptr_null(session("a")->rings.kept);
}
END_TEST

/* The recorder writes nothing when it is to end, and is killed: the one that is started for it has its samples. */
START_TEST(test_killed_while_it_is_started_again) {
        start_session("a", "--fake-keep=3 --fake-deaf", "RestartSec=1h");
        fixture.manager->host.stop_silence = 300 * USEC_PER_MSEC;
        ck_assert_int_eq(run_verb(manager_restart, "a"), 0);
        await_state("a", SESSION_RECORDING);
        assert_output("a", "took over 3, hands 1, ");
        assert_output("a", "no progress for 300ms");
}
END_TEST

/* It is not handed over: the caller gets an error. */
START_TEST(test_a_full_disk_and_nothing_kept) {
        start_session("a", "--fake-full", "RestartSec=1h");
        ck_assert_int_eq(run_verb(manager_restart, "a"), FAILURE_NO_SPACE);
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "what it had in memory is lost, and it is started again"));
        await_state("a", SESSION_RECORDING);
}
END_TEST

START_TEST(test_gone_when_it_is_stopped) {
        start_session("a", "--fake-keep=3", "");
        ck_assert_int_eq(run_verb(manager_stop, "a"), 0);
        ck_assert_ptr_null(session("a")->rings.kept);
        ck_assert_int_eq(run_verb(manager_start, "a"), 0);
        assert_no_takeover("a");
        ck_assert_int_eq(run_verb(manager_restart, "a"), 0);
        assert_no_takeover("a");
}
END_TEST

START_TEST(test_gone_with_a_policy_of_no_restart) {
        start_session("a", "--fake-keep=3", "Restart=no");
        ck_assert_int_eq(session_kill(session("a"), SIGKILL), 0);
        await_state("a", SESSION_FAILED);
        ck_assert_ptr_null(session("a")->rings.kept);
}
END_TEST

START_TEST(test_gone_with_other_settings) {
        start_session("a", "--fake-keep=3", "RestartSec=1h");
        ck_assert_int_eq(session_kill(session("a"), SIGKILL), 0);
        await(waits, "a");
        write_session("a", "--fake-keep=4", "RestartSec=1h");
        run_loop(500 * USEC_PER_MSEC); /* the change is noticed by the watch, or now */
        if (session_view(session("a")).state != SESSION_RECORDING)
                ck_assert_int_eq(run_verb(manager_restart, "a"), 0);
        assert_no_takeover("a");
}
END_TEST

/* The caller hears of it as of a full disk. */
START_TEST(test_restarted_with_other_settings) {
        start_session("a", "--fake-keep=3", "RestartSec=1h");
        fixture.manager->watch = session_watch_free(fixture.manager->watch);
        ck_assert_int_eq(session_kill(session("a"), SIGKILL), 0);
        await(waits, "a");
        fixture.done = false;
        write_session("a", "--fake-keep=4", "RestartSec=1h");
        manager_reload(fixture.manager, on_reloaded, NULL);
        ck_assert_int_eq(finish_verb(), FAILURE_RECORDER);
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "a: what it had in memory is lost, and it is started again: PID "));
        await_state("a", SESSION_RECORDING);
        assert_no_takeover("a");
}
END_TEST

/* Starts one for a unit that runs. */
static void start_for_unit(const char *name, const char *more) {
        _cleanup_free_ char *file = NULL, *text = NULL;

        ck_assert_int_gt(asprintf(&file, "%s.session", name), 0);
        ck_assert_int_gt(asprintf(&text, "[Session]\nStartLimitIntervalSec=0\n%s\n[Record]\nEvent=--fake-keep=3\nMode=overwrite\n"
                                         "Unit=nginx.service\n", more), 0);
        write_session_file(file, text);
        daemon_start();
        await_state(name, SESSION_RECORDING);
}

/* The unit does not run any more when the recorder dies: the next one makes its dump, and waits for the unit itself. */
START_TEST(test_of_a_unit_that_was_stopped) {
        start_for_unit("a", "RestartSec=10ms");
        ck_assert(keeps(session("a")));
        fake_systemd1_stop("nginx.service");
        kill_it("a", 1);
        assert_output("a", "took over 3, hands 1, ");
        fake_systemd1_run("nginx.service");
        run_loop(50 * USEC_PER_MSEC);
        ck_assert_int_eq(session_view(session("a")).state, SESSION_RECORDING);
        ck_assert_int_eq(run_verb(manager_stop, "a"), 0);
        fake_systemd1_stop("nginx.service");
        ck_assert_int_eq(run_verb(manager_start, "a"), 0);
        ck_assert_int_eq(session_view(session("a")).state, SESSION_WAITING);
        ck_assert_int_eq(run_verb(manager_stop, "a"), 0);
}
END_TEST

START_TEST(test_of_a_unit_that_was_stopped_and_a_restart) {
        start_for_unit("a", "RestartSec=1h");
        fake_systemd1_stop("nginx.service");
        ck_assert_int_eq(session_kill(session("a"), SIGKILL), 0);
        await(waits, "a");
        ck_assert_int_eq(run_verb(manager_restart, "a"), 0);
        await_state("a", SESSION_RECORDING);
        assert_output("a", "took over 3, hands 1, ");
}
END_TEST

static bool waits_for_unit(const Session *s) {
        return s->recorder.phase == PHASE_WAIT;
}

/* One that was found by its scope, without what the previous daemon knew, has its rings kept until the unit runs. */
START_TEST(test_of_a_unit_that_was_stopped_whose_group_is_not_known) {
        if (geteuid() != 0) /* a user with a limit on locked memory keeps nothing */
                return;
        start_for_unit("a", "RestartSec=10ms");
        daemon_leave();
        daemon_start();
        await(keeps, "a");
        fake_systemd1_stop("nginx.service");
        ck_assert_int_eq(session_kill(session("a"), SIGKILL), 0);
        await(waits_for_unit, "a");
        ck_assert(keeps(session("a")));
        fake_systemd1_run("nginx.service");
        await_state("a", SESSION_RECORDING);
        assert_output("a", "took over 3, hands 1, ");
}
END_TEST

/* No recorder gets to its dump: the session waits for the unit without the rings. */
START_TEST(test_of_a_unit_that_was_stopped_given_up) {
        start_for_unit("a", "RestartSec=10ms");
        fake_systemd1_stop("nginx.service");
        session("a")->rings.n_given = 3;
        ck_assert_int_eq(session_kill(session("a"), SIGKILL), 0);
        await(waits_for_unit, "a");
        ck_assert_ptr_null(session("a")->rings.kept);
}
END_TEST

START_TEST(test_asked_for_again_after_a_restart_of_the_daemon) {
        if (geteuid() != 0) /* a user with a limit on locked memory keeps nothing */
                return;
        start_session("a", "--fake-keep=3", "RestartSec=10ms");
        daemon_leave();
        daemon_start();
        await(keeps, "a");
        assert_output("a", "asked to hand over");
        kill_it("a", 1);
        assert_output("a", "took over 3, hands 1, ");
}
END_TEST

/* Rings that were taken over are as old as their first recorder. */
START_TEST(test_their_age) {
        usec_t begin;

        start_session("a", "--fake-keep=3", "RestartSec=10ms");
        begin = session("a")->rings.begin;
        ck_assert_uint_gt(begin, 0);
        run_loop(50 * USEC_PER_MSEC);
        kill_it("a", 1);
        await(keeps, "a");
        ck_assert_uint_eq(session_begin_of_recording(session("a")), begin);
        ck_assert_int_eq(run_verb(manager_stop, "a"), 0);
        ck_assert_int_eq(run_verb(manager_start, "a"), 0);
        ck_assert_uint_gt(session_begin_of_recording(session("a")), begin);
}
END_TEST

START_TEST(test_a_foreign_one_is_not_asked) {
        char more[512];

        snprintf(more, sizeof(more), "Recorder=%s", PR_FAKE_RECORDER);
        start_session("a", "--fake-keep=3", more);
        daemon_leave();
        daemon_start();
        await_state("a", SESSION_RECORDING);
        run_loop(200 * USEC_PER_MSEC);
        _cleanup_free_ char *text = output_of("a");
        ck_assert_ptr_null(strstr(text, "asked"));
}
END_TEST

/* Recorders that die of what they took over hand it on before that: only a dump shows that it can be used. */
START_TEST(test_given_up_after_some_deaths) {
        NotifyMessage m = { .sender = getpid() };
        char text[] = PR_NOTIFY_DUMP_ERROR "61 there are no samples";

        start_session("a", "--fake-keep=3", "RestartSec=10ms\nStartLimitIntervalSec=0");
        kill_it("a", 1);
        m.text = text;
        session_take_message(session("a"), &m);
        for (unsigned i = 2; i <= 4; i++)
                kill_it("a", i);
        assert_output("a", "took over 3, hands 4, ");
        kill_it("a", 5);
        assert_no_takeover("a");
        ck_assert(keeps(session("a"))); /* its own */
}
END_TEST

START_TEST(test_a_stranger_keeps_nothing) {
        int fds[1] = { open_memfd("x", 8192) };
        NotifyMessage m = { .sender = getpid(), .text = (char[]) { "X_PERF_KEEP=1 0 1\nX_PERF_KEEP_MAP=0:bogus" }, .n_fds = 1 };

        start_session("a", "", "");
        m.fds[0] = fds[0];
        session_take_message(session("a"), &m);
        ck_assert_ptr_null(session("a")->rings.kept);
        ck_assert(session("a")->rings.refused);
        safe_close(fds[0]);
}
END_TEST

/* The recorder counts none of what the kernel overwrites. */
START_TEST(test_samples_of_rings_that_are_not_kept) {
        PrCounters c;

        start_session("a", "--fake-overwrite", "");
        session_counters(session("a"), &c);
        ck_assert_uint_eq(c.samples, PR_COUNTERS_UNKNOWN);
        ck_assert_uint_eq(c.first_sample_nsec, 0);
}
END_TEST

CHECK_MAIN_WITH("ring-keeper", daemon_fixture_setup, daemon_fixture_teardown, test_a_successor_gets_them,
                test_they_are_locked_memory_while_nobody_runs, test_without_a_bus, test_a_full_disk_at_the_end,
                test_killed_while_it_is_started_again, test_a_full_disk_and_nothing_kept, test_gone_when_it_is_stopped,
                test_gone_with_a_policy_of_no_restart, test_gone_with_other_settings,
                test_asked_for_again_after_a_restart_of_the_daemon, test_their_age, test_a_foreign_one_is_not_asked,
                test_given_up_after_some_deaths, test_a_stranger_keeps_nothing, test_restarted_with_other_settings,
                test_of_a_unit_that_was_stopped, test_of_a_unit_that_was_stopped_and_a_restart,
                test_of_a_unit_that_was_stopped_whose_group_is_not_known, test_of_a_unit_that_was_stopped_given_up,
                test_samples_of_rings_that_are_not_kept);
