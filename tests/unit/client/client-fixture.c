/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A dbus-daemon and a mock service for one test, and perfctl run in a shell. The bus can activate the mock, as it does
 * the daemon. */

#include "client-fixture.h"

#include <check.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "scratch.h"

static const char bus_configuration[] =
        "<!DOCTYPE busconfig PUBLIC '-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN'"
        " 'http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd'>"
        "<busconfig><limit name='max_completed_connections'>64</limit>"
        "<listen>unix:path=%s/bus</listen><auth>EXTERNAL</auth><servicedir>%s/services</servicedir>"
        "<policy context='default'><allow user='*'/><allow own='*'/>"
        "<allow send_destination='*' eavesdrop='false'/><allow eavesdrop='false'/></policy></busconfig>";

static const char service_file[] =
        "[D-BUS Service]\nName=org.perfrecorder1\n"
        "Exec=/usr/bin/env DBUS_SYSTEM_BUS_ADDRESS=unix:path=%s/bus %s --log=%s/log\n";

/* Runs the program, and waits until it is ready, for a line on its standard output. */
static pid_t start(char *const *command) {
        int pipe_fds[2];
        char c;
        pid_t pid;

        ck_assert_int_eq(pipe2(pipe_fds, O_CLOEXEC), 0);
        pid = fork();
        ck_assert_int_ge(pid, 0);
        if (pid == 0) {
                (void) prctl(PR_SET_PDEATHSIG, SIGKILL);
                (void) dup2(pipe_fds[1], STDOUT_FILENO);
                (void) execvp(command[0], command);
                _exit(127);
        }
        (void) close(pipe_fds[1]);
        ck_assert_msg(read(pipe_fds[0], &c, 1) == 1, "%s did not start", command[0]);
        /* kept open: its later output must not kill it */
        return pid;
}

static void set_environment(const Fixture *f) {
        _cleanup_free_ char *address = NULL, *sessions = path_join(f->dir, "sessions.d");

        ck_assert_int_gt(asprintf(&address, "unix:path=%s/bus", f->dir), 0);
        (void) setenv("DBUS_SYSTEM_BUS_ADDRESS", address, 1);
        (void) setenv("DBUS_SESSION_BUS_ADDRESS", address, 1);
        (void) setenv("PERF_RECORDER_SESSION_PATH", sessions, 1);
        (void) setenv("PERF_RECORDER_VIEW", VIEWER, 1);
        (void) setenv("TMPDIR", f->dir, 1);
        (void) setenv("HOME", f->dir, 1);
        (void) setenv("LC_ALL", "C.UTF-8", 1);
        (void) setenv("TZ", "UTC", 1);
        (void) unsetenv("SYSTEMD_COLORS");
        (void) unsetenv("COLUMNS");
}

void fixture_init(Fixture *f, bool installed) {
        _cleanup_free_ char *configuration = NULL, *service = NULL, *option = NULL;

        /* not below /tmp, where the perf that it runs would not see it */
        (void) setenv("TMPDIR", "/var/tmp", 1);
        *f = (Fixture){ .dir = scratch_new() };
        ck_assert_int_gt(asprintf(&configuration, bus_configuration, f->dir, f->dir), 0);
        scratch_write_text(f->dir, "bus.conf", configuration);
        ck_assert_int_gt(asprintf(&service, service_file, f->dir, MOCK_SERVICE, f->dir), 0);
        scratch_write_text(f->dir, installed ? "services/org.perfrecorder1.service" : "services/none", service);
        ck_assert_int_gt(asprintf(&option, "--config-file=%s/bus.conf", f->dir), 0);
        set_environment(f);
        f->bus = start((char *[]){ (char *) "dbus-daemon", option, (char *) "--nofork", (char *) "--print-address",
                                   NULL });
}

static void end(pid_t pid) {
        if (pid <= 0)
                return;
        (void) kill(pid, SIGKILL);
        (void) waitpid(pid, NULL, 0);
}

void fixture_done(Fixture *f) {
        end(f->service);
        end(f->systemd);
        end(f->bus);
        scratch_done(&f->dir);
}

void fixture_start_service(Fixture *f) {
        _cleanup_free_ char *log = NULL;

        ck_assert_int_gt(asprintf(&log, "--log=%s/log", f->dir), 0);
        f->service = start((char *[]){ (char *) MOCK_SERVICE, log, NULL });
}

void fixture_start_systemd(Fixture *f, const char *unit_state) {
        _cleanup_free_ char *unit = NULL;

        ck_assert_int_gt(asprintf(&unit, "--unit=%s", unit_state), 0);
        f->systemd = start((char *[]){ (char *) MOCK_SERVICE, unit, NULL });
}

bool fixture_service_runs(const Fixture *f) {
        return f->service > 0 && waitpid(f->service, NULL, WNOHANG) == 0;
}

static char *read_all(const char *dir, const char *name) {
        _cleanup_free_ char *path = path_join(dir, name);
        char *text;

        return read_file(path, 1024 * 1024, &text, NULL) < 0 ? strdup("") : text;
}

Run perfctl(const char *arguments) {
        const char *dir = getenv("TMPDIR");
        _cleanup_free_ char *line = NULL;
        int status;

        ck_assert_int_gt(asprintf(&line, "%s </dev/null %s >%s/out 2>%s/err", PERFCTL, arguments, dir, dir), 0);
        status = system(line);
        ck_assert(WIFEXITED(status));
        return (Run){ .out = read_all(dir, "out"), .err = read_all(dir, "err"), .status = WEXITSTATUS(status) };
}

void run_done(Run *r) {
        free(r->out);
        free(r->err);
}

static void check_status(const char *arguments, const Run *r, int status) {
        ck_assert_msg(r->status == status, "perfctl %s: exit status %d, not %d\nout: %s\nerr: %s", arguments,
                      r->status, status, r->out, r->err);
}

void expect(const char *arguments, int status, const char *out, const char *err) {
        _cleanup_run_ Run r = perfctl(arguments);

        check_status(arguments, &r, status);
        if (out)
                ck_assert_msg(streq(r.out, out), "perfctl %s printed:\n%s\ninstead of:\n%s", arguments, r.out, out);
        if (err)
                ck_assert_msg(streq(r.err, err), "perfctl %s complained:\n%s\ninstead of:\n%s", arguments, r.err, err);
}

void expect_like(const char *arguments, int status, const char *out, const char *err) {
        _cleanup_run_ Run r = perfctl(arguments);

        check_status(arguments, &r, status);
        if (out)
                ck_assert_msg(strstr(r.out, out), "perfctl %s printed:\n%s\nwithout:\n%s", arguments, r.out, out);
        if (err)
                ck_assert_msg(strstr(r.err, err), "perfctl %s complained:\n%s\nwithout:\n%s", arguments, r.err, err);
}

void expect_calls(const Fixture *f, const char *calls) {
        _cleanup_free_ char *text = read_all(f->dir, "log"), *path = path_join(f->dir, "log");

        ck_assert_str_eq(text, calls);
        (void) unlink(path);
}
