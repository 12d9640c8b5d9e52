/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf-recorder-view --debuginfod end to end, with servers on the loopback interface: one that gives files of a directory by
 * their build ids, one that never answers, and Debian's own if it is installed. */

#include <arpa/inet.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "fd-file.h"
#include "made-program.h"
#include "parse-time.h"

#define FETCHING REPORT " --debuginfod -i"
#define REPORT "report -q -s sym -g none --no-children"

typedef struct Server {
        pid_t pid;
        unsigned port;
} Server;

/* Every server is ended with the test. */
static void server_stop(Server *s) {
        if (s->pid <= 0)
                return;
        (void) kill(s->pid, SIGKILL);
        (void) waitpid(s->pid, NULL, 0);
        s->pid = 0;
}

static int listening(unsigned *ret_port) {
        struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
        socklen_t size = sizeof(address);
        int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

        ck_assert_int_ge(fd, 0);
        ck_assert_int_eq(bind(fd, (struct sockaddr *) &address, size), 0);
        ck_assert_int_eq(listen(fd, 16), 0);
        ck_assert_int_eq(getsockname(fd, (struct sockaddr *) &address, &size), 0);
        *ret_port = ntohs(address.sin_port);
        return fd;
}

/* "GET /buildid/ID/debuginfo HTTP/1.1" is the file ID.debuginfo of the directory. */
static void serve_one(int connection, const char *directory) {
        char request[4096], id[64], kind[32], head[128], path[4096];
        ssize_t n = recv(connection, request, sizeof(request) - 1, 0);
        _cleanup_free_ char *data = NULL;
        size_t size = 0;

        if (n <= 0)
                return;
        request[n] = '\0';
        if (sscanf(request, "GET /buildid/%63[0-9a-f]/%31[a-z] ", id, kind) != 2)
                return;
        (void) snprintf(path, sizeof(path), "%s/endless", directory);
        if (access(path, F_OK) == 0) {
                static const char head_only[] = "HTTP/1.0 200 OK\r\n\r\n", zeros[65536];

                (void) send(connection, head_only, strlen(head_only), MSG_NOSIGNAL);
                while (send(connection, zeros, sizeof(zeros), MSG_NOSIGNAL) > 0)
                        ;
                return;
        }
        (void) snprintf(path, sizeof(path), "%s/%s.%s", directory, id, kind);
        if (read_file(path, 16 << 20, &data, &size) < 0)
                (void) snprintf(head, sizeof(head), "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        else
                (void) snprintf(head, sizeof(head), "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n", size);
        (void) send(connection, head, strlen(head), MSG_NOSIGNAL);
        if (data)
                (void) send(connection, data, size, MSG_NOSIGNAL);
}

/* directory NULL: it accepts connections, and says nothing. */
static Server server_start(const char *directory) {
        Server s = {};
        int fd = listening(&s.port);

        s.pid = fork();
        ck_assert_int_ge(s.pid, 0);
        if (s.pid == 0)
                for (;;) {
                        int connection = accept(fd, NULL, NULL);

                        if (!directory || connection < 0)
                                continue;
                        serve_one(connection, directory);
                        (void) close(connection);
                }
        (void) close(fd);
        return s;
}

/* Runs the viewer; what it prints on both is one text. */
static char *view(const Server *s, const char *cache, const char *words, const char *path) {
        char *text = test_command("no_proxy=127.0.0.1 DEBUGINFOD_TIMEOUT=1 DEBUGINFOD_CACHE_PATH=%s DEBUGINFOD_URLS=http://127.0.0.1:%u "
                                  VIEWER " %s %s 2>&1; true", cache, s->port, words, path);

        ck_assert_ptr_nonnull(text);
        if (strstr(text, "which is not installed"))
                exit(TEST_SKIPPED);
        return text;
}

/* A recording with a sample in the function "inner" of each of the programs. */
static void made_recording(const char *path, char *const *programs, const uint64_t *offsets, size_t n) {
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        BuildIdEntry ids[4];

        ck_assert_uint_le(n, ELEMENTSOF(ids));
        for (size_t i = 0; i < n; i++) {
                ids[i] = (BuildIdEntry) { .path = programs[i], .id = made_build_id(programs[i]) };
                test_put_map(&b, 7, 0x400000 + i * 0x1000000, 0x100000, programs[i], 0);
                test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x400000 + i * 0x1000000 + offsets[i], 1000 + i);
        }
        reader = test_recording(path, &b, ids, n);
        ck_assert_ptr_nonnull(reader);
}

/* A program that is stripped here, of which the server has both files. */
typedef struct Made {
        char *program, *recording, *directory, *cache, *served; /* served: their names but the end */
        uint64_t inner, outer;                                  /* offsets of functions */
} Made;

