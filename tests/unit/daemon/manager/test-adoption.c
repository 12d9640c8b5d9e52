/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <fcntl.h>
#include <signal.h>
#include <sys/pidfd.h>
#include <sys/wait.h>

#include "daemon-fixture.h"
#include "directory-tree.h"
#include "fd-file.h"
#include "scratch.h"

/* Copies of the descriptors that the descriptor store would keep for a session. */
typedef struct Stored {
        int pidfd, counters, state;
} Stored;

static Stored store(const char *name) {
        const Session *s = session(name);

        return (Stored) {
                .pidfd = fcntl(s->recorder.process.pidfd, F_DUPFD_CLOEXEC, 3),
                .counters = fcntl(s->recorder.counters.fd, F_DUPFD_CLOEXEC, 3),
                .state = fcntl(s->entry.fd, F_DUPFD_CLOEXEC, 3),
        };
}

/* Starts a daemon that gets these back. */
static void start_in(const char *directory, const Stored *stored, size_t n) {
        _cleanup_free_ char *base = path_join(fixture.dir, directory);
        const ManagerOptions options = { .base_directory = base };

        ck_assert_int_eq(manager_new(fixture.bus.event, &options, &fixture.manager), 0);
        for (size_t i = 0; i < n; i++) {
                char name[32];

                snprintf(name, sizeof(name), "stored-%zu", i);
                ck_assert_int_eq(manager_restore_session(fixture.manager, name, stored[i].pidfd, stored[i].counters, stored[i].state), 0);
        }
}

static void start_with(const Stored *stored, size_t n) {
        start_in("base", stored, n);
}

static void on_adopted(int error, void *userdata) {
        ck_assert_int_eq(error, 0);
        *(bool *) userdata = true;
}

static void begin(void) {
        bool adopted = false;

        ck_assert_int_eq(manager_adopt_from_scopes(fixture.manager, on_adopted, &adopted), 0);
        ck_assert(private_bus_wait(&fixture.bus, &adopted));
        ck_assert_int_eq(manager_begin(fixture.manager), 0);
}

static pid_t pid_of(const char *name) {
        return session_view(session(name)).main_pid;
}

static void start_two(void) {
        write_session("ours", "", "");
        write_session("foreign", "--fake-quiet", "Recorder=" PR_FAKE_RECORDER);
        daemon_start();
        await_state("ours", SESSION_RECORDING);
        await_state("foreign", SESSION_RECORDING);
}

/* Returns what "ours" has in the descriptor store. */
static Stored start_two_and_store(pid_t *ret_pid) {
        start_two();
        *ret_pid = pid_of("ours");
        return store("ours");
}

START_TEST(test_from_the_store) {
        pid_t ours, foreign;
        usec_t since;
        Stored stored[2];
        PrCounters c;

        start_two();
        ours = pid_of("ours");
        foreign = pid_of("foreign");
        since = session_view(session("ours")).start_timestamp;
        stored[0] = store("ours");
        stored[1] = store("foreign");
        daemon_leave();
        start_with(stored, 2);
        ck_assert_int_eq(session_view(session("ours")).state, SESSION_RECORDING); /* before anything else runs */
        begin();
        run_loop(200 * USEC_PER_MSEC);
        ck_assert_int_eq(pid_of("ours"), ours);
        ck_assert_int_eq(pid_of("foreign"), foreign);
        ck_assert_uint_eq(session_view(session("ours")).start_timestamp, since);
        session_counters(session("ours"), &c);
        ck_assert_uint_eq(c.samples, 42);
        ck_assert_int_eq(run_verb(manager_pause, NULL), 0); /* its FIFOs work */
}
END_TEST

/* The previous daemon received READY=1, and was killed before it could note that. */
START_TEST(test_ready_was_taken) {
        Stored stored[2];
        pid_t ours;

        start_two();
        ours = pid_of("ours");
        session("ours")->recorder.phase = PHASE_OPEN;
        session_save(session("ours"));
        stored[0] = store("ours");
        stored[1] = store("foreign");
        daemon_leave();
        start_with(stored, 2);
        begin();
        await_state("ours", SESSION_RECORDING);
        ck_assert_int_eq(pid_of("ours"), ours);
}
END_TEST

