/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <fcntl.h>
#include <sched.h>
#include <signal.h>

#include "daemon-fixture.h"
#include "scratch.h"

static char changes[1024];
static unsigned n_reloading, n_new, n_removed;

static void on_reloaded(Failure failure, const char *sentence, const ReloadRow *rows, size_t n_rows, void *userdata) {
        fixture.failure = failure;
        ck_assert_int_eq(free_and_strdup(&fixture.sentence, sentence), 0);
        changes[0] = '\0';
        for (size_t i = 0; i < n_rows; i++)
                snprintf(changes + strlen(changes), sizeof(changes) - strlen(changes), "%s %s;", rows[i].name, rows[i].change);
        fixture.done = true;
}

static void expect_answer(const char *expected, Failure failure) {
        fixture.done = false;
        manager_reload(fixture.manager, on_reloaded, NULL);
        ck_assert(private_bus_wait(&fixture.bus, &fixture.done));
        ck_assert_str_eq(changes, expected);
        ck_assert_int_eq(fixture.failure, failure);
}

static void expect_reload(const char *expected) {
        expect_answer(expected, FAILURE_NONE);
}

/* The reload fails because of this session's file. */
static void expect_bad_file(const char *expected, const char *sentence) {
        expect_answer(expected, FAILURE_BAD_SETTING);
        ck_assert_ptr_nonnull(strstr(fixture.sentence, sentence));
}

static void on_reloading(bool active, void *userdata) {
        n_reloading++;
}

static void on_new(Session *s, void *userdata) {
        n_new++;
}

static void on_removed(Session *s, void *userdata) {
        ck_assert_ptr_nonnull(session_name(s));
        n_removed++;
}

static const ManagerObserver observer = { .session_new = on_new, .session_removed = on_removed, .reloading = on_reloading };

static pid_t pid_of(const char *name) {
        return session_view(session(name)).main_pid;
}

/* Starts a daemon without the watch: the test decides when files are read. */
static void follow_reloads(void) {
        fixture.manager->watch = session_watch_free(fixture.manager->watch);
        n_reloading = n_new = n_removed = 0;
        manager_set_observer(fixture.manager, &observer);
}

static void start_daemon(void) {
        daemon_start();
        follow_reloads();
}

START_TEST(test_only_what_changed_restarts) {
        pid_t a, b;

        start_a_and_b("", "");
        follow_reloads();
        a = pid_of("a");
        b = pid_of("b");
        expect_reload("");
        ck_assert_uint_eq(n_reloading, 2);
        write_session("b", "-F 10", "");
        expect_reload("b changed;");
        ck_assert_int_eq(pid_of("a"), a);
        ck_assert_int_ne(pid_of("b"), b);
        ck_assert_int_eq(session_view(session("b")).state, SESSION_RECORDING); /* answered when it records again */
        ck_assert_str_eq(session_view(session("b")).command, "-e cpu-clock -F 10");
}
END_TEST

START_TEST(test_added_and_removed) {
        write_session("a", "", "");
        start_daemon();
        await_state("a", SESSION_RECORDING);
        write_session("b", "", "");
        write_session("idle", "", "Enabled=no");
        remove_session_file("a.session");
        expect_reload("b added;idle added;a removed;");
        ck_assert_int_eq(session_view(session("b")).state, SESSION_RECORDING);
        ck_assert_int_eq(session_view(session("idle")).state, SESSION_INACTIVE);
        run_loop(50 * USEC_PER_MSEC);
        ck_assert_ptr_null(sessions_find(manager_sessions(fixture.manager), "a"));
        ck_assert_uint_eq(n_new, 2);
        ck_assert_uint_eq(n_removed, 1);
}
END_TEST

/* A file of the administrator takes the place of a packaged one, which does not start with the daemon. */
START_TEST(test_a_packaged_one_is_replaced) {
        static const char text[] = "[Session]\nRun=-e cpu-clock\n";

        start_daemon();
        ck_assert_int_ge(strv_extendf(&fixture.manager->path.directories, "%s/packaged", fixture.dir), 0);
        fixture.manager->path.n_enabled = 1;
        scratch_write_text(fixture.dir, "packaged/a.session", text);
        scratch_write_text(fixture.dir, "packaged/b.session", text);
        expect_reload("a added;b added;");
        ck_assert_int_eq(session_view(session("a")).state, SESSION_INACTIVE);
        write_session_file("a.session", text);
        write_session_file("b.session.d/x.conf", "[Session]\nEnabled=yes\n");
        expect_reload("a changed;b changed;");
        ck_assert_int_eq(session_view(session("a")).state, SESSION_RECORDING);
        ck_assert_int_eq(session_view(session("b")).state, SESSION_INACTIVE);
        ck_assert_int_eq(run_verb(manager_stop, "a"), 0);
        expect_reload("");
        ck_assert_int_eq(session_view(session("a")).state, SESSION_INACTIVE);
}
END_TEST

