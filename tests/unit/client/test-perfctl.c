/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perfctl's verbs that call the service, end to end on a private bus: their calls, their output, their exit status. */

#include <signal.h>
#include <stdarg.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "check-main.h"
#include "client-fixture.h"
#include "fd-file.h"
#include "parse-time.h"
#include "scratch.h"

#define NOT_RUNNING "perf-recorderd is not running; 'perfctl start' starts it\n"
#define NOT_STARTING "perf-recorderd is not installed or does not start; see 'systemctl status perf-recorderd'\n"

#define WITH_SERVICE                                        \
        _cleanup_(fixture_done) Fixture f = {};             \
        fixture_init(&f, true);                             \
        fixture_start_service(&f)

#define WITHOUT_SERVICE                                     \
        _cleanup_(fixture_done) Fixture f = {};             \
        fixture_init(&f, true)

START_TEST(test_list) {
        WITH_SERVICE;
        static const char table[] =
                "SESSION STATE      PID UP REACH SAMPLES LOST DESCRIPTION\n"
                "cpu     recording 1001 2h 12.3s   12345    3 CPU samples of the whole machine, with all stacks\n"
                "sched   failed       - -  -           0    0 sched\n"
                "web@1   inactive     - -  -           0    0 Web server ?[31m1\n"
                "\n"
                "3 sessions listed, 1 running.\n";

        expect("list", 0, table, "");
        expect("", 0, table, "");
        expect("list 'w*' --no-legend", 0, "web@1 inactive - - - 0 0 Web server ?[31m1\n", "");
        expect("list --session=sched --no-legend", 0, "sched failed - - - 0 0 sched\n", "");
        expect("list --state=failed,waiting --no-legend", 0, "sched failed - - - 0 0 sched\n", "");
        expect("list --state=paused --no-legend", 0, "", "");
        expect("list none", 0, "0 sessions listed, 0 running.\n", "");
        expect_like("list cpu", 0, "\n1 session listed, 1 running.\n", "");
}
END_TEST

/* Formats for programs have the state and the error apart. */
START_TEST(test_runs_with_error) {
        WITH_SERVICE;

        expect("start slow", 0, "", "");
        expect("list slow", 0, "SESSION STATE              PID UP REACH SAMPLES LOST DESCRIPTION\n"
               "slow    recording (error) 1002 2h 12.3s       5    0 Slow disk\n"
               "\n"
               "1 session listed, 1 running, 1 of these with an error (perfctl status shows it).\n", "");
        expect_like("list slow --json=short", 0, "[{\"session\":\"slow\",\"state\":\"recording\",", "");
        expect_like("list slow --json=short", 0, "\"error\":\"The disk is full\"", "");
        expect_like("list --state=recording --no-legend", 0, "slow recording (error) 1002", "");
        expect_like("status", 0, "   Sessions: 4 (2 running, 1 of these with an error, 1 failed)\n", "");
        expect_like("status", 0, "             ├─slow  recording   Slow disk\n"
                                 "             │       The disk is full\n"
                                 "             └─web@1 inactive ", "");
}
END_TEST

START_TEST(test_list_width) {
        WITH_SERVICE;

        (void) setenv("COLUMNS", "60", 1);
        expect_like("list cpu", 0, "CPU samples of…\n", "");
        expect_like("list cpu --full", 0, "with all stacks\n", "");
        (void) setenv("SYSTEMD_COLORS", "1", 1);
        expect_like("list cpu", 0, "cpu     \033[0;1;32mrecording\033[0m 1001", "");
}
END_TEST

/* A line of the tree fits the terminal, however long a name is. */
START_TEST(test_status_width) {
        WITH_SERVICE;

        expect("start long", 0, "", "");
        expect("list pay* --no-legend", 0, "payments-of-the-shop@europe-1 recording 1003 2h 12.3s - 0 Payments of all shops of Europe\n", "");
        expect_like("status payments-of-the-shop@europe-1", 0, "    Samples: not known (lost: 0)\n", "");
        expect_like("status", 0, "             ├─cpu                           recording   CPU samples of the whole machine, with all stacks\n", "");
        (void) setenv("COLUMNS", "80", 1);
        expect_like("status", 0, "             ├─payments-of-the-shop@europe-1 recording   Payments of all shops…\n", "");
        (void) setenv("COLUMNS", "60", 1);
        expect_like("status", 0, "             ├─cpu          recording   CPU samples of the…\n"
                                 "             ├─payments-of… recording   Payments of all…\n"
                                 "             ├─sched        failed", "");
        expect_like("status --full", 0, "             ├─payments-of-the-shop@europe-1 recording   Payments of all shops of Europe\n", "");
        (void) setenv("COLUMNS", "30", 1);
        expect_like("status", 0, "             ├─payment… recording   …\n", "");
}
END_TEST

