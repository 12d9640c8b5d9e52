/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <signal.h>
#include <sys/stat.h>

#include <perf-recorder/environment.h>
#include "daemon-fixture.h"
#include "fd-file.h"
#include "scratch.h"

static bool is_disabled_start(const Session *s) {
        return session_view(s).state == SESSION_PAUSED;
}

START_TEST(test_enabled_ones_start_with_the_daemon) {
        write_session("ours", "", "");
        write_session("idle", "", "Enabled=no");
        write_session("foreign", "--fake-quiet", "Recorder=" PR_FAKE_RECORDER);
        daemon_start();
        await_state("ours", SESSION_RECORDING);
        await_state("foreign", SESSION_RECORDING);
        ck_assert_int_eq(session_view(session("idle")).state, SESSION_INACTIVE);
        ck_assert_int_gt(session_view(session("ours")).main_pid, 0);
        ck_assert_str_eq(session_view(session("ours")).scope, "perf-session-ours.scope");
        ck_assert_str_eq(session_view(session("idle")).scope, "");
        ck_assert_uint_eq(manager_n_running(fixture.manager), 2);
        ck_assert_uint_gt(session_view(session("ours")).start_timestamp, 0);
}
END_TEST

START_TEST(test_starts_when_ready) {
        write_session("late", "--fake-late=300", "Enabled=no");
        daemon_start();
        begin_verb(manager_start, "late");
        run_loop(100 * USEC_PER_MSEC);
        ck_assert(!fixture.done);
        ck_assert_int_eq(session_view(session("late")).state, SESSION_STARTING);
        ck_assert_int_eq(finish_verb(), 0);
        ck_assert_int_eq(session_view(session("late")).state, SESSION_RECORDING);
        ck_assert_int_eq(run_verb(manager_start, "late"), 0); /* starting a running session succeeds */
}
END_TEST

START_TEST(test_a_foreign_recorder_is_up_when_it_answers) {
        write_session("late", "--fake-quiet --fake-late=300", "Recorder=" PR_FAKE_RECORDER "\nEnabled=no");
        daemon_start();
        begin_verb(manager_start, "late");
        run_loop(100 * USEC_PER_MSEC);
        ck_assert(!fixture.done);
        ck_assert_int_eq(finish_verb(), 0);
}
END_TEST

START_TEST(test_fails_before_it_is_ready) {
        write_session("bad", "--fake-fail=no-such-event", "Enabled=no\nRestart=no");
        daemon_start();
        ck_assert_int_eq(run_verb(manager_start, "bad"), FAILURE_RECORDER);
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "no-such-event"));
        ck_assert_int_eq(session_view(session("bad")).state, SESSION_FAILED);
        ck_assert_int_eq(session_view(session("bad")).result, SESSION_RESULT_EXIT_CODE);
        ck_assert_str_eq(session_view(session("bad")).error, fixture.sentence);
}
END_TEST

START_TEST(test_output_says_why) {
        write_session("bad", "--fake-line=hello --fake-bogus --control=bad", "Enabled=no\nRestart=no");
        daemon_start();
        ck_assert_int_eq(run_verb(manager_start, "bad"), FAILURE_RECORDER);
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "exited with status 2: fake-recorder: bad option --control=bad"));
}
END_TEST

START_TEST(test_a_program_that_is_not_there) {
        write_session("none", "", "Enabled=no\nRestart=no\nRecorder=/no/such/recorder");
        daemon_start();
        ck_assert_int_eq(run_verb(manager_start, "none"), FAILURE_RECORDER);
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "/no/such/recorder"));
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "No such file"));
        ck_assert_int_eq(session_view(session("none")).state, SESSION_FAILED);
}
END_TEST