/* Recorders whose directories were removed have FIFOs that only they have open. */
START_TEST(test_without_the_base) {
        _cleanup_free_ char *base = path_join(fixture.dir, "base"), *moved = path_join(fixture.dir, "moved");
        pid_t ours, foreign;
        Stored stored[2];

        start_two();
        ours = pid_of("ours");
        foreign = pid_of("foreign");
        stored[0] = store("ours");
        stored[1] = store("foreign");
        daemon_leave();
        ck_assert_int_eq(rename(base, moved), 0);
        ck_assert_int_eq(directory_tree_remove(AT_FDCWD, moved), 0);
        start_with(stored, 2);
        begin();
        ck_assert_int_eq(run_verb(manager_pause, NULL), 0);
        ck_assert_int_eq(pid_of("ours"), ours);
        ck_assert_int_eq(pid_of("foreign"), foreign);
        ck_assert_int_eq(run_verb(manager_stop, NULL), 0);
}
END_TEST

static void move_to(const char *directory) {
        const pid_t before[] = { pid_of("ours"), pid_of("foreign") };
        const Stored stored[] = { store("ours"), store("foreign") };
        _cleanup_free_ char *base = path_join(fixture.dir, directory), *output = path_join(base, "output"), *text = NULL;

        daemon_leave();
        start_in(directory, stored, 2);
        begin();
        await_state("ours", SESSION_STOPPING);
        for (unsigned i = 0; i < 2; i++) {
                const char *name = i == 0 ? "ours" : "foreign";

                await_state(name, SESSION_RECORDING);
                ck_assert_int_ne(pid_of(name), before[i]);
                ck_assert_int_eq(kill(before[i], 0), -1);
        }
        ck_assert_int_eq(run_verb(manager_pause, NULL), 0); /* their FIFOs work */
        ck_assert_int_eq(run_verb(manager_resume, NULL), 0);
        ck_assert_int_eq(read_file(output, 1 << 20, &text, NULL), 0);
        ck_assert_ptr_nonnull(strstr(text, "ours: The recorder writes in "));
}

/* A new base directory is empty; a former one has FIFOs that nobody reads. */
START_TEST(test_another_base_directory) {
        start_two();
        move_to("other");
        move_to("base");
}
END_TEST

START_TEST(test_another_base_directory_and_a_bad_file) {
        Stored stored;
        pid_t before;

        stored = start_two_and_store(&before);
        daemon_leave();
        write_session("ours", "", "Restart=perhaps");
        start_in("other", &stored, 1);
        begin();
        await_state("ours", SESSION_BAD_SETTING);
        ck_assert_int_eq(kill(before, 0), -1);
}
END_TEST

START_TEST(test_from_the_scopes) {
        pid_t ours, foreign;
        usec_t since;
        PrCounters c;

        start_two();
        ours = pid_of("ours");
        foreign = pid_of("foreign");
        since = session_view(session("ours")).start_timestamp;
        daemon_leave();
        daemon_start();
        ck_assert_int_eq(pid_of("ours"), ours);
        ck_assert_int_eq(pid_of("foreign"), foreign);
        ck_assert_uint_lt(session_view(session("ours")).start_timestamp, since + 2 * USEC_PER_SEC);
        ck_assert_uint_gt(session_view(session("ours")).start_timestamp + 2 * USEC_PER_SEC, since);
        session_counters(session("ours"), &c);
        ck_assert_uint_eq(c.samples, 42);
        ck_assert_int_eq(run_verb(manager_pause, NULL), 0);
        ck_assert_int_eq(run_verb(manager_stop, NULL), 0);
        ck_assert_uint_eq(manager_n_running(fixture.manager), 0);
}
END_TEST

/* The name of the scope has backslashes. */
START_TEST(test_from_the_scope_of_an_instance) {
        pid_t before;

        write_session("u@my\\x2dapp", "", "");
        daemon_start();
        await_state("u@my\\x2dapp", SESSION_RECORDING);
        before = pid_of("u@my\\x2dapp");
        daemon_leave();
        daemon_start();
        ck_assert_int_eq(pid_of("u@my\\x2dapp"), before);
}
END_TEST

START_TEST(test_a_paused_one_stays_paused) {
        Stored stored;

        start_two();
        ck_assert_int_eq(run_verb(manager_pause, "foreign"), 0);
        stored = store("foreign");
        daemon_leave();
        start_with(&stored, 1);
        ck_assert_int_eq(session_view(session("foreign")).state, SESSION_PAUSED);
        begin();
}
END_TEST