START_TEST(test_metrics) {
        WITH_SERVICE;

        expect("metrics", 0,
               "# TYPE perf_recorder_session info\n"
               "# HELP perf_recorder_session The scope of the session's recorder, and the state of the session.\n"
               "perf_recorder_session_info{session=\"cpu\",unit=\"perf-session-cpu.scope\",state=\"recording\"} 1\n"
               "perf_recorder_session_info{session=\"sched\",unit=\"\",state=\"failed\"} 1\n"
               "perf_recorder_session_info{session=\"web@1\",unit=\"\",state=\"inactive\"} 1\n"
               "# TYPE perf_recorder_session_samples counter\n"
               "# HELP perf_recorder_session_samples Samples recorded since the recorder started.\n"
               "perf_recorder_session_samples_total{session=\"cpu\"} 12345\n"
               "perf_recorder_session_samples_total{session=\"sched\"} 0\n"
               "# TYPE perf_recorder_session_lost counter\n"
               "# HELP perf_recorder_session_lost Samples that the kernel or a full disk dropped.\n"
               "perf_recorder_session_lost_total{session=\"cpu\"} 3\n"
               "perf_recorder_session_lost_total{session=\"sched\"} 0\n"
               "# TYPE perf_recorder_session_throttled counter\n"
               "# HELP perf_recorder_session_throttled Times that the kernel throttled an event.\n"
               "perf_recorder_session_throttled_total{session=\"cpu\"} 0\n"
               "perf_recorder_session_throttled_total{session=\"sched\"} 0\n"
               "# TYPE perf_recorder_session_written_bytes counter\n"
               "# UNIT perf_recorder_session_written_bytes bytes\n"
               "# HELP perf_recorder_session_written_bytes Bytes written to files since the recorder started.\n"
               "perf_recorder_session_written_bytes_total{session=\"cpu\"} 4194304\n"
               "perf_recorder_session_written_bytes_total{session=\"sched\"} 4194304\n"
               "# TYPE perf_recorder_session_dumps counter\n"
               "# HELP perf_recorder_session_dumps Files of samples finished since the recorder started.\n"
               "perf_recorder_session_dumps_total{session=\"cpu\"} 5\n"
               "perf_recorder_session_dumps_total{session=\"sched\"} 0\n"
               "# TYPE perf_recorder_session_restarts counter\n"
               "# HELP perf_recorder_session_restarts Times that the recorder was restarted after it ended.\n"
               "perf_recorder_session_restarts_total{session=\"cpu\"} 0\n"
               "perf_recorder_session_restarts_total{session=\"sched\"} 0\n"
               "perf_recorder_session_restarts_total{session=\"web@1\"} 0\n"
               "# TYPE perf_recorder_session_cpu_seconds counter\n"
               "# UNIT perf_recorder_session_cpu_seconds seconds\n"
               "# HELP perf_recorder_session_cpu_seconds CPU time used in the scope of the recorder.\n"
               "perf_recorder_session_cpu_seconds_total{session=\"cpu\"} 61.0702\n"
               "# TYPE perf_recorder_session_history_seconds gauge\n"
               "# UNIT perf_recorder_session_history_seconds seconds\n"
               "# HELP perf_recorder_session_history_seconds Age of the oldest sample that a dump made now would have.\n"
               "perf_recorder_session_history_seconds{session=\"cpu\"} 12.345678\n"
               "# TYPE perf_recorder_event_count counter\n"
               "# HELP perf_recorder_event_count Count of the event, not scaled.\n"
               "perf_recorder_event_count_total{session=\"cpu\",event=\"sched:\\\"a\\\"\",unit=\"web-1.service\",cpu=\"0\"} 1000\n"
               "perf_recorder_event_count_total{session=\"cpu\",event=\"sched:\\\"a\\\"\",unit=\"web-2.service\",cpu=\"1\"} "
               "18446744073709551615\n"
               "perf_recorder_event_count_total{session=\"cpu\",event=\"faults\",unit=\"\",cpu=\"\"} 0\n"
               "# TYPE perf_recorder_event_running_ratio gauge\n"
               "# UNIT perf_recorder_event_running_ratio ratio\n"
               "# HELP perf_recorder_event_running_ratio Part of the time in which the event had a counter of the CPU.\n"
               "perf_recorder_event_running_ratio{session=\"cpu\",event=\"sched:\\\"a\\\"\",unit=\"web-1.service\",cpu=\"0\"} 0.666667\n"
               "perf_recorder_event_running_ratio{session=\"cpu\",event=\"sched:\\\"a\\\"\",unit=\"web-2.service\",cpu=\"1\"} 1\n"
               "# EOF\n", "");
        expect_calls(&f, "ListCounts (no auto start)\n");
}
END_TEST

/* The samples of an unknown number are left out. */
START_TEST(test_metrics_of_some) {
        WITH_SERVICE;
        static const char *const samples = "perf_recorder_session_samples_total{session=\"cpu\"} 12345\n"
                                           "# TYPE perf_recorder_session_lost counter\n";

        expect("start long", 0, "", "");
        expect_like("metrics 'c*' 'p*'", 0, samples, "");
        expect_like("metrics --session=cpu", 0, samples, "");
        expect_like("metrics 'c*' 'p*'", 0, "perf_recorder_session_lost_total{session=\"payments-of-the-shop@europe-1\"} 0\n", "");
        expect_like("metrics none", 0, "# HELP perf_recorder_session_dumps Files of samples finished since the recorder started.\n"
                                       "# TYPE perf_recorder_session_restarts counter\n", "");
}
END_TEST

/* In the format of node_exporter's collector, and readable for its user. */
START_TEST(test_metrics_textfile) {
        WITH_SERVICE;
        _cleanup_free_ char *path = path_join(f.dir, "perf-recorder.prom"), *arguments = NULL, *missing = NULL, *text = NULL;
        struct stat st;
        mode_t mask;

        ck_assert_int_gt(asprintf(&arguments, "metrics cpu --textfile=%s", path), 0);
        ck_assert_int_gt(asprintf(&missing, "metrics cpu --textfile=%s/none/x.prom", f.dir), 0);
        scratch_write_text(f.dir, "perf-recorder.prom", "stale\n");
        mask = umask(0077);
        expect(arguments, 0, "", "");
        (void) umask(mask);
        ck_assert_int_eq(stat(path, &st), 0);
        ck_assert_uint_eq(st.st_mode & 07777, 0644);
        ck_assert_int_eq(read_file(path, 64 * 1024, &text, NULL), 0);
        ck_assert_ptr_null(strstr(text, "stale"));
        ck_assert_ptr_null(strstr(text, "# EOF"));
        ck_assert_ptr_null(strstr(text, "# UNIT"));
        ck_assert(startswith(text, "# TYPE perf_recorder_session_info gauge\n"
                                   "# HELP perf_recorder_session_info The scope"));
        ck_assert_ptr_nonnull(strstr(text, "\n# TYPE perf_recorder_session_written_bytes_total counter\n"
                                           "# HELP perf_recorder_session_written_bytes_total Bytes written"));
        ck_assert_ptr_nonnull(strstr(text, "\n# TYPE perf_recorder_session_history_seconds gauge\n"));
        expect(missing, 1, "", "Failed to write the metrics: No such file or directory\n");
}
END_TEST