START_TEST(test_a_scope_that_cannot_be_made) {
        write_session("refused", "", "Enabled=no\nRestart=no");
        daemon_start();
        ck_assert_int_eq(run_verb(manager_start, "refused"), FAILURE_RECORDER);
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "scope"));
        ck_assert_int_eq(session_view(session("refused")).result, SESSION_RESULT_RESOURCES);
        ck_assert_int_eq(session_view(session("refused")).main_pid, 0);
}
END_TEST

START_TEST(test_a_directory_that_cannot_be_used) {
        write_session("a", "", "Restart=no");
        write_session("b", "", "");
        scratch_write_text(fixture.dir, "base/session-a", "a file");
        daemon_start();
        await_state("a", SESSION_FAILED);
        await_state("b", SESSION_RECORDING);
        ck_assert_ptr_nonnull(strstr(session_view(session("a")).error, "cannot prepare"));
        ck_assert_ptr_nonnull(strstr(session_view(session("a")).error, "Not a directory"));
}
END_TEST

static void write_unit_session(const char *name, const char *unit, const char *more) {
        _cleanup_free_ char *file = NULL, *text = NULL;

        ck_assert_int_gt(asprintf(&file, "%s.session", name), 0);
        ck_assert_int_gt(asprintf(&text, "[Session]\n%s\n[Record]\nEvent=cpu-clock\nUnit=%s\n", more, unit), 0);
        write_session_file(file, text);
}

START_TEST(test_unit) {
        write_unit_session("web", "nginx.service", "Enabled=no");
        daemon_start();
        ck_assert_int_eq(run_verb(manager_start, "web"), 0);
        ck_assert_int_eq(session_view(session("web")).state, SESSION_RECORDING);
        ck_assert_str_eq(session_view(session("web")).settings->record.unit, "nginx.service");
}
END_TEST

START_TEST(test_a_unit_that_comes_later) {
        write_unit_session("boot", "apache.service", "Restart=no");
        write_unit_session("hand", "apache.service", "Enabled=no");
        daemon_start();
        await_state("boot", SESSION_WAITING);
        ck_assert_int_eq(run_verb(manager_start, "hand"), 0);
        ck_assert_int_eq(session_view(session("hand")).state, SESSION_WAITING);
        ck_assert_str_eq(session_view(session("hand")).error, "the unit apache.service is not running");
        ck_assert_int_eq(run_verb(manager_start, "hand"), 0);
        ck_assert_int_eq(run_verb(manager_restart, "hand"), 0);
        ck_assert_int_eq(session_view(session("hand")).state, SESSION_WAITING);
        ck_assert_int_eq(run_verb(manager_pause, NULL), 0); /* which leaves it out */
        ck_assert_int_eq(run_verb(manager_resume, NULL), 0);
        ck_assert_int_eq(run_verb(manager_resume, "hand"), FAILURE_NOT_RUNNING);
        fake_systemd1_run("apache.service");
        await_state("boot", SESSION_RECORDING);
        await_state("hand", SESSION_RECORDING);
        ck_assert_uint_eq(session_view(session("boot")).n_restarts, 0);
        ck_assert_str_eq(session_view(session("boot")).error, "");
}
END_TEST

START_TEST(test_stop_ends_the_wait_for_a_unit) {
        write_unit_session("web", "apache.service", "");
        daemon_start();
        await_state("web", SESSION_WAITING);
        ck_assert_int_eq(run_verb(manager_stop, "web"), 0);
        ck_assert_int_eq(session_view(session("web")).state, SESSION_INACTIVE);
        ck_assert_str_eq(session_view(session("web")).error, "");
        fake_systemd1_run("apache.service");
        run_loop(200 * USEC_PER_MSEC);
        ck_assert_int_eq(session_view(session("web")).state, SESSION_INACTIVE);
}
END_TEST

