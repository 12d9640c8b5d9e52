/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf-recorder-view trace, end to end, of a recording of perf trace record of Linux 6.1: sh tries to open a file that does not exist.
 * Lines and sums are those that perf trace prints of it, but for addresses, which perf cuts to 32 bits, and flags that it has no names
 * for. */

#include "check-main.h"
#include "perfdata-test.h"

/* The leak checker traces the process, which the sandbox refuses. */
#define VIEW "ASAN_OPTIONS=detect_leaks=0 " VIEWER " trace -i " PR_TEST_GOLDEN "/trace/perf-6.1-trace.data "

static void expect(const char *words, const char *expected) {
        _cleanup_free_ char *text = test_command(VIEW "%s 2>&1; echo $?", words);

        ck_assert_str_eq(text, expected);
}

START_TEST(lines) {
        expect("--failure",
               "     0.483 ( 0.004 ms): sh/7106 access(filename: 0x7fc1bebea2a0, mode: R)                             = -1 ENOENT (No such "
               "file or directory)\n"
               "     0.762 ( 0.002 ms): sh/7106 openat(dfd: CWD, filename: 0x55b25cd058d0, flags: RDONLY)             = -1 ENOENT (No such "
               "file or directory)\n0\n");
        expect("--last 50us -e write,exit_group --max-events 2",
               "     0.000 ( 0.009 ms): sh/7106 write(fd: 2, buf: 0x55b285bdab68, count: 7)                           = 7\n"
               "     0.038 ( 0.001 ms): sh/7106 write(fd: 2, buf: 0x55b285bdab68, count: 35)                          = 35\n0\n");
        expect("--strace -e openat,getppid,exit_group --tid 7106",
               "openat(AT_FDCWD, 0x7fc1bebe90b1, O_RDONLY|O_CLOEXEC) = 3\n"
               "openat(AT_FDCWD, 0x7fc1bebb63e0, O_RDONLY|O_CLOEXEC) = 3\n"
               "getppid()                               = 7104\n"
               "openat(AT_FDCWD, 0x55b25cd058d0, O_RDONLY) = -1 ENOENT (No such file or directory)\n"
               "exit_group(2)                           = ?\n"
               "+++ exited with 2 +++\n0\n");
        expect("--json -e getppid",
               "{\"time_nsec\":7257343028599,\"duration_nsec\":457,\"comm\":\"sh\",\"pid\":7106,\"tid\":7106,\"call\":\"getppid\",\"arguments\":\"\","
               "\"result\":7104}\n0\n");
        expect("--pid 1", "Nothing is shown: no call that was recorded is one of those that are asked for\n0\n");
}
END_TEST

START_TEST(sums) {
        expect("-s -e write,openat --errno-summary",
               "\n Summary of events:\n\n"
               " sh (7106), 12 events, 100.0%\n\n"
               "   syscall            calls  errors  total       min       avg       max       stddev\n"
               "                                     (msec)    (msec)    (msec)    (msec)        (%)\n"
               "   --------------- --------  ------ -------- --------- --------- ---------     ------\n"
               "   openat                 3      1     0.010     0.002     0.003     0.005     20.72%\n"
               "\t\t\t\tENOENT: 1\n"
               "   write                  3      0     0.010     0.000     0.003     0.009     78.85%\n\n\n0\n");
}
END_TEST