/* A listener such as perf-recorder-metrics.socket starts. */
typedef struct Listener {
        pid_t pid;
        struct sockaddr_un address;
} Listener;

static void listener_start(Listener *l, const Fixture *f) {
        _cleanup_close_ int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        _cleanup_free_ char *err = path_join(f->dir, "listener-err");
        char pid[16];

        l->address = (struct sockaddr_un) { .sun_family = AF_UNIX };
        (void) snprintf(l->address.sun_path, sizeof(l->address.sun_path), "%s/listener", f->dir);
        ck_assert_int_eq(bind(fd, (const struct sockaddr *) &l->address, sizeof(l->address)), 0);
        ck_assert_int_eq(listen(fd, 16), 0);
        l->pid = fork();
        if (l->pid > 0)
                return;
        (void) snprintf(pid, sizeof(pid), "%d", getpid());
        (void) setenv("LISTEN_PID", pid, 1);
        (void) setenv("LISTEN_FDS", "1", 1);
        (void) dup2(open(err, O_WRONLY | O_CREAT | O_CLOEXEC, 0600), STDERR_FILENO);
        (void) (fd == 3 ? fcntl(fd, F_SETFD, 0) : dup2(fd, 3));
        (void) execl(PERFCTL, "perfctl", "metrics", "--http", NULL);
        _exit(EXIT_FAILURE);
}

/* It runs until it is told to end, and wrote nothing, which would be in the journal. */
static void listener_stop(const Listener *l, const Fixture *f) {
        _cleanup_free_ char *path = path_join(f->dir, "listener-err"), *err = NULL;
        int status;

        ck_assert_int_eq(kill(l->pid, SIGTERM), 0);
        ck_assert_int_eq(waitpid(l->pid, &status, 0), l->pid);
        ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
        ck_assert_int_eq(read_file(path, 4096, &err, NULL), 0);
        ck_assert_str_eq(err, "");
}

static char *scrape(const Listener *l, const char *request) {
        _cleanup_close_ int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        char *text = calloc(1, 64 * 1024);

        ck_assert_int_eq(connect(fd, (const struct sockaddr *) &l->address, sizeof(l->address)), 0);
        ck_assert_int_eq(write_all(fd, request, strlen(request)), 0);
        ck_assert_int_ge(recv(fd, text, 64 * 1024 - 1, MSG_WAITALL), 0);
        return text;
}

/* The answer has the headers and, after them, a body of the length that they say. */
static void check_answer(const Listener *l, const char *request, const char *headers, const char *body) {
        _cleanup_free_ char *text = scrape(l, request);
        const char *end = strstr(text, "\r\n\r\n"), *length = strstr(text, "\r\nContent-Length: ");

        ck_assert_msg(startswith(text, headers), "%s", text);
        ck_assert(end && length && length < end);
        ck_assert_uint_eq(strtoul(length + strlen("\r\nContent-Length: "), NULL, 10), strlen(end + 4));
        ck_assert_msg(startswith(end + 4, body), "%s", end);
}

START_TEST(test_metrics_http) {
        WITH_SERVICE;
        Listener l;

        listener_start(&l, &f);
        check_answer(&l, "GET /metrics HTTP/1.1\r\nAccept: application/openmetrics-text;version=1.0.0,text/plain;q=0.3\r\n\r\n",
                     "HTTP/1.1 200 OK\r\nContent-Type: application/openmetrics-text; version=1.0.0; charset=utf-8\r\n",
                     "# TYPE perf_recorder_session info\n");
        check_answer(&l, "GET /metrics HTTP/1.1\r\nHost: localhost:19789\r\n\r\n",
                     "HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n",
                     "# TYPE perf_recorder_session_info gauge\n");
        check_answer(&l, "GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain; charset=utf-8\r\n",
                     "404 Not Found\n");
        check_answer(&l, "POST /metrics HTTP/1.1\r\n\r\n", "HTTP/1.1 405 Method Not Allowed\r\n", "405 ");
        check_answer(&l, "nonsense\r\n\r\n", "HTTP/1.1 400 Bad Request\r\n", "400 ");
        listener_stop(&l, &f);
        expect("metrics --http", 1, "", "--http is for perf-recorder-metrics.socket: systemd passes the sockets to listen on\n");
}
END_TEST

START_TEST(test_metrics_http_without_service) {
        WITHOUT_SERVICE;
        Listener l;

        listener_start(&l, &f);
        check_answer(&l, "GET /metrics HTTP/1.1\r\n\r\n",
                     "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain; charset=utf-8\r\n",
                     "503 Service Unavailable: perf-recorderd does not answer; see 'systemctl status perf-recorderd'\n");
        listener_stop(&l, &f);
        expect_calls(&f, "");
}
END_TEST

START_TEST(test_list_perf) {
        WITH_SERVICE;
        _cleanup_free_ char *fields = NULL, *lines = NULL;

        ck_assert_int_gt(asprintf(&fields,
                                  "%i:daemon:/base:/base/output:/base/lock:180\n"
                                  "1001:cpu:-e cpu-clock -F 99 -a:/base/session-cpu:/base/session-cpu/output:"
                                  "/base/session-cpu/control:/base/session-cpu/ack:120\n", f.service), 0);
        ck_assert_int_gt(asprintf(&lines,
                                  "[%i:daemon] base: /base\n  output:  /base/output\n  lock:    /base/lock\n"
                                  "  up:      180 minutes\n[1001:cpu] perf record -e cpu-clock -F 99 -a\n"
                                  "  base:    /base/session-cpu\n  output:  /base/session-cpu/output\n"
                                  "  control: /base/session-cpu/control\n  ack:     /base/session-cpu/ack\n"
                                  "  up:      120 minutes\n", f.service), 0);
        expect("list -x:", 0, fields, "");
        expect("list -x :", 0, fields, "");
        expect("-x: list", 0, fields, "");
        expect("-x:", 0, fields, "");
        expect("list -v", 0, lines, "");
        expect("-v", 0, lines, "");
}
END_TEST