START_TEST(test_one_that_died_meanwhile) {
        pid_t before;
        Stored stored;

        stored = start_two_and_store(&before);
        daemon_leave();
        ck_assert_int_eq(kill(before, SIGKILL), 0);
        ck_assert_int_eq(waitpid(before, NULL, 0), before);
        start_with(&stored, 1);
        begin();
        await_state("ours", SESSION_WAITING);
        await_state("ours", SESSION_RECORDING);
        ck_assert_int_ne(pid_of("ours"), before);
        ck_assert_uint_eq(session_view(session("ours")).n_restarts, 1);
}
END_TEST

START_TEST(test_one_that_ended_well_meanwhile) {
        pid_t before;
        Stored stored;

        stored = start_two_and_store(&before);
        session_take_message(session("ours"), &(NotifyMessage) { .text = (char[]) { "STOPPING=1" } });
        daemon_leave();
        ck_assert_int_eq(kill(before, SIGTERM), 0);
        ck_assert_int_eq(waitpid(before, NULL, 0), before);
        start_with(&stored, 1);
        begin();
        await_state("ours", SESSION_INACTIVE);
        ck_assert_int_eq(session_view(session("ours")).result, SESSION_RESULT_SUCCESS);
}
END_TEST

START_TEST(test_a_stopped_one_stays_stopped) {
        Stored stored;

        start_two();
        stored = store("ours");
        ck_assert_int_eq(run_verb(manager_stop, "ours"), 0);
        daemon_leave();
        start_with(&stored, 1);
        begin();
        run_loop(200 * USEC_PER_MSEC);
        ck_assert_int_eq(session_view(session("ours")).state, SESSION_INACTIVE);
        ck_assert_int_eq(session_view(session("foreign")).state, SESSION_RECORDING);
}
END_TEST

START_TEST(test_settings_that_changed_meanwhile) {
        pid_t before;
        Stored stored;

        stored = start_two_and_store(&before);
        daemon_leave();
        write_session("ours", "-F 10", "");
        start_with(&stored, 1);
        ck_assert_int_eq(pid_of("ours"), before);
        begin();
        await_state("ours", SESSION_STOPPING);
        await_state("ours", SESSION_RECORDING);
        ck_assert_int_ne(pid_of("ours"), before);
}
END_TEST

START_TEST(test_a_file_that_is_gone) {
        pid_t ours, foreign;
        Stored stored;

        start_two();
        ours = pid_of("ours");
        foreign = pid_of("foreign");
        stored = store("ours");
        daemon_leave();
        remove_session_file("ours.session");
        remove_session_file("foreign.session");
        start_with(&stored, 1);
        begin();
        ck_assert_int_eq(waitpid(ours, NULL, 0), ours); /* one from the store, one from its scope */
        ck_assert_int_eq(waitpid(foreign, NULL, 0), foreign);
        run_loop(200 * USEC_PER_MSEC);
        ck_assert_uint_eq(manager_sessions(fixture.manager)->n, 0);
}
END_TEST

START_TEST(test_a_bad_file_stops_nothing) {
        pid_t before;
        Stored stored;

        stored = start_two_and_store(&before);
        daemon_leave();
        write_session("ours", "", "Restart=perhaps");
        start_with(&stored, 1);
        begin();
        run_loop(200 * USEC_PER_MSEC);
        ck_assert_int_eq(pid_of("ours"), before);
        ck_assert_int_eq(session_view(session("ours")).state, SESSION_RECORDING);
        ck_assert_ptr_nonnull(strstr(session_view(session("ours")).error, "Restart"));
        ck_assert_int_eq(run_verb(manager_stop, "ours"), 0);
        ck_assert_int_eq(session_view(session("ours")).state, SESSION_BAD_SETTING);
}
END_TEST