/* A file may name a unit that does not exist yet; for an instance that only a caller named, it is an error. */
START_TEST(test_no_such_unit) {
        write_unit_session("web", "nosuch.service", "");
        write_unit_session("unit@", "%i", "");
        daemon_start();
        await_state("web", SESSION_WAITING);
        ck_assert_int_eq(run_verb(manager_start, "unit@nosuch.service"), FAILURE_RECORDER);
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "there is no unit nosuch.service"));
        ck_assert_int_eq(session_view(session("unit@nosuch.service")).state, SESSION_FAILED);
        ck_assert_int_eq(run_verb(manager_start, "unit@apache.service"), 0);
        ck_assert_int_eq(session_view(session("unit@apache.service")).state, SESSION_WAITING);
}
END_TEST

static char *command_line(const char *name) {
        char path[64], *text;
        size_t size;

        snprintf(path, sizeof(path), "/proc/%d/cmdline", (int) session_view(session(name)).main_pid);
        ck_assert_int_eq(read_file(path, 65536, &text, &size), 0);
        for (size_t i = 0; i + 1 < size; i++)
                if (text[i] == '\0')
                        text[i] = ' ';
        return text;
}

START_TEST(test_command_lines) {
        _cleanup_free_ char *ours = NULL, *foreign = NULL;

        write_session("ours", "", "");
        write_session("foreign", "-m 1M", "Recorder=" PR_FAKE_RECORDER);
        scratch_write_text(fixture.dir, "configuration/perf-recorderd.conf", "[Recorder]\nDefaultBufferSize=2M\n");
        daemon_start();
        await_state("ours", SESSION_RECORDING);
        await_state("foreign", SESSION_RECORDING);
        ours = command_line("ours");
        foreign = command_line("foreign");
        ck_assert_str_eq(ours, PR_FAKE_RECORDER " --control=fifo:control,ack -m 2097152B -e cpu-clock");
        ck_assert_str_eq(foreign, PR_FAKE_RECORDER " record --control=fifo:control,ack -m 2097152B -e cpu-clock -m 1M");
}
END_TEST

START_TEST(test_counters_are_live) {
        PrCounters c;

        write_session("a", "--fake-lost=3", "");
        daemon_start();
        await_state("a", SESSION_RECORDING);
        session_counters(session("a"), &c);
        ck_assert_uint_eq(c.samples, 42);
        ck_assert_uint_eq(c.lost, 3);
        ck_assert_uint_eq(manager_locked_memory(fixture.manager), 4096);
        ck_assert_int_eq(run_verb(manager_stop, "a"), 0);
        ck_assert_uint_eq(manager_locked_memory(fixture.manager), 0);
}
END_TEST

START_TEST(test_max_sessions) {
        write_session("a", "", "Enabled=no");
        write_session("b", "", "Enabled=no");
        write_session("c", "", "Enabled=no");
        scratch_write_text(fixture.dir, "configuration/perf-recorderd.conf", "[Recorder]\nMaxSessions=2\n");
        daemon_start();
        ck_assert_int_eq(run_verb(manager_start, "a"), 0);
        ck_assert_int_eq(run_verb(manager_start, "b"), 0);
        ck_assert_int_eq(run_verb(manager_start, "c"), FAILURE_LIMIT);
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "MaxSessions="));
        ck_assert_int_eq(session_view(session("c")).state, SESSION_FAILED);
        ck_assert_int_eq(run_verb(manager_stop, "a"), 0);
        ck_assert_int_eq(run_verb(manager_start, "c"), 0);
}
END_TEST

/* Checks the limit that the recorder was given. */
static void assert_left(const char *name, uint64_t bytes) {
        _cleanup_free_ char *path = NULL, *text = NULL, *expected = NULL;
        size_t size;

        ck_assert_int_gt(asprintf(&path, "/proc/%d/environ", (int) session_view(session(name)).main_pid), 0);
        ck_assert_int_gt(asprintf(&expected, PR_LOCKED_MEMORY_ENV "=%" PRIu64, bytes), 0);
        ck_assert_int_eq(read_file(path, 1024 * 1024, &text, &size), 0);
        ck_assert_ptr_nonnull(memmem(text, size, expected, strlen(expected) + 1));
}