START_TEST(test_json) {
        WITH_SERVICE;

        expect("list --json=short sched", 0,
               "[{\"session\":\"sched\",\"state\":\"failed\",\"samples\":0,\"lost\":0,\"description\":\"sched\","
               "\"result\":\"exit-code\",\"error\":\"No permission to open sched:sched_switch\","
               "\"lost_records\":0}]\n", "");
        expect_like("list --json=short cpu", 0, "\"pid\":1001,\"up_usec\":7230", "");
        expect_like("list --json=pretty", 0, "    \"session\":\"cpu\",\n", "");
        expect_like("list --json=off", 0, "SESSION", "");
        expect("ping --json=short cpu", 0, "[{\"session\":\"cpu\",\"status\":\"ok\",\"round_trip_usec\":250}]\n", "");
        expect("signal --json=short cpu", 0, "[{\"session\":\"cpu\",\"pid\":1001,\"error\":0}]\n", "");
        expect("reload --json=short", 0,
               "[{\"session\":\"cpu\",\"change\":\"changed\"},{\"session\":\"web@1\",\"change\":\"added\"}]\n", "");
        expect("show cpu -p Name,Samples,DropInPaths --json=short", 0,
               "{\"Name\":\"cpu\",\"DropInPaths\":[\"/etc/p/a.conf\",\"/etc/p/b.conf\"],\"Samples\":12345}\n", "");
        expect("show cpu sched -p Name --json=short", 0, "[{\"Name\":\"cpu\"},{\"Name\":\"sched\"}]\n", "");
}
END_TEST

START_TEST(test_status) {
        WITH_SERVICE;

        expect_like("status cpu -n 0", 0,
                    "● cpu - CPU samples of the whole machine, with all stacks\n"
                    "     Loaded: loaded (/etc/p/x.session)\n"
                    "    Drop-In: /etc/p\n"
                    "             ├─a.conf\n"
                    "             └─b.conf\n"
                    "      State: recording since ", "");
        expect_like("status cpu -n 0", 0,
                    " UTC; 2h ago\n"
                    "    Command: -e cpu-clock -F 99 -a\n"
                    "   Main PID: 1001\n"
                    "      Scope: perf-session-cpu.scope\n"
                    "  Directory: /base/session-cpu\n"
                    "    Samples: 12345 (lost: 3)\n"
                    "       Lost: 19031 records of what processes did: some samples may have no symbols\n"
                    "    Written: 4M\n"
                    "     Memory: 4M in rings\n"
                    "      Reach: 12.3s\n"
                    "  Last Dump: cpu-2026112110541800 (signal); ", "");
        expect("pause cpu", 0, "", "");
        expect_like("status cpu -n 0", 0, "      State: paused, started ", ""); /* the time is not that of the pause */
        expect_like("status sched -n 0", 3, "× sched\n", "");
        expect_like("status sched -n 0", 3, "      State: failed (Result: exit-code)\n", "");
        expect_like("status sched -n 0", 3, "      Error: No permission to open sched:sched_switch\n", "");
        expect_like("status web@1 -n 0", 3, "○ web@1 - Web server ?[31m1\n", "");
        expect("status nosuch", 4, "",
               "Failed to show the status: There is no session 'nosuch', says the service\n");
        expect("status t@", 4, "", "Failed to show the status: 't@' is a template, says the service\n");
        expect_like("status cpu nosuch sched -n 0", 4, "\n\n× sched\n", "nosuch");
}
END_TEST

START_TEST(test_status_json) {
        WITH_SERVICE;

        expect_like("status cpu --json=short", 0, "{\"Name\":\"cpu\",\"Description\":\"CPU samples", "");
        expect_like("status sched --json=short", 3, "\"Error\":\"No permission to open sched:sched_switch\"", "");
        expect_like("status cpu sched --json=short", 3, "},{\"Name\":\"sched\"", "");
        expect_like("status nosuch --json=short", 4, "", "There is no session 'nosuch'");
        expect_like("status --json=short", 0, ",\"Sessions\":[{\"Name\":\"cpu\"", "");
}
END_TEST

START_TEST(test_status_daemon) {
        WITH_SERVICE;
        _cleanup_free_ char *expected = NULL;

        ck_assert_int_gt(
                        asprintf(&expected,
                                 " UTC; 3h ago\n"
                                 "   Main PID: %i\n"
                                 "  Directory: /base\n"
                                 "     Memory: 8M in rings\n"
                                 "   Sessions: 3 (1 running, 1 failed)\n"
                                 "             ├─cpu   recording   CPU samples of the whole machine, with all stacks\n"
                                 "             ├─sched failed\n"
                                 "             └─web@1 inactive    Web server ?[31m1\n",
                                 f.service),
                        0);
        expect_like("status", 0, "● perf-recorderd - perf-recorder 0.1.0\n      State: running since ", "");
        expect_like("status", 0, expected, "");
}
END_TEST

START_TEST(test_show) {
        WITH_SERVICE;

        expect_like("show cpu", 0, "Name=cpu\nDescription=CPU", "");
        expect_like("show cpu", 0, "\nDropInPaths=/etc/p/a.conf /etc/p/b.conf\n", "");
        expect_like("show cpu -p StartTimestamp", 0, " UTC\n", "");
        expect("show web@1 -p StartTimestamp", 0, "StartTimestamp=\n", "");
        expect("show -p Version", 0, "Version=0.1.0\n", "");
        expect("show -P MainPID cpu", 0, "1001\n", "");
        expect("show cpu sched -p Name -p State", 0, "Name=cpu\nState=recording\n\nName=sched\nState=failed\n", "");
        expect("show cpu -p Nonsense", 0, "", "");
        expect_like("show t@", 5, NULL, "'t@' is a template, says the service\n");
        expect_like("show nosuch", 5, NULL, "There is no session 'nosuch'");
        expect_calls(&f, "");
}
END_TEST