/* There is nothing to start it with when the recorder exits. */
START_TEST(test_a_restart_under_way_and_a_bad_file) {
        Stored stored;
        pid_t before;

        start_session("slow", "--fake-slow=300", "");
        before = pid_of("slow");
        session_restart(session("slow"), NULL);
        ck_assert_int_eq(session_view(session("slow")).state, SESSION_STOPPING);
        stored = store("slow");
        daemon_leave();
        write_session("slow", "", "Restart=perhaps");
        start_with(&stored, 1);
        begin();
        ck_assert_int_eq(pid_of("slow"), before);
        await_state("slow", SESSION_BAD_SETTING);
        ck_assert_int_eq(pid_of("slow"), 0);
        ck_assert_ptr_nonnull(strstr(session_view(session("slow")).error, "Restart"));
        ck_assert_int_eq(run_verb(manager_start, "slow"), FAILURE_BAD_SETTING);
}
END_TEST

START_TEST(test_a_transient_one) {
        static char *const assignments[] = { (char *) "Session.Run=-e cpu-clock --fake-line=x", NULL };
        Stored stored;
        pid_t before;

        daemon_start();
        begin_transient("t", assignments);
        ck_assert_int_eq(finish_verb(), 0);
        before = pid_of("t");
        stored = store("t");
        daemon_leave();
        start_with(&stored, 1);
        begin();
        ck_assert_int_eq(pid_of("t"), before);
        ck_assert(session_view(session("t")).is_transient);
        ck_assert_str_eq(session_view(session("t")).command, "-e cpu-clock --fake-line=x");
        ck_assert_int_eq(run_verb(manager_stop, "t"), 0);
        run_loop(100 * USEC_PER_MSEC);
        ck_assert_ptr_null(sessions_find(manager_sessions(fixture.manager), "t"));
}
END_TEST

START_TEST(test_the_child_at_the_gate_dies_with_the_daemon) {
        pid_t pid;

        write_session("a", "", "Enabled=no");
        daemon_start();
        begin_verb(manager_start, "a");
        pid = pid_of("a");
        ck_assert_int_gt(pid, 0);
        daemon_leave();
        ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
        ck_assert_int_eq(fixture.failure, FAILURE_OTHER);
}
END_TEST

START_TEST(test_another_base_is_left_alone) {
        _cleanup_free_ char *base = path_join(fixture.dir, "base"), *other = path_join(fixture.dir, "other");
        pid_t pids[2];

        start_two();
        pids[0] = pid_of("ours");
        pids[1] = pid_of("foreign");
        daemon_leave();
        ck_assert_int_eq(rename(base, other), 0);
        remove_session_file("ours.session");
        daemon_start();
        run_loop(200 * USEC_PER_MSEC);
        for (unsigned i = 0; i < 2; i++) {
                ck_assert_int_eq(waitpid(pids[i], NULL, WNOHANG), 0);
                ck_assert_int_eq(kill(pids[i], SIGKILL), 0);
                ck_assert_int_eq(waitpid(pids[i], NULL, 0), pids[i]);
        }
}
END_TEST

START_TEST(test_entries_that_make_no_sense) {
        int state = open_memfd("perf-recorder-state", 0), empty = open_memfd("perf-recorder-state", 0);

        write_session("a", "", "Enabled=no");
        daemon_start();
        ck_assert_int_eq(write(state, "name=../x\nphase=up\nend=1\n", 25), 25);
        ck_assert_int_eq(manager_restore_session(fixture.manager, "x", -EBADF, -EBADF, state), -EBADMSG);
        ck_assert_int_eq(manager_restore_session(fixture.manager, "y", -EBADF, -EBADF, empty), -EBADMSG);
        ck_assert_int_lt(manager_restore_session(fixture.manager, "z", -EBADF, -EBADF, -EBADF), 0);
        ck_assert_uint_eq(manager_sessions(fixture.manager)->n, 1);
}
END_TEST

CHECK_MAIN_WITH("manager-adopt", daemon_fixture_setup, daemon_fixture_teardown, test_from_the_store, test_ready_was_taken, test_without_the_base,
                test_another_base_directory, test_another_base_directory_and_a_bad_file, test_from_the_scopes, test_from_the_scope_of_an_instance, test_a_paused_one_stays_paused, test_one_that_died_meanwhile,
                test_one_that_ended_well_meanwhile, test_a_stopped_one_stays_stopped, test_settings_that_changed_meanwhile, test_a_file_that_is_gone,
                test_a_bad_file_stops_nothing, test_a_restart_under_way_and_a_bad_file, test_a_transient_one, test_the_child_at_the_gate_dies_with_the_daemon,
                test_another_base_is_left_alone, test_entries_that_make_no_sense);