START_TEST(test_max_locked_memory) {
        write_session("first", "--fake-rings=65536", "Enabled=no");
        write_session("told", "\"--fake-fail=MaxLockedMemory= leaves 448K\" --fake-errno=105", "Enabled=no\nRestartSec=10ms");
        write_session("late", "--fake-rings=524288", "Enabled=no\nRestartSec=10ms");
        write_session("last", "--fake-rings=458752", "Enabled=no");
        scratch_write_text(fixture.dir, "configuration/perf-recorderd.conf", "[Recorder]\nMaxLockedMemory=512K\n");
        daemon_start();
        ck_assert_int_eq(run_verb(manager_start, "first"), 0);
        assert_left("first", 512 * 1024);

        /* The recorder computes its size, and fails permanently. */
        ck_assert_int_eq(run_verb(manager_start, "told"), FAILURE_LIMIT);
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "MaxLockedMemory="));
        ck_assert_int_eq(session_view(session("told")).state, SESSION_FAILED);
        ck_assert_int_eq(session_view(session("told")).result, SESSION_RESULT_RESOURCES);

        /* This one started while memory was left, and finally took more than that. */
        ck_assert_int_eq(run_verb(manager_start, "late"), FAILURE_LIMIT);
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "its rings lock 512K of memory, and MaxLockedMemory= leaves 448K"));
        ck_assert_int_eq(session_view(session("late")).state, SESSION_FAILED);
        ck_assert_int_eq(run_verb(manager_start, "last"), 0);
        assert_left("last", 448 * 1024);
}
END_TEST

START_TEST(test_many_start_side_by_side) {
        usec_t begin;

        for (unsigned i = 0; i < 20; i++) {
                char name[8];

                snprintf(name, sizeof(name), "s%u", i);
                write_session(name, "--fake-late=500", "Enabled=no");
        }
        daemon_start();
        begin = now_usec(CLOCK_MONOTONIC);
        for (unsigned i = 0; i < manager_sessions(fixture.manager)->n; i++)
                manager_sessions(fixture.manager)->all[i]->config.enabled = true;
        ck_assert_int_eq(run_verb(manager_start, NULL), 0);
        ck_assert_uint_lt(now_usec(CLOCK_MONOTONIC) - begin, 5 * USEC_PER_SEC); /* one after the other: 10 s */
        ck_assert_uint_eq(manager_n_running(fixture.manager), 20);
}
END_TEST

START_TEST(test_no_such_session) {
        write_session("a", "", "Enabled=no");
        daemon_start();
        ck_assert_int_eq(run_verb(manager_start, "b"), FAILURE_NO_SUCH_SESSION);
        ck_assert_int_eq(run_verb(manager_start, "../a"), FAILURE_NO_SUCH_SESSION);
        ck_assert_int_eq(run_verb(manager_stop, "b"), FAILURE_NO_SUCH_SESSION);
}
END_TEST

START_TEST(test_a_template_instance) {
        write_session("unit@", "--fake-line=%i", "");
        daemon_start();
        ck_assert_uint_eq(manager_sessions(fixture.manager)->n, 0);
        ck_assert_int_eq(run_verb(manager_stop, "unit@x"), FAILURE_NO_SUCH_SESSION); /* the call does not create it */
        ck_assert_int_eq(run_verb(manager_start, "unit@x"), 0);
        ck_assert_str_eq(session_view(session("unit@x")).command, "-e cpu-clock --fake-line=x");
        ck_assert_int_eq(run_verb(manager_start, "unit@"), FAILURE_NO_SUCH_SESSION);
}
END_TEST

START_TEST(test_bad_settings) {
        write_session_file("bad.session", "[Session]\nRun=-e x\nRestart=perhaps\n");
        write_session("good", "", "");
        daemon_start();
        ck_assert_int_eq(session_view(session("bad")).state, SESSION_BAD_SETTING);
        ck_assert_ptr_nonnull(strstr(session_view(session("bad")).error, "bad.session:3"));
        ck_assert_int_eq(run_verb(manager_start, "bad"), FAILURE_BAD_SETTING);
        await_state("good", SESSION_RECORDING);
}
END_TEST