START_TEST(test_ping) {
        WITH_SERVICE;

        expect("ping", 0, "OK   cpu\n", "");
        expect("ping -v", 0, "OK   cpu 0.250 ms\n", "");
        expect("ping -q", 0, "", "");
        expect("ping --timeout=100ms cpu hung", 1, "OK   cpu\nFAIL hung (timeout)\n", "");
        expect("ping -q hung", 1, "FAIL hung (timeout)\n", "");
        expect("ping --session web@1", 1, "FAIL web@1 (inactive)\n", "");
        expect("ping nosuch", 5, "", "Failed to ping: There is no session 'nosuch'\n");
        expect_calls(&f,
                     "Ping (no auto start) 0\nPing (no auto start) 0\nPing (no auto start) 0\n"
                     "Ping cpu hung (no auto start) 100000\nPing hung (no auto start) 0\nPing web@1 (no auto start) 0\n"
                     "Ping nosuch (no auto start) 0\n");
}
END_TEST

/* A session that waits for its unit is no failure, with or without its name. */
START_TEST(test_waiting) {
        WITH_SERVICE;

        expect("start cpu late", 0, "", "late is waiting: late.service does not run\n");
        expect("ping", 0, "OK   cpu\nWAIT late (waiting)\n", "");
        expect("ping late", 0, "WAIT late (waiting)\n", "");
        expect("ping -q late", 0, "", "");
        expect("ping --json=short late web@1", 1,
               "[{\"session\":\"web@1\",\"status\":\"inactive\"},{\"session\":\"late\",\"status\":\"waiting\"}]\n", "");
        expect("ping late web@1", 1, "FAIL web@1 (inactive)\nWAIT late (waiting)\n", "");
}
END_TEST

/* A monitoring program does not hang when the service does. */
START_TEST(test_ping_of_a_service_that_hangs) {
        WITH_SERVICE;
        usec_t begin = now_usec(CLOCK_MONOTONIC);

        ck_assert_int_eq(kill(f.service, SIGSTOP), 0);
        expect("ping --timeout=100ms", 1, "", "Failed to ping: perf-recorderd did not answer in time\n");
        expect("ping", 1, "", "Failed to ping: perf-recorderd did not answer in time\n");
        ck_assert_uint_lt(now_usec(CLOCK_MONOTONIC) - begin, 20 * USEC_PER_SEC);
        ck_assert_int_eq(kill(f.service, SIGCONT), 0);
}
END_TEST

/* Stops the bus itself once the service has a call. */
static pid_t stop_bus_later(const Fixture *f) {
        _cleanup_free_ char *log = path_join(f->dir, "log");
        pid_t pid = fork();

        ck_assert_int_ge(pid, 0);
        if (pid == 0) {
                for (unsigned i = 0; i < 3000 && access(log, F_OK) < 0; i++)
                        (void) usleep(10000);
                _exit(kill(f->bus, SIGSTOP) < 0);
        }
        return pid;
}

/* The time is that of perfctl(1), two seconds more than --timeout=, and not the 25 s of the bus. */
START_TEST(test_bus_that_hangs) {
        WITH_SERVICE;
        usec_t begin = now_usec(CLOCK_MONOTONIC);
        pid_t later = stop_bus_later(&f);

        expect("dump --timeout=2s hung", 1, "", "Failed to dump 'hung': perf-recorderd did not answer in time\n");
        ck_assert_uint_lt(now_usec(CLOCK_MONOTONIC) - begin, 20 * USEC_PER_SEC);
        ck_assert_int_eq(waitpid(later, NULL, 0), later);
        begin = now_usec(CLOCK_MONOTONIC);
        expect("ping --timeout=100ms", 1, "", "Failed to ping: perf-recorderd did not answer in time\n");
        expect("dump --timeout=100ms cpu", 1, "", "Failed to dump 'cpu': perf-recorderd did not answer in time\n");
        ck_assert_uint_lt(now_usec(CLOCK_MONOTONIC) - begin, 20 * USEC_PER_SEC);
        begin = now_usec(CLOCK_MONOTONIC);
        ck_assert_int_eq(setenv("SYSTEMD_BUS_TIMEOUT", "500ms", 1), 0);
        expect("list", 1, "", "Failed to list sessions: perf-recorderd did not answer in time\n");
        expect("stop", 1, "", "Failed to stop: perf-recorderd did not answer in time\n");
        expect("stop cpu", 1, "", "Failed to stop 'cpu': perf-recorderd did not answer in time\n");
        expect("dump cpu", 1, "", "Failed to dump 'cpu': perf-recorderd did not answer in time\n");
        ck_assert_int_eq(unsetenv("SYSTEMD_BUS_TIMEOUT"), 0);
        ck_assert_uint_lt(now_usec(CLOCK_MONOTONIC) - begin, 20 * USEC_PER_SEC);
}
END_TEST

START_TEST(test_signal) {
        WITH_SERVICE;

        expect("signal", 0, "signal 12 sent to session 'cpu [1001]'\n", "");
        expect("signal --session cpu -s SIGHUP", 0, "signal 1 sent to session 'cpu [1001]'\n", "");
        expect("signal -q cpu", 0, "", "");
        expect("signal cpu sched", 1, "signal 12 sent to session 'cpu [1001]'\n",
               "Failed to send signal 12 to session 'sched': it is not running\n");
        expect("signal denied", 4, "", "Failed to send the signal: Only root may do that\n");
        expect_calls(&f, "Signal (no auto start) 12\nSignal cpu (no auto start) 1\nSignal cpu (no auto start) 12\n"
                         "Signal cpu sched (no auto start) 12\nSignal denied (no auto start) -1\n");
}
END_TEST

START_TEST(test_control) {
        WITH_SERVICE;

        expect("start cpu web@1", 0, "", "");
        expect("start", 0, "", "");
        expect("restart --no-ask-password cpu", 0, "", "");
        expect("resume", 0, "", "");
        expect("pause --session=cpu", 0, "", "");
        expect("stop cpu", 0, "", "");
        expect_calls(&f, "Start cpu web@1\nStart\nRestart cpu (no questions)\nResume (no auto start)\n"
                         "Pause cpu (no auto start)\nStop cpu (no auto start)\n");
        expect("start denied", 4, "", "Failed to start 'denied': Only root may do that\n");
        expect("start nosuch", 5, "", "Failed to start 'nosuch': There is no session 'nosuch'\n");
        expect("restart broken", 6, "", "Failed to restart 'broken': x.session:3: Event: no such event\n");
        ck_assert(fixture_service_runs(&f));
}
END_TEST