/* Events that are no calls, of a recording of perf record. */
START_TEST(events) {
        _cleanup_free_ char *text = test_command("ASAN_OPTIONS=detect_leaks=0 " VIEWER " trace -i " PR_TEST_GOLDEN "/sched/perf-6.1-sched.data "
                                                 "-e 'sched:*_runtime,sched:sched_sw*' --max-events 4; echo $?");

        ck_assert_str_eq(text,
                         "     0.000 sh/28024 sched:sched_stat_runtime(comm: \"sh\", pid: 28024 (sh), runtime: 1343315)\n"
                         "     0.225 sh/28024 sched:sched_stat_runtime(comm: \"sh\", pid: 28024 (sh), runtime: 228630)\n"
                         "     0.284 sh/28024 sched:sched_switch(prev_comm: \"sh\", prev_pid: 28024 (sh), prev_prio: 120, prev_state: 1, "
                         "next_comm: \"sh\", next_pid: 28026, next_prio: 120)\n"
                         "     0.544 sh/28026 sched:sched_stat_runtime(comm: \"sh\", pid: 28026 (sh), runtime: 318433)\n0\n");
        expect("-e raw_syscalls:sys_e* --no-syscalls --max-events 1 --json",
               "{\"time_nsec\":7257342295671,\"comm\":\"sh\",\"pid\":7106,\"tid\":7106,\"event\":\"raw_syscalls:sys_exit\","
               "\"fields\":{\"id\":59,\"ret\":0}}\n0\n");
}
END_TEST

/* A 32-bit program, by perf record --user-regs=ax: chdir has the number of brk of x86-64. */
START_TEST(program_of_32_bits) {
        _cleanup_free_ char *text = test_command("ASAN_OPTIONS=detect_leaks=0 " VIEWER " trace -i " PR_TEST_GOLDEN
                                                 "/trace/perf-6.1-32bit.data -e chdir,access,exit_group --strace; echo $?");

        ck_assert_str_eq(text,
                         "chdir(0x804902d)                        = 0\n"
                         "access(0x8049032, F_OK)                 = -1 ENOENT (No such file or directory)\n"
                         "exit_group(3)                           = ?\n"
                         "+++ exited with 3 +++\n0\n");
}
END_TEST

/* A program that touches its own memory, by perf record -d; the program itself is not here. */
START_TEST(page_faults) {
        _cleanup_free_ char *text = test_command("ASAN_OPTIONS=detect_leaks=0 " VIEWER " trace -i " PR_TEST_GOLDEN
                                                 "/trace/perf-6.1-faults.data -F all; echo $?");

        ck_assert_str_eq(text,
                         "     0.000 ( 0.000 ms): program/7087 minfault [/tmp/traced/program@0x1000] => /tmp/traced/program@0x1000 (d.)\n"
                         "     0.004 ( 0.000 ms): program/7087 minfault [/tmp/traced/program@0x100a] => //anon@0x404004 (d.)\n0\n");
        free(text);
        text = test_command("ASAN_OPTIONS=detect_leaks=0 " VIEWER " trace -i " PR_TEST_GOLDEN "/trace/perf-6.1-faults.data -F maj; echo $?");
        ck_assert_str_eq(text, "0\n");
        expect("-F all", PR_TEST_GOLDEN "/trace/perf-6.1-trace.data has no page faults with threads, times and addresses: 'perfctl record "
               "-c 1 -d -e minor-faults,major-faults' records them\n1\n");
}
END_TEST

START_TEST(refused) {
        _cleanup_free_ char *text = test_command("ASAN_OPTIONS=detect_leaks=0 " VIEWER " trace -i " PR_TEST_GOLDEN
                                                 "/perf-6.1-plain.data --input-name plain 2>&1; echo $?");

        ck_assert_str_eq(text, "plain has no samples of raw_syscalls:sys_enter and raw_syscalls:sys_exit with their fields, threads and "
                         "times: the session 'syscalls' records calls that fail or may wait, 'perfctl trace record' all\n1\n");
        expect("--tod", PR_TEST_GOLDEN "/trace/perf-6.1-trace.data does not say which time of day its times are; it would, if it was "
               "recorded with -k monotonic\n1\n");
        expect("-e nosuchcall", "--event: not a value of this option: 'nosuchcall'\n1\n");
        expect("-e sched:*", PR_TEST_GOLDEN "/trace/perf-6.1-trace.data has no event that -e names, with threads and times of its "
               "samples\n1\n");
        expect("--duration x", "--duration: not a number of milliseconds: 'x'\n1\n");
}
END_TEST

CHECK_MAIN("verb-trace", lines, sums, events, program_of_32_bits, page_faults, refused);
