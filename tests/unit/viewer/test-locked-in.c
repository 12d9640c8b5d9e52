/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The viewer and the processes that it forks, watched with ptrace(2): whatever parses a recording or a binary is restricted from its
 * first instruction on, and has no descriptor that it does not need. */

#include <dirent.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "made-program.h"

#define EVENTS (PTRACE_O_EXITKILL | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXIT)

typedef struct Watched {
        pid_t viewer;
        unsigned children, unrestricted, descriptors; /* descriptors: of children, other than sockets, /dev/null and memory */
        bool restricted;                              /* the viewer, when it exits */
        int status;
} Watched;

static bool is_restricted(pid_t pid) {
        _cleanup_free_ char *text = test_command("cat /proc/%d/status", (int) pid);

        return text && strstr(text, "\nSeccomp:\t2\n") && strstr(text, "\nNoNewPrivs:\t1\n");
}

/* Descriptors of a child at its end which it should have closed. */
static unsigned count_descriptors(pid_t pid, const char *allowed) {
        _cleanup_free_ char *text = test_command("readlink /proc/%d/fd/* | grep -cvE '^(socket:.*|/dev/null|/memfd:.*|%s)$' || :",
                                                 (int) pid, allowed);

        ck_assert_ptr_nonnull(text);
        return (unsigned) strtoul(text, NULL, 10);
}

/* A thread of the viewer has its descriptors. */
static bool is_thread(const Watched *w, pid_t pid) {
        _cleanup_free_ char *text = test_command("test ! -e /proc/%d/task/%d || echo yes", (int) w->viewer, (int) pid);

        return pid != w->viewer && text && streq(text, "yes\n");
}

static void look_at(Watched *w, pid_t pid, unsigned event, const char *allowed) {
        if (is_thread(w, pid)) {
                w->unrestricted += !is_restricted(pid);
                return;
        }
        if (event == PTRACE_EVENT_EXIT && pid == w->viewer)
                w->restricted = is_restricted(pid);
        else if (event == PTRACE_EVENT_EXIT)
                w->descriptors += count_descriptors(pid, allowed);
        else if (event == PTRACE_EVENT_STOP || event == 0) { /* the first stop of a child */
                w->children++;
                w->unrestricted += !is_restricted(pid);
        }
}

/* Continues all until the viewer is gone. A child's first stop is a SIGSTOP. */
static void watch(Watched *w, const char *allowed) {
        int status;
        pid_t pid;

        while ((pid = waitpid(-1, &status, __WALL)) > 0) {
                unsigned event = (unsigned) status >> 16;
                int signal_number = 0;

                if (!WIFSTOPPED(status)) {
                        if (pid == w->viewer)
                                w->status = status;
                        continue;
                }
                if (event == 0 && WSTOPSIG(status) != SIGSTOP && WSTOPSIG(status) != SIGTRAP)
                        signal_number = WSTOPSIG(status);
                else if (event != 0 || WSTOPSIG(status) == SIGSTOP)
                        look_at(w, pid, event, allowed);
                (void) ptrace(PTRACE_CONT, pid, NULL, (void *) (long) signal_number);
        }
}

static void run_viewer(char *const *words) {
        int null = open("/dev/null", O_RDWR | O_CLOEXEC);

        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0)
                _exit(TEST_SKIPPED);
        (void) setenv("ASAN_OPTIONS", "detect_leaks=0", 1); /* the leak checker would trace */
        (void) execv(VIEWER, words);
        _exit(TEST_SKIPPED);
}

/* allowed: a pattern of what children may have open besides. */
static Watched watched(const char *allowed, char *const *words) {
        Watched w = {};
        int status;

        w.viewer = fork();
        ck_assert_int_ge(w.viewer, 0);
        if (w.viewer == 0)
                run_viewer(words);
        ck_assert_int_eq(waitpid(w.viewer, &status, 0), w.viewer);
        if (!WIFSTOPPED(status) || ptrace(PTRACE_SETOPTIONS, w.viewer, NULL, (void *) (long) EVENTS) < 0)
                exit(TEST_SKIPPED); /* nothing can be traced here */
        (void) ptrace(PTRACE_CONT, w.viewer, NULL, NULL);
        watch(&w, allowed);
        return w;
}

#define WATCHED(allowed, ...) watched((allowed), (char *const[]) { (char *) "perf-recorder-view", __VA_ARGS__, NULL })

static void expect_locked_in(const Watched *w, unsigned children) {
        ck_assert_msg(WIFEXITED(w->status) && WEXITSTATUS(w->status) == 0, "status %x", (unsigned) w->status);
        ck_assert(w->restricted);
        ck_assert_uint_ge(w->children, children);
        ck_assert_uint_eq(w->unrestricted, 0);
        ck_assert_uint_eq(w->descriptors, 0);
}

/* An octal number is in no format that is compiled, so that libtraceevent prints it, in a process of its own. */
START_TEST(tracepoints) {
        static const char number[] = "prev_prio=%d";
        _cleanup_free_ char *golden = test_golden("perf-6.1-groups.data"), *path = test_path("octal.data"), *data = NULL;
        size_t size;
        char *found;
        Watched w;

        data = test_read_file(golden, &size);
        found = memmem(data, size, number, sizeof(number) - 1);
        ck_assert_ptr_nonnull(found);
        found[sizeof(number) - 2] = 'o';
        test_write_file(path, data, size);
        w = WATCHED("none", (char *) "script", (char *) "-i", path);
        expect_locked_in(&w, 1);
        w = WATCHED("none", (char *) "report", (char *) "-i", path, (char *) "-strace");
        expect_locked_in(&w, 1);
}
END_TEST

/* Lines come from a process that reads the program, the name from one that demangles. */
START_TEST(names_and_lines) {
        static const char source[] = "int _Z5namedi(int x); int _Z5namedi(int x) { return x; } int main(void) { return _Z5namedi(0); }\n";
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *program = made_program("program", source, "-O0 -g"), *path = test_path("names.data");
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        BuildIdEntry id;
        Watched w;

        if (!program)
                exit(TEST_SKIPPED);
        id = (BuildIdEntry) { .path = program, .id = made_build_id(program) };
        test_put_map(&b, 7, 0x400000, 0x100000, program, 0);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x400001 + made_offset(program, "_Z5namedi"), 1000);
        reader = test_recording(path, &b, &id, 1);
        w = WATCHED(program, (char *) "report", (char *) "-i", path, (char *) "-ssrcline,sym", (char *) "--inline");
        expect_locked_in(&w, 2);
        w = WATCHED(program, (char *) "annotate", (char *) "-i", path);
        expect_locked_in(&w, 2);
}
END_TEST

START_TEST(facts_of_the_file) {
        _cleanup_free_ char *path = test_golden("perf-6.1-plain.data");
        Watched header = WATCHED("none", (char *) "header", (char *) "-i", path);
        Watched events = WATCHED("none", (char *) "evlist", (char *) "-v", (char *) "-i", path);
        Watched info = WATCHED("none", (char *) "info", (char *) "-i", path);

        expect_locked_in(&header, 0);
        expect_locked_in(&events, 0);
        expect_locked_in(&info, 0);
}
END_TEST

TEST_RUN("locked-in", tracepoints, names_and_lines, facts_of_the_file);