START_TEST(test_enable) {
        WITH_SERVICE;

        expect("enable web@1 cpu", 0, "Created symlink /etc/p/web@1.session -> /usr/p/web@.session\n"
               "Created /etc/p/cpu.session.d/50-enabled.conf\n",
               "'web@1' is not running; 'perfctl start web@1' starts it now\n");
        expect("disable --session=web@1 --now", 0, "Removed /etc/p/web@1.session\n", "");
        expect("enable -q --now cpu", 0, "", "");
        expect_calls(&f, "Enable web@1 cpu (no auto start)\nDisable web@1 (no auto start) now\nEnable cpu now\n");
        expect("enable nosuch", 5, "", "Failed to enable 'nosuch': There is no session 'nosuch'\n");
        expect_like("enable", 1, "", "Too few arguments");
        expect_like("start --now cpu", 1, "", "takes no --now");
}
END_TEST

START_TEST(test_patterns) {
        WITH_SERVICE;

        expect("stop '*e*' cpu", 0, "", "");
        expect("restart 'c?u' cpu 'c*'", 0, "", "");
        expect("dump --json=off 'nothing*'", 0, "", "No session matches 'nothing*'\n");
        expect("stop -q 'nothing[ab]'", 0, "", "");
        expect_calls(&f, "Stop sched web@1 cpu (no auto start)\nRestart cpu\n");
        expect_like("status --lines=0 'w*'", 3, "web@1", "");
        expect_like("start late", 0, "", "late is waiting");
        expect("pause '*'", 0, "", "");
        expect("resume 'l*'", 0, "", "No session matches 'l*'\n");
        expect("resume late", 0, "", ""); /* the service refuses it */
        expect_calls(&f, "Start late\nPause cpu (no auto start)\nResume late (no auto start)\n");
}
END_TEST

START_TEST(test_is) {
        WITH_SERVICE;

        expect("is-active cpu", 0, "recording\n", "");
        expect("is-active sched", 3, "failed\n", "");
        expect("is-active sched nosuch cpu", 0, "failed\ninactive\nrecording\n", "");
        expect("is-active nosuch", 4, "inactive\n", "");
        expect("is-active -q '*'", 0, "", "");
        expect("is-active 'x*'", 4, "", "No session matches 'x*'\n");
        expect("is-failed sched", 0, "failed\n", "");
        expect("is-failed cpu web@1", 1, "recording\ninactive\n", "");
        expect("is-failed nosuch", 4, "inactive\n", "");
        expect("is-failed", 0, "degraded\n", "");
        expect("is-enabled cpu", 0, "enabled\n", "");
        expect("is-enabled web@1", 1, "disabled\n", "");
        expect("is-enabled web@1 cpu", 0, "disabled\nenabled\n", "");
        expect("is-enabled nosuch", 4, "not-found\n", "");
}
END_TEST

/* The files are read and written without a service. */
START_TEST(test_enable_without_service) {
        WITHOUT_SERVICE;
        _cleanup_free_ char *created = NULL, *removed = NULL;

        scratch_write_text(f.dir, "sessions.d/own.session", "[Session]\nEnabled=no\nRun=-a\n");
        ck_assert_int_gt(asprintf(&created, "Created %s/sessions.d/own.session.d/50-enabled.conf\n", f.dir), 0);
        ck_assert_int_gt(asprintf(&removed, "Removed %s/sessions.d/own.session.d/50-enabled.conf\n", f.dir), 0);
        expect("is-enabled own", 1, "disabled\n", "");
        expect("enable own", 0, created, "");
        expect("is-enabled own", 0, "enabled\n", "");
        expect("enable own", 0, "", "");
        expect("disable --now own", 0, removed, "");
        expect("is-enabled nosuch", 4, "not-found\n", "");
        expect("enable nosuch", 5, "", "Failed to enable 'nosuch': there is no such session\n");
        expect("is-active own", 3, "inactive\n", "");
        expect_like("stop 'o*'", 0, "", "nothing to stop");
        expect_like("is-failed", 3, "", NOT_RUNNING);
        expect_calls(&f, "");
}
END_TEST

START_TEST(test_reload) {
        WITH_SERVICE;

        expect("reload", 0, "cpu: changed\nweb@1: added\n", "");
        expect("reload", 0, "No session changed\n", "");
        expect("reload -q", 0, "", "");
        expect_calls(&f, "Reload\nReload\nReload\n");
}
END_TEST

/* Without names the daemon exits too, before perfctl does. */
START_TEST(test_stop_all) {
        WITH_SERVICE;

        expect("stop", 0, "", "");
        ck_assert_int_eq(waitpid(f.service, NULL, WNOHANG), f.service);
        f.service = 0;
        expect_calls(&f, "Exit\n");
        expect("stop", 0, "", "perf-recorderd is not running: nothing to stop\n");
        expect("stop cpu -q", 0, "", "");
}
END_TEST

START_TEST(test_not_running) {
        WITHOUT_SERVICE;
        static const char *const verbs[] = { "list",   "show",    "show cpu", "ping",   "signal", "metrics",
                                             "pause",  "resume",  "reload",   "status", "list -x:" };

        for (size_t i = 0; i < ELEMENTSOF(verbs); i++)
                expect_like(verbs[i], 3, "", NOT_RUNNING);
        /* none of them started it */
        expect_calls(&f, "");
}
END_TEST

START_TEST(test_activation) {
        WITHOUT_SERVICE;

        expect("start cpu", 0, "", "");
        expect("ping cpu", 0, "OK   cpu\n", "");
        expect("stop", 0, "", "");
        expect_calls(&f, "Start cpu\nPing cpu (no auto start) 0\nExit\n");
}
END_TEST