START_TEST(test_a_stopped_one_stays_stopped) {
        write_session("a", "", "");
        start_daemon();
        await_state("a", SESSION_RECORDING);
        ck_assert_int_eq(run_verb(manager_stop, "a"), 0);
        write_session("a", "-F 10", "");
        expect_reload("a changed;");
        ck_assert_int_eq(session_view(session("a")).state, SESSION_INACTIVE);
}
END_TEST

START_TEST(test_a_bad_file_changes_nothing_that_runs) {
        pid_t before;

        write_session("a", "", "");
        start_daemon();
        await_state("a", SESSION_RECORDING);
        before = pid_of("a");
        write_session("a", "", "Restart=perhaps");
        expect_bad_file("a bad-setting;", "a: ");
        expect_bad_file("", "/a.session:"); /* also when it is not new */
        ck_assert_int_eq(pid_of("a"), before);
        ck_assert_int_eq(session_view(session("a")).state, SESSION_RECORDING);
        ck_assert_ptr_nonnull(strstr(session_view(session("a")).error, "perhaps")
                                      ?: strstr(session_view(session("a")).error, "Restart"));
        ck_assert_int_eq(run_verb(manager_restart, "a"), FAILURE_BAD_SETTING);
        ck_assert_int_eq(pid_of("a"), before);
        write_session("a", "", "");
        expect_reload("");
        ck_assert_str_eq(session_view(session("a")).error, "");
        ck_assert_int_eq(pid_of("a"), before);
}
END_TEST

/* A failed call has no rows. */
START_TEST(test_a_failure_names_misnamed_files) {
        write_session("a", "", "Restart=perhaps");
        write_session_file("b d.session", "[Record]\nEvent=cpu-clock\n");
        start_daemon();
        fixture.done = false;
        manager_reload(fixture.manager, on_reloaded, NULL);
        ck_assert(private_bus_wait(&fixture.bus, &fixture.done));
        ck_assert_int_eq(fixture.failure, FAILURE_BAD_SETTING);
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "a: /"));
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "/b d.session: not the name of a session file"));
}
END_TEST

START_TEST(test_a_bad_one_that_is_stopped) {
        write_session("a", "", "");
        start_daemon();
        await_state("a", SESSION_RECORDING);
        write_session("a", "", "Restart=perhaps");
        expect_bad_file("a bad-setting;", "a: ");
        ck_assert_int_eq(run_verb(manager_stop, "a"), 0);
        ck_assert_int_eq(session_view(session("a")).state, SESSION_BAD_SETTING);
        ck_assert_int_eq(run_verb(manager_start, "a"), FAILURE_BAD_SETTING);
        write_session("a", "", "");
        expect_reload("a changed;");
        ck_assert_int_eq(session_view(session("a")).state, SESSION_RECORDING);
}
END_TEST

START_TEST(test_a_bad_one_that_is_mended_starts) {
        write_session("a", "", "Restart=perhaps");
        start_daemon();
        ck_assert_int_eq(session_view(session("a")).state, SESSION_BAD_SETTING);
        write_session("a", "", "");
        expect_reload("a changed;");
        ck_assert_int_eq(session_view(session("a")).state, SESSION_RECORDING);
}
END_TEST

/* A session that failed is tried again with its changed file, whatever the failure was. */
START_TEST(test_a_failed_one_that_is_mended_starts) {
        write_session("a", "--fake-fail=nonsense --fake-errno=22", "");
        start_daemon();
        await_state("a", SESSION_FAILED);
        write_session("a", "", "");
        expect_reload("a changed;");
        ck_assert_int_eq(session_view(session("a")).state, SESSION_RECORDING);
        ck_assert_str_eq(session_view(session("a")).error, "");
}
END_TEST