START_TEST(test_enable_and_disable) {
        write_session("ours", "", "");
        write_session("foreign", "--fake-quiet", "Recorder=" PR_FAKE_RECORDER);
        write_session("idle", "", "Enabled=no");
        daemon_start();
        await_state("ours", SESSION_RECORDING);
        await_state("foreign", SESSION_RECORDING);
        ck_assert_int_eq(run_verb(manager_pause, NULL), 0);
        await(is_disabled_start, "ours");
        await(is_disabled_start, "foreign");
        ck_assert_int_eq(run_verb(manager_resume, "ours"), 0);
        await_state("ours", SESSION_RECORDING);
        ck_assert_int_eq(run_verb(manager_resume, "idle"), FAILURE_NOT_RUNNING);
}
END_TEST

static uint64_t memory_max_of(const char *name) {
        _cleanup_(sd_bus_flush_close_unrefp) sd_bus *bus = NULL;
        _cleanup_free_ char *path = NULL;
        uint64_t value;

        ck_assert_int_ge(sd_bus_open_system(&bus), 0);
        ck_assert_int_ge(sd_bus_path_encode("/org/freedesktop/systemd1/unit", session_view(session(name)).scope, &path), 0);
        ck_assert_int_ge(sd_bus_get_property_trivial(bus, "org.freedesktop.systemd1", path, "org.freedesktop.systemd1.Scope",
                                                     "MemoryMax", NULL, 't', &value), 0);
        return value;
}

/* A scope has a limit that a recorder never reaches; the file's setting takes precedence. */
START_TEST(test_memory) {
        write_session_file("flight.session", "[Record]\nEvent=cpu-clock\nMode=overwrite\nBufferSize=1M\nCPU=0\n");
        write_session_file("limited.session", "[Record]\nEvent=cpu-clock\n[Scope]\nMemoryMax=100M\n");
        write_session_file("free.session", "[Record]\nEvent=cpu-clock\n[Scope]\nMemoryMax=infinity\n");
        write_session_file("command.session", "[Record]\nEvent=cpu-clock\nCommand=make\n");
        daemon_start();
        await_state("flight", SESSION_RECORDING);
        await_state("limited", SESSION_RECORDING);
        await_state("free", SESSION_RECORDING);
        await_state("command", SESSION_RECORDING);
        ck_assert_uint_eq(memory_max_of("flight"), (UINT64_C(1) << 30) + (2 << 20) * (uint64_t) sysconf(_SC_NPROCESSORS_CONF));
        ck_assert_uint_eq(memory_max_of("limited"), 100 << 20);
        ck_assert_uint_eq(memory_max_of("free"), UINT64_MAX);
        ck_assert_uint_ge(memory_max_of("command"), (uint64_t) sysconf(_SC_PHYS_PAGES) / 2 * (uint64_t) sysconf(_SC_PAGESIZE));
}
END_TEST

CHECK_MAIN_WITH("session-start", daemon_fixture_setup, daemon_fixture_teardown, test_enabled_ones_start_with_the_daemon,
                test_starts_when_ready, test_a_foreign_recorder_is_up_when_it_answers, test_fails_before_it_is_ready,
                test_output_says_why, test_a_program_that_is_not_there, test_a_scope_that_cannot_be_made,
                test_a_directory_that_cannot_be_used, test_unit, test_a_unit_that_comes_later,
                test_stop_ends_the_wait_for_a_unit, test_no_such_unit, test_command_lines, test_counters_are_live, test_max_sessions,
                test_max_locked_memory, test_many_start_side_by_side, test_no_such_session, test_a_template_instance,
                test_bad_settings, test_enable_and_disable, test_memory);