START_TEST(test_not_installed) {
        _cleanup_(fixture_done) Fixture f = {};

        fixture_init(&f, false);
        expect_like("start", 3, "", "Failed to start: " NOT_STARTING);
}
END_TEST

START_TEST(test_cannot_be_activated) {
        _cleanup_(fixture_done) Fixture f = {};

        fixture_init(&f, false);
        scratch_write_text(f.dir, "services/org.perfrecorder1.service", "[D-BUS Service]\nName=org.perfrecorder1\nExec=/bin/false\n");
        expect("start", 1, "", "Failed to start: " NOT_STARTING);
        expect_like("--user start", 1, "", "does not start; see 'systemctl --user status perf-recorderd'\n");
        expect_like("ping", 3, "", NOT_RUNNING);
}
END_TEST

/* dbus-daemon waits for the name of what it has started; systemd knows that it has failed. */
START_TEST(test_fails_to_start) {
        _cleanup_(fixture_done) Fixture f = {};
        usec_t begin;

        fixture_init(&f, false);
        scratch_write_text(f.dir, "services/org.perfrecorder1.service",
                           "[D-BUS Service]\nName=org.perfrecorder1\nExec=/bin/sleep 60\n");
        fixture_start_systemd(&f, "activating/auto-restart");
        begin = now_usec(CLOCK_MONOTONIC);
        expect("start", 1, "", "Failed to start: " NOT_STARTING);
        ck_assert_uint_lt(now_usec(CLOCK_MONOTONIC) - begin, 10 * USEC_PER_SEC);
        expect_like("list", 3, "", NOT_RUNNING);
        expect_like("--user list", 3, "", "the user's perf-recorderd is not running; 'perfctl --user start' starts it\n");
}
END_TEST

/* A start of a unit that has failed waits until it may be tried again. */
START_TEST(test_starts_after_a_while) {
        _cleanup_(fixture_done) Fixture f = {};

        fixture_init(&f, false);
        scratch_write_text(f.dir, "services/org.perfrecorder1.service",
                           "[D-BUS Service]\nName=org.perfrecorder1\nExec=/bin/sh -c \"sleep 2; exec " MOCK_SERVICE "\"\n");
        fixture_start_systemd(&f, "activating/auto-restart-queued");
        expect("start cpu", 0, "", "");
}
END_TEST

/* The service was about to start when perfctl looked first. */
START_TEST(test_fails_meanwhile) {
        WITHOUT_SERVICE;

        fixture_start_systemd(&f, "activating/start>activating/start>activating/auto-restart");
        expect_like("list", 3, "", NOT_RUNNING);
}
END_TEST

START_TEST(test_not_on_the_bus_yet) {
        WITHOUT_SERVICE;
        pid_t late;

        fixture_start_systemd(&f, "active/running");
        expect_like("list", 1, "", "perf-recorderd ended, or did not answer in time");
        expect("stop", 1, "", "Failed to stop: perf-recorderd ended, or did not answer in time\n"); /* not: nothing to stop */
        late = fork();
        if (late == 0) {
                (void) usleep(300000);
                (void) execl(MOCK_SERVICE, MOCK_SERVICE, (char *) NULL);
                _exit(127);
        }
        expect("ping cpu", 0, "OK   cpu\n", "");
        ck_assert_int_eq(kill(late, SIGKILL), 0);
        ck_assert_int_eq(waitpid(late, NULL, 0), late);
}
END_TEST

START_TEST(test_stop_of_recorders_without_a_service) {
        WITHOUT_SERVICE;

        fixture_start_systemd(&f, "failed/failed");
        expect("stop", 1, "", "Failed to stop: perf-recorderd is not running, but 2 of its recorders: "
               "'systemctl stop \"perf-session-*.scope\"' stops them\n");
        expect_like("--user stop cpu", 1, "", "'systemctl --user stop \"perf-session-*.scope\"' stops them\n");
}
END_TEST

START_TEST(test_no_bus) {
        (void) setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nonexistent/bus", 1);
        (void) setenv("TMPDIR", "/tmp", 0);
        expect("list", 1, "", "Failed to connect to the system bus: No such file or directory\n");
        (void) unsetenv("DBUS_SESSION_BUS_ADDRESS");
        (void) unsetenv("XDG_RUNTIME_DIR");
        expect_like("--user ping", 1, "", "neither $DBUS_SESSION_BUS_ADDRESS nor $XDG_RUNTIME_DIR");
}
END_TEST

START_TEST(test_user) {
        WITH_SERVICE;

        (void) setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nonexistent/bus", 1);
        expect("--user ping", 0, "OK   cpu\n", "");
        expect_like("--user enable web@1", 0, NULL, "'web@1' is not running; 'perfctl --user start web@1' starts it now\n");
        expect_like("ping --user --system", 1, "", "system bus");
}
END_TEST

/* ssh is a script that connects to the private bus. */
START_TEST(test_host) {
        WITH_SERVICE;
        _cleanup_free_ char *script = NULL, *ssh = path_join(f.dir, "bin/ssh"), *path = NULL;

        ck_assert_int_gt(asprintf(&script,
                                  "#!/bin/sh\necho \"$@\" >%s/ssh-words\n"
                                  "exec systemd-stdio-bridge --bus-path=unix:path=%s/bus\n",
                                  f.dir, f.dir),
                         0);
        scratch_write_text(f.dir, "bin/ssh", script);
        ck_assert_int_eq(chmod(ssh, 0755), 0);
        ck_assert_int_gt(asprintf(&path, "%s/bin:%s", f.dir, getenv("PATH")), 0);
        (void) setenv("PATH", path, 1);
        (void) setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nonexistent/bus", 1);

        expect("-H me@there ping", 0, "OK   cpu\n", "");
        expect_like("--host=there status cpu", 0, "   Main PID: 1001\n", "");
        expect_like("-H me@there enable web@1", 0, NULL, "; 'perfctl -H me@there start web@1' starts it now\n");
        expect_like("-H there edit cpu", 1, "", "'edit' works on this machine only");
        scratch_write_text(f.dir, "bin/ssh", "#!/bin/sh\nexit 255\n");
        expect_like("-H there ping", 1, "", "Failed to "); /* at the connection or at the call, depending on when the
                                                            * exit of ssh is noticed */
}
END_TEST