static void made_done(Made *m) {
        free(m->program);
        free(m->recording);
        free(m->directory);
        free(m->cache);
        free(m->served);
}

static void make(Made *m, const char *name) {
        _cleanup_free_ char *output = NULL;
        char id[BUILD_ID_TEXT_SIZE];
        BuildId b;

        *m = (Made) { .program = made_program(name, made_source, "-g -Wl,--build-id=sha1") };
        if (!m->program)
                exit(TEST_SKIPPED);
        b = made_build_id(m->program);
        m->inner = made_offset(m->program, "inner");
        m->outer = made_offset(m->program, "outer");
        m->recording = test_command("printf %s.data", m->program);
        m->directory = test_command("printf %s.d", m->program);
        m->cache = test_command("printf %s.cache", m->program);
        m->served = test_command("printf %s/%s", m->directory, build_id_format(&b, id));
        ck_assert(m->recording && m->directory && m->cache && m->served);
        output = test_command("mkdir %s && objcopy --only-keep-debug %s %s.debuginfo && strip -s %s && cp %s %s.executable",
                              m->directory, m->program, m->served, m->program, m->program, m->served);
        ck_assert_ptr_nonnull(output);
        made_recording(m->recording, &m->program, &m->inner, 1);
}

START_TEST(a_stripped_program) {
        _cleanup_(made_done) Made m = {};
        _cleanup_(server_stop) Server s = {};
        _cleanup_free_ char *without = NULL, *with = NULL, *again = NULL, *lines = NULL;

        make(&m, "stripped");
        s = server_start(m.directory);
        without = view(&s, m.cache, REPORT " -i", m.recording);
        ck_assert_ptr_nonnull(strstr(without, "stripped+0x"));
        ck_assert_int_ne(access(m.cache, F_OK), 0);
        with = view(&s, m.cache, FETCHING, m.recording);
        ck_assert_str_eq(with, "   100.00%  [.] inner\n\n\n");
        lines = view(&s, m.cache, "script --debuginfod -F ip,sym -i", m.recording);
        ck_assert_ptr_nonnull(strstr(lines, " inner\n"));
        server_stop(&s); /* it is in the cache now */
        again = view(&s, m.cache, FETCHING, m.recording);
        ck_assert_str_eq(again, with);
}
END_TEST

/* It says no size, and goes on. */
START_TEST(a_server_without_an_end) {
        _cleanup_(made_done) Made m = {};
        _cleanup_(server_stop) Server s = {};
        _cleanup_free_ char *text = NULL, *large = NULL;

        make(&m, "endless");
        free(test_command(": >%s/endless", m.directory));
        s = server_start(m.directory);
        ck_assert_int_eq(setenv("DEBUGINFOD_MAXSIZE", "1000000", 1), 0);
        text = view(&s, m.cache, FETCHING, m.recording);
        ck_assert_int_eq(unsetenv("DEBUGINFOD_MAXSIZE"), 0);
        ck_assert_ptr_nonnull(strstr(text, "endless+0x"));
        large = test_command("find %s -size +1000000c", m.cache);
        ck_assert_str_eq(large, "");
}
END_TEST

START_TEST(a_program_that_is_gone) {
        _cleanup_(made_done) Made m = {};
        _cleanup_(server_stop) Server s = {};
        _cleanup_free_ char *without = NULL, *with = NULL;

        make(&m, "gone");
        s = server_start(m.directory);
        ck_assert_int_eq(unlink(m.program), 0);
        without = view(&s, m.cache, REPORT " -i", m.recording);
        ck_assert_ptr_null(strstr(without, "inner"));
        with = view(&s, m.cache, FETCHING, m.recording);
        ck_assert_str_eq(with, "   100.00%  [.] inner\n\n\n");
}
END_TEST

/* Instructions are those of the binary, and lines those of the separate file, both from the server. */
START_TEST(code_and_lines) {
        _cleanup_(made_done) Made m = {};
        _cleanup_(server_stop) Server s = {};
        _cleanup_free_ char *without = NULL, *code = NULL, *lines = NULL, *inlined = NULL;

        make(&m, "lines");
        s = server_start(m.directory);
        ck_assert_int_eq(unlink(m.program), 0);
        without = view(&s, m.cache, "annotate --stdio2 -i", m.recording);
        ck_assert_ptr_nonnull(strstr(without, "no sample hit code that can be shown"));
        code = view(&s, m.cache, "annotate --stdio2 --debuginfod -i", m.recording);
        ck_assert_ptr_nonnull(strstr(code, "inner() "));
        ck_assert_ptr_nonnull(strstr(code, "ret"));
        ck_assert_ptr_null(strstr(code, "cannot be shown"));
        lines = view(&s, m.cache, "report -q -s srcline -g none --no-children --debuginfod -i", m.recording);
        ck_assert_str_eq(lines, "   100.00%  lines.c:2\n\n\n");
        inlined = view(&s, m.cache, "report -q -s srcfile -g none --no-children --inline --debuginfod -i", m.recording);
        ck_assert_ptr_nonnull(strstr(inlined, "lines.c"));
}
END_TEST