/* The answer says which sessions do not record with what was read; the others do. */
START_TEST(test_one_that_cannot_record_any_more) {
        start_a_and_b("", "");
        follow_reloads();
        write_session("a", "--fake-fail=nonsense --fake-errno=22", "");
        write_session("b", "-F 10", "");
        write_session("c", "--fake-fail=rubbish --fake-errno=22", "");
        expect_answer("a changed;b changed;c added;", FAILURE_RECORDER);
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "a: it exited with status 1: nonsense"));
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "c: it exited with status 1: rubbish"));
        ck_assert_ptr_null(strstr(fixture.sentence, "b: "));
        ck_assert_ptr_nonnull(strchr(fixture.sentence, '\n'));
        ck_assert_int_eq(session_view(session("a")).state, SESSION_FAILED);
        ck_assert_int_eq(session_view(session("b")).state, SESSION_RECORDING);
        expect_reload("");
}
END_TEST

/* The last dump does not fit, and a recorder with other settings takes over nothing. */
START_TEST(test_a_full_disk) {
        start_a_and_b("--fake-keep=3 --fake-full", "--fake-keep=3 --fake-full");
        follow_reloads();
        write_session("a", "--fake-keep=3", "");
        remove_session_file("b.session");
        expect_answer("a changed;b removed;", FAILURE_NO_SPACE);
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "a: what it had in memory is lost, and it is started again: "));
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "b: what it had in memory is lost: "));
        await_state("a", SESSION_RECORDING);
}
END_TEST

START_TEST(test_a_mask) {
        _cleanup_free_ char *path = path_join(fixture.dir, "sessions/a.session");

        write_session("a", "", "");
        start_daemon();
        await_state("a", SESSION_RECORDING);
        remove_session_file("a.session");
        ck_assert_int_eq(symlink("/dev/null", path), 0);
        expect_reload("a masked;");
        run_loop(50 * USEC_PER_MSEC);
        ck_assert_ptr_null(sessions_find(manager_sessions(fixture.manager), "a"));
        ck_assert_int_eq(run_verb(manager_start, "a"), FAILURE_NO_SUCH_SESSION);
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "masked"));
}
END_TEST

START_TEST(test_gone_and_back) {
        write_session("a", "--fake-deaf", "");
        start_daemon();
        await_state("a", SESSION_RECORDING);
        remove_session_file("a.session");
        manager_reload(fixture.manager, on_reloaded, NULL);
        ck_assert_int_eq(session_view(session("a")).state, SESSION_STOPPING);
        write_session("a", "", "");
        manager_reload(fixture.manager, on_reloaded, NULL);
        ck_assert_int_eq(session_kill(session("a"), SIGKILL), 0);
        await_state("a", SESSION_STARTING);
        await_state("a", SESSION_RECORDING);
        ck_assert_str_eq(session_view(session("a")).command, "-e cpu-clock");
}
END_TEST

START_TEST(test_an_instance) {
        pid_t x;

        write_session("unit@", "--fake-line=%i", "");
        start_daemon();
        ck_assert_int_eq(run_verb(manager_start, "unit@x"), 0);
        ck_assert_int_eq(run_verb(manager_start, "unit@y"), 0);
        ck_assert_int_eq(run_verb(manager_stop, "unit@y"), 0);
        x = pid_of("unit@x");
        run_loop(50 * USEC_PER_MSEC);
        /* An instance that does not run is not loaded. */
        ck_assert_ptr_null(sessions_find(manager_sessions(fixture.manager), "unit@y"));
        expect_reload("");
        ck_assert_int_eq(pid_of("unit@x"), x);
        run_loop(50 * USEC_PER_MSEC);
        write_session("unit@", "--fake-line=%i -F 10", "");
        expect_reload("unit@x changed;");
        ck_assert_int_ne(pid_of("unit@x"), x);
        remove_session_file("unit@.session");
        expect_reload("unit@x removed;");
        run_loop(50 * USEC_PER_MSEC);
        ck_assert_uint_eq(manager_sessions(fixture.manager)->n, 0);
}
END_TEST

START_TEST(test_a_change_is_noticed) {
        write_session("a", "", "");
        daemon_start();
        await_state("a", SESSION_RECORDING);
        write_session("a", "-F 10", "Description=Other");
        await_state("a", SESSION_STOPPING);
        await_state("a", SESSION_RECORDING);
        ck_assert_str_eq(session_view(session("a")).description, "Other");
}
END_TEST