/* Runs the shell command again and again until it succeeds, five seconds at most. */
static bool succeeds(const char *format, ...) _printf_(1, 2);
static bool succeeds(const char *format, ...) {
        _cleanup_free_ char *command = NULL;
        va_list ap;
        bool good = false;

        va_start(ap, format);
        ck_assert_int_gt(vasprintf(&command, format, ap), 0);
        va_end(ap);
        for (unsigned i = 0; i < 500 && !(good = system(command) == 0); i++)
                (void) usleep(10000);
        return good;
}

/* Starts a monitor in the background; the test waits for its output. */
static void monitor(const Fixture *f, const char *options, const char *const *expected, size_t n) {
        ck_assert(succeeds("%s %s monitor >%s/monitor 2>&1 & echo $! >%s/pid", PERFCTL, options, f->dir, f->dir));
        /* it does not report when it is ready: call until it has seen one */
        ck_assert(succeeds("%s start cpu && grep -q SessionNew %s/monitor", PERFCTL, f->dir));
        for (size_t i = 0; i < n; i++)
                ck_assert_msg(succeeds("grep -qE '%s' %s/monitor", expected[i], f->dir), "no line like: %s",
                              expected[i]);
        ck_assert(succeeds("kill $(cat %s/pid)", f->dir));
}

START_TEST(test_monitor) {
        WITH_SERVICE;
        static const char *const text[] = {
                "^[0-9:]{8}\\.[0-9]{3} SessionNew cpu /org/perfrecorder1/session/cpu$",
                "^[0-9:.]+ PropertiesChanged sched State=failed Error=\"No permission to open sched:sched_switch\"$",
        };
        static const char *const json[] = {
                "^\\{\"timestamp\":[0-9]+,\"signal\":\"SessionNew\",\"path\":\"/org/perfrecorder1\",\"arguments\":\\[\"cpu\"",
                "\"session\":\"sched\",\"arguments\":\\[\"org.perfrecorder1.Session\",\\{\"State\":\"failed\",",
        };

        monitor(&f, "", text, ELEMENTSOF(text));
        monitor(&f, "--json=short", json, ELEMENTSOF(json));
}
END_TEST

/* Any peer may send signals straight to a connection. Those of the service and of the bus count, also after a restart. */
START_TEST(test_monitor_of_forged_signals) {
        WITH_SERVICE;
        _cleanup_free_ char *script = NULL, *line = path_join(f.dir, "forge");

        ck_assert_int_gt(asprintf(&script,
                                  "#!/bin/sh -e\n"
                                  "name=$(busctl list --unique --no-legend | awk -v p=$(cat %s/pid) '$2 == p { print $1 }')\n"
                                  "emit=\"busctl emit --destination=$name\"\n"
                                  "$emit /org/perfrecorder1 org.perfrecorder1.Manager SessionNew so FORGED /a\n"
                                  "$emit /org/freedesktop/DBus org.freedesktop.DBus NameOwnerChanged sss org.perfrecorder1 '' "
                                  "FORGED\n", f.dir), 0);
        scratch_write_text(f.dir, "forge", script);
        ck_assert_int_eq(chmod(line, 0755), 0);
        ck_assert(succeeds("%s --json=short monitor >%s/monitor 2>&1 & echo $! >%s/pid", PERFCTL, f.dir, f.dir));
        ck_assert(succeeds("%s start cpu && grep -q SessionNew %s/monitor", PERFCTL, f.dir));
        ck_assert(succeeds("%s", line));
        ck_assert_int_eq(kill(f.service, SIGKILL), 0);
        ck_assert_int_eq(waitpid(f.service, NULL, 0), f.service);
        fixture_start_service(&f);
        ck_assert(succeeds("%s start cpu && sed 1,/NameOwnerChanged/d %s/monitor | grep -q SessionNew", PERFCTL, f.dir));
        ck_assert(succeeds("! grep -q FORGED %s/monitor", f.dir));
        ck_assert(succeeds("[ $(grep -c NameOwnerChanged %s/monitor) = 2 ]", f.dir));
        ck_assert(succeeds("kill $(cat %s/pid)", f.dir));
}
END_TEST

START_TEST(test_usage) {
        (void) setenv("TMPDIR", "/tmp", 0);
        expect_like("--help", 0, "perfctl [OPTIONS...] COMMAND ...", "");
        expect_like("ping -h", 0, "perfctl [OPTIONS...] ping [NAME...]", "");
        expect_like("--version", 0, "perf-recorder ", "");
        expect("nonsense", 1, "", "Unknown command 'nonsense'; 'perfctl --help' lists them\n");
        expect_like("ping -x:", 1, "", "'ping' takes no --field-separator");
        expect_like("--nonsense", 1, "", "nonsense");
        expect_like("reload now", 1, "", "Too many arguments");
        expect_like("-H there log cpu", 1, "", "does not work with --host=");
}
END_TEST

CHECK_MAIN("perfctl", test_list, test_runs_with_error, test_list_width, test_status_width, test_metrics, test_metrics_of_some,
           test_metrics_textfile, test_metrics_http,
           test_metrics_http_without_service, test_list_perf, test_json, test_status,
           test_status_json, test_status_daemon, test_show, test_ping, test_waiting, test_ping_of_a_service_that_hangs,
           test_bus_that_hangs, test_signal, test_control, test_enable, test_patterns, test_is, test_enable_without_service,
           test_reload, test_stop_all, test_not_running, test_activation, test_not_installed,
           test_cannot_be_activated, test_fails_to_start, test_starts_after_a_while, test_fails_meanwhile,
           test_not_on_the_bus_yet, test_stop_of_recorders_without_a_service, test_no_bus, test_user, test_host, test_monitor,
           test_monitor_of_forged_signals, test_usage);