/* A sample at the first instruction of "inner", whose stack has nothing but where it returns to. */
static char *stack_recording(const Made *m) {
        static const uint64_t ids[] = { 11 };
        static const PerfDataEvent event = {
                .attr = {
                        .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK, .size = sizeof(struct perf_event_attr),
                        .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
                        .sample_regs_user = 1 << 7 | 1 << 8, .sample_stack_user = 16, .sample_period = 1000, .exclude_callchain_user = 1,
                },
                .ids = ids, .n_ids = 1, .name = "cpu-clock",
        };
        const BuildIdEntry id = { .path = m->program, .id = made_build_id(m->program) };
        const uint64_t words[] = {
                0x400000 + m->inner, UINT64_C(7) << 32 | 7, 0, 2, 0x7ffc0000, 0x400000 + m->inner, 16, 0x400000 + m->outer + 5, 0, 16,
        };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_(perf_data_writer_freep) PerfDataWriter *w = NULL;
        _cleanup_(feature_table_freep) FeatureTable *features = NULL;
        char *path = test_path("stack.data");
        uint64_t left_out;

        test_put_map(&b, 7, 0x400000, 0x100000, m->program, 0);
        byte_buffer_put(&b, &(struct perf_event_header) { .type = PERF_RECORD_SAMPLE, .misc = 2, .size = 8 + sizeof(words) }, 8);
        byte_buffer_put(&b, words, sizeof(words));
        ck_assert_ok(feature_table_new(&features));
        test_put_build_ids(features, &id, 1);
        ck_assert_ok(perf_data_writer_new(AT_FDCWD, path, &(PerfDataWriterOptions) { .events = &event, .n_events = 1 }, &w));
        ck_assert_ok(test_append(w, &b));
        ck_assert_ok(perf_data_writer_finish(w, features, NULL, &left_out));
        return path;
}

/* Rules of unwinding are those of the binary from the server. */
START_TEST(rules) {
        _cleanup_(made_done) Made m = {};
        _cleanup_(server_stop) Server s = {};
        _cleanup_free_ char *path = NULL, *without = NULL, *lines = NULL, *report = NULL;

        make(&m, "rules");
        path = stack_recording(&m);
        s = server_start(m.directory);
        ck_assert_int_eq(unlink(m.program), 0);
        without = view(&s, m.cache, "script -F ip,sym -i", path);
        ck_assert_ptr_null(strstr(without, "inner"));
        lines = view(&s, m.cache, "script --debuginfod -F ip,sym -i", path);
        ck_assert_ptr_nonnull(strstr(lines, " inner\n"));
        ck_assert_ptr_nonnull(strstr(strstr(lines, " inner\n"), " outer\n"));
        report = view(&s, m.cache, "report --debuginfod -q -s sym -i", path);
        ck_assert_ptr_nonnull(strstr(report, "] outer\n"));
}
END_TEST

START_TEST(files_of_others) {
        _cleanup_(made_done) Made m = {}, other = {};
        _cleanup_(server_stop) Server s = {};
        _cleanup_free_ char *text = NULL, *output = NULL;

        make(&m, "wrong");
        other.program = made_program("other", made_source, "-Wl,--build-id=0x1234567890");
        output = test_command("cp %s %s.debuginfo && rm %s.executable && printf x >> %s.debuginfo", other.program, m.served, m.served,
                              m.served);
        ck_assert_ptr_nonnull(output);
        s = server_start(m.directory);
        text = view(&s, m.cache, FETCHING, m.recording);
        ck_assert_ptr_nonnull(strstr(text, "wrong+0x"));
        ck_assert_ptr_null(strstr(text, "inner"));
}
END_TEST

START_TEST(unknown_files) {
        _cleanup_(made_done) Made m = {};
        _cleanup_(server_stop) Server s = {};
        _cleanup_free_ char *text = NULL, *output = NULL;

        make(&m, "unknown");
        output = test_command("rm %s.*", m.served);
        ck_assert_ptr_nonnull(output);
        s = server_start(m.directory);
        text = view(&s, m.cache, FETCHING, m.recording);
        ck_assert_ptr_nonnull(startswith(text, "   100.00%  [.] unknown+0x"));
}
END_TEST