/* Settings that only the daemon uses apply at once. */
START_TEST(test_a_recorder_is_not_restarted_for_nothing) {
        pid_t before;

        write_session("a", "", "");
        write_session("failed", "--fake-fail=nonsense --fake-errno=22", "");
        start_daemon();
        await_state("a", SESSION_RECORDING);
        await_state("failed", SESSION_FAILED);
        before = pid_of("a");
        write_session("a", "", "Description=Other\nEnabled=no\nRestart=no\nStartLimitBurst=9\n[Storage]\nMaxFiles=3\n");
        write_session("failed", "--fake-fail=nonsense --fake-errno=22", "Enabled=yes");
        expect_reload("a changed;failed changed;");
        ck_assert_int_eq(pid_of("a"), before);
        ck_assert_str_eq(session_view(session("a")).description, "Other");
        ck_assert_int_eq(session("a")->config.settings->restart, RESTART_NO);
        ck_assert(!session("a")->config.enabled);
        ck_assert_int_eq(session_view(session("failed")).state, SESSION_FAILED);
        write_session("a", "", "[Storage]\nCompress=zstd\n");
        expect_reload("a changed;");
        ck_assert_int_ne(pid_of("a"), before);
}
END_TEST

/* A caller that wrote a file finds its session, and the error for a missing one has the reason. */
START_TEST(test_catching_up) {
        _cleanup_free_ char *none = NULL, *masked = NULL, *instance = NULL;

        write_session("a", "", "");
        daemon_start();
        write_session("b", "", "Enabled=no");
        ck_assert_ptr_null(sessions_find(manager_sessions(fixture.manager), "b"));
        manager_catch_up(fixture.manager);
        ck_assert_ptr_nonnull(sessions_find(manager_sessions(fixture.manager), "b"));

        write_session_file("a.session", "");
        write_session("t@", "", "");
        manager_catch_up(fixture.manager);
        masked = sessions_explain_missing(manager_sessions(fixture.manager), "a");
        ck_assert_ptr_nonnull(strstr(masked, "'a' is masked by /"));
        ck_assert_ptr_nonnull(strstr(masked, "/a.session: remove that file first"));
        instance = sessions_explain_missing(manager_sessions(fixture.manager), "t@1");
        ck_assert_str_eq(instance, "The session 't@1' was not started yet: start it first");
        none = sessions_explain_missing(manager_sessions(fixture.manager), "nosuch");
        ck_assert_str_eq(none, "There is no session 'nosuch': 'perfctl list' shows all");
}
END_TEST

static void on_pinged(Failure failure, const char *sentence, const PingRow *rows, size_t n_rows, void *userdata) {
        fixture.failure = failure;
        changes[0] = '\0';
        for (size_t i = 0; i < n_rows; i++)
                snprintf(changes + strlen(changes), sizeof(changes) - strlen(changes), "%s %s;", rows[i].name, rows[i].status);
        fixture.done = true;
}

static void expect_pong(char *const *names, const char *row, bool expected) {
        fixture.done = false;
        manager_ping(fixture.manager, names, 0, on_pinged, NULL);
        ck_assert(private_bus_wait(&fixture.bus, &fixture.done));
        ck_assert_int_eq(strstr(changes, row) != NULL, expected);
}

/* error: of the daemon's own settings, in the service's status and in the answer of a ping of all; NULL: none. */
static void expect_service_health(const char *error) {
        char *const names[] = { (char *) "a", NULL };
        _cleanup_free_ char *text = NULL;

        ck_assert_int_eq(manager_describe_status(fixture.manager, &text), 0);
        ck_assert_int_eq(strstr(text, "; the daemon's settings are rejected: ") != NULL, error != NULL);
        if (error)
                ck_assert_ptr_nonnull(strstr(text, error));
        expect_pong(NULL, "perf-recorderd.conf bad-setting;", error != NULL);
        expect_pong(names, "perf-recorderd.conf", false);
}

