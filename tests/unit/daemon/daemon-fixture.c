/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The fixture of the tests of the daemon's domain side. */

#include "daemon-fixture.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "scratch.h"

DaemonFixture fixture;

void fake_systemd1_start(void) {
        char line[16] = "";
        int pipe_fds[2];

        ck_assert_int_eq(pipe(pipe_fds), 0);
        fixture.systemd = fork();
        ck_assert_int_ge(fixture.systemd, 0);
        if (fixture.systemd == 0) {
                (void) prctl(PR_SET_PDEATHSIG, SIGKILL);
                (void) dup2(pipe_fds[1], STDOUT_FILENO);
                (void) execl(PR_FAKE_SYSTEMD1, "fake-systemd1", "--delay-ms=5", "--linger-ms=50", "--fail=perf-session-refused.scope",
                             "--unit=nginx.service:/system.slice/nginx.service", NULL);
                _exit(127);
        }
        (void) close(pipe_fds[1]);
        ck_assert_msg(read(pipe_fds[0], line, sizeof(line) - 1) > 0, "fake-systemd1 did not start");
        (void) close(pipe_fds[0]);
}

void fake_systemd1_end(void) {
        (void) kill(fixture.systemd, SIGTERM);
        (void) waitpid(fixture.systemd, NULL, 0);
}

static void set_path(const char *variable, const char *name) {
        _cleanup_free_ char *path = path_join(fixture.dir, name);

        ck_assert_int_eq(make_directories(path, 0755), 0);
        ck_assert_int_eq(setenv(variable, path, 1), 0);
}

void daemon_fixture_setup(void) {
        private_bus_start(&fixture.bus);
        fake_systemd1_start();
        fixture.dir = scratch_new();
        set_path("PERF_RECORDER_SESSION_PATH", "sessions");
        set_path("PERF_RECORDER_CONFIG_PATH", "configuration");
        ck_assert_int_eq(setenv("PERF_RECORDER_WORKER", PR_FAKE_RECORDER, 1), 0);
        ck_assert_int_eq(unsetenv("NOTIFY_SOCKET"), 0);
        journal_init(false);
}

static bool is_idle(void) {
        for (size_t i = 0; i < manager_sessions(fixture.manager)->n; i++)
                if (session_is_active(manager_sessions(fixture.manager)->all[i]))
                        return false;
        return true;
}

static void kill_all(void) {
        fixture.manager->host.exiting = true;
        for (size_t i = 0; i < manager_sessions(fixture.manager)->n; i++) {
                Session *s = manager_sessions(fixture.manager)->all[i];

                (void) session_kill(s, SIGKILL);
                session_stop(s, NULL);
        }
        for (unsigned i = 0; !is_idle() && i < 1000; i++)
                ck_assert_int_ge(sd_event_run(fixture.bus.event, 10 * USEC_PER_MSEC), 0);
}

void daemon_fixture_teardown(void) {
        if (fixture.manager)
                kill_all();
        daemon_leave();
        free(fixture.sentence);
        fake_systemd1_end();
        private_bus_stop(&fixture.bus);
        scratch_done(&fixture.dir);
}

void write_session_file(const char *name, const char *text) {
        _cleanup_free_ char *path = path_join("sessions", name);

        scratch_write_text(fixture.dir, path, text);
}

void write_session(const char *name, const char *words, const char *more) {
        _cleanup_free_ char *file = NULL, *text = NULL;

        ck_assert_int_gt(asprintf(&file, "%s.session", name), 0);
        ck_assert_int_gt(asprintf(&text, "[Session]\nRun=-e cpu-clock %s\n%s\n", words, more), 0);
        write_session_file(file, text);
}

void remove_session_file(const char *name) {
        _cleanup_free_ char *path = NULL;

        ck_assert_int_gt(asprintf(&path, "%s/sessions/%s", fixture.dir, name), 0);
        ck_assert_int_eq(unlink(path), 0);
}

static void on_adopted(int error, void *userdata) {
        ck_assert_int_eq(error, 0);
        *(bool *) userdata = true;
}