/* It is asked once, though there are two binaries. */
START_TEST(a_server_that_hangs) {
        _cleanup_free_ char *first = made_program("first", made_source, "-s -Wl,--build-id=sha1"),
                            *second = made_program("second", made_source, "-s -Wl,--build-id=0x123456"), *path = test_path("hangs.data"),
                            *cache = test_path("hangs.cache"), *text = NULL, *found = NULL;
        char *const programs[] = { first, second };
        static const char message[] = "Servers of debuginfod are not asked for further files: they did not answer in time\n";
        _cleanup_(server_stop) Server s = {};
        usec_t begun = now_usec(CLOCK_MONOTONIC);

        if (!first || !second)
                exit(TEST_SKIPPED);
        made_recording(path, programs, (uint64_t[]) { 0x1130, 0x1130 }, 2);
        s = server_start(NULL);
        text = view(&s, cache, "report -q -s dso -g none --no-children --debuginfod -i", path);
        found = strstr(text, message) ? strdup(strstr(text, message) + strlen(message)) : NULL;
        ck_assert_ptr_nonnull(found);
        ck_assert_ptr_null(strstr(found, message));
        ck_assert_ptr_nonnull(strstr(text, " first"));
        ck_assert_ptr_nonnull(strstr(text, " second"));
        ck_assert_uint_lt(now_usec(CLOCK_MONOTONIC) - begun, 20 * USEC_PER_SEC);
}
END_TEST

/* The user ends the waiting, and sees what there is; it is not remembered that the server has no such file. */
START_TEST(interrupted) {
        _cleanup_(made_done) Made m = {};
        _cleanup_(server_stop) Server s = {};
        _cleanup_free_ char *command = NULL, *condition = NULL, *text = NULL, *remembered = NULL;

        make(&m, "interrupted");
        s = server_start(NULL);
        command = test_command("printf %%s 'env no_proxy=127.0.0.1 DEBUGINFOD_TIMEOUT=60 DEBUGINFOD_CACHE_PATH=%s "
                               "DEBUGINFOD_URLS=http://127.0.0.1:%u " VIEWER " report --debuginfod -q -s dso -i %s'", m.cache, s.port,
                               m.recording);
        condition = test_command("printf %%s \"grep -q ':%04X [0-9A-F:]* 01 ' /proc/net/tcp\"", s.port);
        ck_assert(command && condition);
        text = test_interrupted(command, condition, NULL);
        if (strstr(text, "which is not installed"))
                exit(TEST_SKIPPED);
        ck_assert_ptr_nonnull(strstr(text, "Interrupted: "));
        ck_assert_ptr_nonnull(strstr(text, " interrupted"));
        ck_assert_ptr_nonnull(strstr(text, "status 1\n"));
        remembered = test_command("sleep 1.5; find %s -name debuginfo -o -name executable | wc -l", m.cache);
        ck_assert_str_eq(remembered, "0\n");
}
END_TEST

START_TEST(without_servers) {
        _cleanup_free_ char *path = test_golden("perf-6.1-plain.data"), *text = NULL;

        for (unsigned i = 0; i < 2; i++) {
                free(steal_ptr(text));
                text = test_command("%s " VIEWER " report --debuginfod -i %s 2>&1; echo status $?",
                                    i > 0 ? "DEBUGINFOD_URLS=' '" : "unset DEBUGINFOD_URLS;", path);
                ck_assert_str_eq(text, "--debuginfod: the environment variable DEBUGINFOD_URLS does not name a server\nstatus 1\n");
        }
}
END_TEST

START_TEST(the_real_server) {
        _cleanup_(made_done) Made m = {};
        _cleanup_free_ char *program = test_command("command -v debuginfod"), *text = NULL;
        _cleanup_(server_stop) Server s = {};
        usec_t begun = now_usec(CLOCK_MONOTONIC);
        int fd;

        if (!program)
                return;
        make(&m, "real");
        fd = listening(&s.port);
        (void) close(fd);
        s.pid = fork();
        ck_assert_int_ge(s.pid, 0);
        if (s.pid == 0) {
                char port[16];
                int null = open("/dev/null", O_RDWR | O_CLOEXEC);

                (void) snprintf(port, sizeof(port), "%u", s.port);
                if (null < 0 || dup2(null, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0)
                        _exit(1);
                (void) execlp("debuginfod", "debuginfod", "-p", port, "-d", ":memory:", "-t", "0", "-F", m.directory, NULL);
                _exit(1);
        }
        do { /* until it listens, and knows the files */
                free(steal_ptr(text));
                free(test_command("rm -rf %s; sleep 0.2", m.cache));
                text = view(&s, m.cache, FETCHING, m.recording);
        } while (!startswith(text, "   100.00%  [.] inner\n") && now_usec(CLOCK_MONOTONIC) - begun < 60 * USEC_PER_SEC);
        ck_assert_str_eq(text, "   100.00%  [.] inner\n\n\n");
}
END_TEST

TEST_RUN("debuginfod", a_stripped_program, a_server_without_an_end, a_program_that_is_gone, code_and_lines, rules, files_of_others, unknown_files, a_server_that_hangs, interrupted,
         without_servers, the_real_server);