START_TEST(test_settings_of_the_daemon) {
        write_session("a", "", "Enabled=no");
        start_daemon();
        scratch_write_text(fixture.dir, "configuration/perf-recorderd.conf", "[Recorder]\nMaxSessions=7\n");
        expect_reload("perf-recorderd.conf changed;");
        expect_reload("");
        expect_service_health(NULL);
        ck_assert_uint_eq(fixture.manager->host.settings.max_sessions, 7);
        scratch_write_text(fixture.dir, "configuration/perf-recorderd.conf", "[Recorder]\nMaxSessions=many\n");
        write_session("b", "", "Enabled=no");
        write_session("c", "--fake-fail=nonsense --fake-errno=22", "");
        expect_answer("b added;c added;", FAILURE_BAD_SETTING);
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "perf-recorderd.conf:2: "));
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "\nc: it exited with status 1: nonsense"));
        ck_assert_uint_eq(fixture.manager->host.settings.max_sessions, 7);
        expect_service_health("perf-recorderd.conf:2: MaxSessions: ");
        scratch_write_text(fixture.dir, "configuration/perf-recorderd.conf", "[Recorder]\nMaxSessions=7\n");
        manager_reload(fixture.manager, NULL, NULL); /* as after a change that inotify reports */
        expect_service_health(NULL);
        scratch_write_text(fixture.dir, "configuration/perf-recorderd.conf", "[Recorder]\nMaxSesions=8\n");
        fixture.done = false;
        manager_reload(fixture.manager, on_reloaded, NULL);
        ck_assert(private_bus_wait(&fixture.bus, &fixture.done));
        ck_assert_int_eq(fixture.failure, FAILURE_NONE);
        ck_assert_ptr_nonnull(strstr(changes, "perf-recorderd.conf:2: MaxSesions: unknown key in [Recorder] warning;"));
        ck_assert_ptr_nonnull(strstr(changes, "perf-recorderd.conf changed;"));
}
END_TEST

static bool write_proc(const char *path, const char *text) {
        _cleanup_close_ int fd = open(path, O_WRONLY | O_CLOEXEC);

        return fd >= 0 && write(fd, text, strlen(text)) > 0;
}

/* In a user namespace of this test's own, in which everybody stays who they are. */
static bool forbid_inotify(void) {
        char uids[64], gids[64];

        (void) snprintf(uids, sizeof(uids), "%u %u 1", geteuid(), geteuid());
        (void) snprintf(gids, sizeof(gids), "%u %u 1", getegid(), getegid());
        return unshare(CLONE_NEWUSER) >= 0 && write_proc("/proc/self/setgroups", "deny") && write_proc("/proc/self/uid_map", uids) &&
               write_proc("/proc/self/gid_map", gids) && write_proc("/proc/sys/user/max_inotify_instances", "0");
}

/* Without inotify(7) the journal says what to do instead, and that does it. */
START_TEST(test_no_inotify) {
        _cleanup_free_ char *path = path_join(fixture.dir, "stderr"), *text = NULL;
        const char *told;
        int fd, saved;

        if (!forbid_inotify())
                return;
        fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        saved = dup(STDERR_FILENO);
        ck_assert_int_ge(dup2(fd, STDERR_FILENO), 0);
        daemon_start();
        write_session("late", "", "");
        run_loop(500 * USEC_PER_MSEC);
        ck_assert_ptr_null(sessions_find(&fixture.manager->sessions, "late"));
        expect_reload("late added;");
        expect_reload("");
        ck_assert_int_ge(dup2(saved, STDERR_FILENO), 0);
        await_state("late", SESSION_RECORDING);
        ck_assert_int_eq(read_file(path, 65536, &text, NULL), 0);
        told = strstr(text, "Changes of session files are not noticed, run `perfctl reload' after a change: there are too many users of "
                            "inotify(7) (fs.inotify.max_user_instances)");
        ck_assert_ptr_nonnull(told);
        ck_assert_ptr_null(strstr(told + 1, "Changes of session files"));
        (void) close(saved);
        (void) close(fd);
}
END_TEST

CHECK_MAIN_WITH("manager-reload", daemon_fixture_setup, daemon_fixture_teardown, test_only_what_changed_restarts,
                test_added_and_removed, test_a_packaged_one_is_replaced,
                test_a_stopped_one_stays_stopped, test_a_bad_file_changes_nothing_that_runs,
                test_a_failure_names_misnamed_files,
           test_a_bad_one_that_is_stopped, test_a_bad_one_that_is_mended_starts, test_a_failed_one_that_is_mended_starts,
                test_one_that_cannot_record_any_more, test_a_full_disk,
                test_a_mask, test_gone_and_back,
                test_an_instance, test_a_change_is_noticed, test_a_recorder_is_not_restarted_for_nothing, test_catching_up,
                test_settings_of_the_daemon, test_no_inotify);