void daemon_start(void) {
        _cleanup_free_ char *base = path_join(fixture.dir, "base");
        const ManagerOptions options = { .base_directory = base, .proof = fixture.proof };
        bool adopted = false;

        ck_assert_int_eq(manager_new(fixture.bus.event, &options, &fixture.manager), 0);
        ck_assert_int_eq(manager_adopt_from_scopes(fixture.manager, on_adopted, &adopted), 0);
        ck_assert(private_bus_wait(&fixture.bus, &adopted));
        ck_assert_int_eq(manager_begin(fixture.manager), 0);
}

void daemon_leave(void) {
        fixture.manager = manager_free(fixture.manager);
}

Session *session(const char *name) {
        Session *s = sessions_find(manager_sessions(fixture.manager), name);

        ck_assert_msg(s != NULL, "no session %s", name);
        return s;
}

void await(bool (*condition)(const Session *s), const char *name) {
        usec_t end = now_usec(CLOCK_MONOTONIC) + 30 * USEC_PER_SEC;

        while (!condition(session(name))) {
                Session *s = session(name);

                ck_assert_msg(now_usec(CLOCK_MONOTONIC) < end, "%s stays %s: %s", name,
                              session_state_to_string(session_view(s).state), session_view(s).error);
                ck_assert_int_ge(sd_event_run(fixture.bus.event, 100 * USEC_PER_MSEC), 0);
        }
}

static SessionState awaited;

static bool has_awaited_state(const Session *s) {
        return session_view(s).state == awaited;
}

void await_state(const char *name, SessionState state) {
        awaited = state;
        await(has_awaited_state, name);
}

void start_session(const char *name, const char *words, const char *more) {
        write_session(name, words, more);
        daemon_start();
        await_state(name, SESSION_RECORDING);
}

void start_a_and_b(const char *words_of_a, const char *words_of_b) {
        write_session("a", words_of_a, "");
        write_session("b", words_of_b, "");
        daemon_start();
        await_state("a", SESSION_RECORDING);
        await_state("b", SESSION_RECORDING);
}

static unsigned awaited_restarts;

static bool has_restarted(const Session *s) {
        return session_view(s).state == SESSION_RECORDING && session_view(s).n_restarts == awaited_restarts;
}

void await_restart(const char *name, unsigned n) {
        awaited_restarts = n;
        await(has_restarted, name);
}

void run_loop(usec_t usec) {
        usec_t end = now_usec(CLOCK_MONOTONIC) + usec, now;

        while ((now = now_usec(CLOCK_MONOTONIC)) < end)
                ck_assert_int_ge(sd_event_run(fixture.bus.event, end - now), 0);
}

void fixture_done(Failure failure, const char *sentence, void *userdata) {
        ck_assert(!fixture.done);
        fixture.done = true;
        fixture.failure = failure;
        ck_assert_int_eq(free_and_strdup(&fixture.sentence, sentence), 0);
}

void begin_verb(ManagerVerb verb, const char *name) {
        char *const names[] = { (char *) name, NULL };

        fixture.done = false;
        verb(fixture.manager, name ? names : NULL, fixture_done, NULL);
}

void begin_transient(const char *name, char *const *assignments) {
        fixture.done = false;
        manager_start_transient(fixture.manager, name, assignments, fixture_done, NULL);
}

Failure finish_verb(void) {
        ck_assert(private_bus_wait(&fixture.bus, &fixture.done));
        return fixture.failure;
}

Failure run_verb(ManagerVerb verb, const char *name) {
        begin_verb(verb, name);
        return finish_verb();
}

static void tell_fake_systemd1(const char *method, const char *word) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = NULL;
        sd_bus *client = private_bus_connect(&fixture.bus, geteuid());

        ck_assert_int_ge(sd_bus_message_new_method_call(client, &m, "org.freedesktop.systemd1", "/org/freedesktop/systemd1",
                                                        "org.perfrecorder1.Fake", method), 0);
        ck_assert_int_ge(sd_bus_message_append(m, "s", word), 0);
        ck_assert_int_eq(private_bus_call(&fixture.bus, client, m, NULL, NULL), 0);
        sd_bus_flush_close_unref(client);
}

void fake_systemd1_set_job(const char *type) {
        tell_fake_systemd1("SetJob", type);
}

void fake_systemd1_run(const char *unit) {
        tell_fake_systemd1("Run", unit);
}

void fake_systemd1_stop(const char *unit) {
        tell_fake_systemd1("Stop", unit);
}

void fake_systemd1_fail(const char *unit) {
        tell_fake_systemd1("Fail", unit);
}
