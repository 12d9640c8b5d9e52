/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A trace of three threads: 10, whose call began before the first event, 11, whose call is interrupted by another one, and
 * 12, which never returns. Numbers of calls are those of x86-64, which the tests of the table look at. */

#include "call-view.h"

#include "check-main.h"

static bool selected = true;

static void enter(CallView *v, uint32_t tid, uint64_t time, const char *name, uint64_t first, uint64_t second) {
        const uint64_t arguments[CALL_ARGUMENTS] = { first, second };
        CallThread *t;

        ck_assert_int_eq(call_view_thread(v, tid < 20 ? 10 : 20, tid, "web", &t), 0);
        ck_assert_int_eq(call_view_enter(v, t, time, (uint32_t) syscall_number(SYSCALL_X86_64, name), arguments, selected), 0);
}

static void leave(CallView *v, uint32_t tid, uint64_t time, const char *name, int64_t result) {
        CallThread *t;

        ck_assert_int_eq(call_view_thread(v, tid < 20 ? 10 : 20, tid, "web", &t), 0);
        ck_assert_int_eq(call_view_exit(v, t, time, (uint32_t) syscall_number(SYSCALL_X86_64, name), result, selected), 0);
}

/* Gives the text of these calls, which the caller frees. */
static char *text_of(const CallOptions *o) {
        _cleanup_(call_view_done) CallView v = { .options = o };

        call_view_begin(&v, SYSCALL_X86_64, CALL_HEADS_OF_SEVERAL);
        leave(&v, 10, 1000000, "read", 5);
        enter(&v, 11, 2000000, "close", 3, 0);
        leave(&v, 11, 2500000, "close", -9);
        enter(&v, 11, 3000000, "dup2", 4, 5);
        enter(&v, 10, 3100000, "close", 7, 0);
        leave(&v, 10, 3350000, "close", 0);
        leave(&v, 11, 5000000, "dup2", 5);
        call_view_lose(&v, 5500000, 7, true);
        enter(&v, 12, 6000000, "close", 8, 0);
        call_view_end(&v);
        if (o->summary || o->summary_only)
                ck_assert_int_eq(call_sums_put(&v.sums, o, SYSCALL_X86_64, &v.out), 0);
        text_buffer_putc(&v.out, '\0');
        ck_assert_int_eq(v.out.error, 0);
        return strdup(v.out.data);
}

static void expect(const CallOptions *o, const char *expected) {
        _cleanup_free_ char *text = text_of(o);

        ck_assert_str_eq(text, expected);
}

START_TEST(test_lines) {
        expect(&(CallOptions) {},
               "     0.000 (        ?): web/10 read(...)                                                             = 5\n"
               "     1.000 ( 0.500 ms): web/11 close(fd: 3)                                                          = -1 EBADF (Bad file "
               "descriptor)\n"
               "     2.000 (         ): web/11 dup2(oldfd: 4, newfd: 5)                                           ...\n"
               "     2.100 ( 0.250 ms): web/10 close(fd: 7)                                                          = 0\n"
               "     2.000 ( 2.000 ms): web/11  ... [continued]: dup2())                                             = 5\n"
               "     4.500 LOST 7 events!\n"
               "     5.000 (         ): web/12 close(fd: 8)                                                       ...\n");
}
END_TEST

/* The epoch began at an hour that depends on where this is. */
START_TEST(test_times_of_day) {
        const CallOptions o = { .time_of_day = true }, json = { .time_of_day = true, .json = true };
        _cleanup_(call_view_done) CallView v = { .options = &o }, w = { .options = &json };

        (void) setenv("TZ", "UTC", 1);
        call_view_begin(&v, SYSCALL_X86_64, CALL_HEADS_ALWAYS);
        v.lines.to_wall = 86400000000000 + 3600000000000;
        enter(&v, 11, 999999000, "close", 7, 0);
        leave(&v, 11, 1000500000, "close", 0);
        leave(&v, 10, 61000001000, "read", 5);
        call_view_lose(&v, 61000002000, 7, true);
        text_buffer_putc(&v.out, '\0');
        ck_assert_str_eq(v.out.data,
                         "01:00:00.999999 ( 0.501 ms): web/11 close(fd: 7)                                                          = 0\n"
                         "01:01:01.000001 (        ?): web/10 read(...)                                                             = 5\n"
                         "01:01:01.000002 LOST 7 events!\n");
        call_view_begin(&w, SYSCALL_X86_64, CALL_HEADS_ALWAYS);
        w.lines.to_wall = 1000000000000000000;
        leave(&w, 10, 3000, "read", 5);
        text_buffer_putc(&w.out, '\0');
        ck_assert_ptr_nonnull(strstr(w.out.data, "{\"end_nsec\":3000,\"realtime_nsec\":1000000000000003000,\"comm\":\"web\""));
}
END_TEST

START_TEST(test_styles) {
        expect(&(CallOptions) { .strace = true },
               "<... read resumed>)                     = 5\n"
               "[pid    11] close(3)                    = -1 EBADF (Bad file descriptor)\n"
               "[pid    11] dup2(4, 5 <unfinished ...>\n"
               "[pid    10] close(7)                    = 0\n"
               "[pid    11] <... dup2 resumed>)         = 5\n"
               "LOST 7 events!\n"
               "[pid    12] close(8 <unfinished ...>\n");
        expect(&(CallOptions) { .json = true, .failures = true },
               "{\"time_nsec\":2000000,\"duration_nsec\":500000,\"comm\":\"web\",\"pid\":10,\"tid\":11,\"call\":\"close\","
               "\"arguments\":\"fd: 3\",\"result\":-9,\"errno\":\"EBADF\"}\n"
               "{\"time_nsec\":5500000,\"lost\":7}\n");
        expect(&(CallOptions) { .json = true, .words = (char *[]) { (char *) "read", NULL } },
               "{\"end_nsec\":1000000,\"comm\":\"web\",\"pid\":10,\"tid\":10,\"call\":\"read\",\"result\":5}\n"
               "{\"time_nsec\":5500000,\"lost\":7}\n");
}
END_TEST

START_TEST(test_selection) {
        char *dup[] = { (char *) "dup*", NULL };

        expect(&(CallOptions) { .longer = 400000, .anonymous = true, .absolute = true },
               "     2.000 ( 0.500 ms): 11 close(fd: 3)                                                          = -1 EBADF (Bad file "
               "descriptor)\n"
               "     3.000 ( 2.000 ms): 11 dup2(oldfd: 4, newfd: 5)                                              = 5\n"
               "     5.500 LOST 7 events!\n");
        expect(&(CallOptions) { .words = dup },
               "     0.000 ( 2.000 ms): web/11 dup2(oldfd: 4, newfd: 5)                                              = 5\n"
               "     2.500 LOST 7 events!\n");
        expect(&(CallOptions) { .words = dup, .others = true, .failures = true },
               "     1.000 ( 0.500 ms): web/11 close(fd: 3)                                                          = -1 EBADF (Bad file "
               "descriptor)\n"
               "     4.500 LOST 7 events!\n");
}
END_TEST

/* Threads of one control group are one sum, and a thread may go into another group. */
START_TEST(test_groups) {
        const CallOptions o = { .summary_only = true, .mode = CALL_SUMMARY_CGROUP };
        _cleanup_(call_view_done) CallView v = { .options = &o };
        static const char *const groups[] = { "/system.slice/web.service", "/user.slice", NULL };
        CallThread *t;

        call_view_begin(&v, SYSCALL_X86_64, true);
        for (uint32_t i = 0; i < 4; i++) {
                ck_assert_int_eq(call_view_thread(&v, 10, 10 + i % 2, "web", &t), 0);
                ck_assert_int_eq(call_sums_set_group(&v.sums, t, groups[i < 2 ? 0 : i - 1]), 0);
                enter(&v, 10 + i % 2, 1000000 * (i + 1), "close", i, 0);
                leave(&v, 10 + i % 2, 1000000 * (i + 1) + 500000, "close", 0);
        }
        ck_assert_int_eq(call_sums_put(&v.sums, &o, SYSCALL_X86_64, &v.out), 0);
        text_buffer_putc(&v.out, '\0');
        ck_assert_ptr_nonnull(strstr(v.out.data, "\n /system.slice/web.service, 4 events, 50.0%\n\n"));
        ck_assert_ptr_nonnull(strstr(v.out.data, "\n /user.slice, 2 events, 25.0%\n\n"));
        ck_assert_ptr_nonnull(strstr(v.out.data, "\n (unknown control group), 2 events, 25.0%\n\n"));
        ck_assert_ptr_nonnull(strstr(v.out.data, "\n   close                  2      0     1.000     0.500     0.500     0.500      0.00%\n\n\n"));
        v.out.n = 0;
        ck_assert_int_eq(call_sums_put_json(&v.sums, SYSCALL_X86_64, &v.out), 0);
        text_buffer_putc(&v.out, '\0');
        ck_assert_ptr_nonnull(strstr(v.out.data, "{\"cgroup\":\"/system.slice/web.service\",\"events\":4,\"calls\":[{\"call\":\"close\",\"calls\":2,"));
}
END_TEST

/* Calls that began before what is selected. */
START_TEST(test_earlier_begins) {
        const CallOptions o = {};
        _cleanup_(call_view_done) CallView v = { .options = &o };

        call_view_begin(&v, SYSCALL_X86_64, true);
        selected = false;
        enter(&v, 11, 1000000, "dup2", 4, 5);
        enter(&v, 10, 2000000, "close", 7, 0);
        selected = true;
        leave(&v, 10, 3000000, "close", 0);
        leave(&v, 11, 4000000, "dup2", 5);
        text_buffer_putc(&v.out, '\0');
        ck_assert_str_eq(v.out.data,
                         "     0.000 ( 1.000 ms): web/10 close(fd: 7)                                                          = 0\n"
                         "    -1.000 ( 3.000 ms): web/11 dup2(oldfd: 4, newfd: 5)                                              = 5\n");
}
END_TEST

START_TEST(test_sums) {
        expect(&(CallOptions) { .summary_only = true, .errnos = true },
               "LOST 7 events!\n\n Summary of events:\n\n"
               " web (10), 3 events, 37.5%\n\n"
               "   syscall            calls  errors  total       min       avg       max       stddev\n"
               "                                     (msec)    (msec)    (msec)    (msec)        (%)\n"
               "   --------------- --------  ------ -------- --------- --------- ---------     ------\n"
               "   close                  1      0     0.250     0.250     0.250     0.250      0.00%\n"
               "   read                   1      0         -         -         -         -          -\n\n\n"
               " web (11), 4 events, 50.0%\n\n"
               "   syscall            calls  errors  total       min       avg       max       stddev\n"
               "                                     (msec)    (msec)    (msec)    (msec)        (%)\n"
               "   --------------- --------  ------ -------- --------- --------- ---------     ------\n"
               "   dup2                   1      0     2.000     2.000     2.000     2.000      0.00%\n"
               "   close                  1      1     0.500     0.500     0.500     0.500      0.00%\n"
               "\t\t\t\tEBADF: 1\n\n\n");
        expect(&(CallOptions) { .summary_only = true, .mode = CALL_SUMMARY_TOTAL },
               "LOST 7 events!\n\n Summary of events:\n\n"
               " total, 8 events\n\n"
               "   syscall            calls  errors  total       min       avg       max       stddev\n"
               "                                     (msec)    (msec)    (msec)    (msec)        (%)\n"
               "   --------------- --------  ------ -------- --------- --------- ---------     ------\n"
               "   dup2                   1      0     2.000     2.000     2.000     2.000      0.00%\n"
               "   close                  2      1     0.750     0.250     0.375     0.500     33.33%\n"
               "   read                   1      0         -         -         -         -          -\n\n\n");
}
END_TEST

/* Sums that were made elsewhere, of two threads, are as if their calls had been seen here. */
START_TEST(test_merged_sums) {
        const CallSum sums[] = {
                { .number = 3, .n = 2, .failed = 1, .times = { 375e3, 31250e6, 2 }, .shortest = 250000, .longest = 500000 },
                { .number = 3, .n = 1, .times = { 375e3, 0, 1 }, .shortest = 375000, .longest = 375000 },
        };

        for (int total = 0; total < 2; total++) {
                const CallOptions o = { .mode = total ? CALL_SUMMARY_TOTAL : CALL_SUMMARY_THREAD, .errnos = true };
                _cleanup_(call_sums_done) CallSums s = {};
                _cleanup_(text_buffer_done) TextBuffer out = {};
                uint32_t thread;

                for (uint32_t i = 0; i < 2; i++) {
                        ck_assert_int_eq(call_sums_merge_thread(&s, &o, 10 + i, "web\n", 2, &thread), 0);
                        ck_assert_int_eq(call_sums_merge(&s, thread, sums + i), 0);
                }
                ck_assert_int_eq(call_sums_merge_error(&s, 0, 3, EBADF, 1), 0);
                ck_assert_int_eq(call_sums_put(&s, &o, SYSCALL_X86_64, &out), 0);
                text_buffer_putc(&out, '\0');
                if (total) {
                        ck_assert_ptr_nonnull(strstr(out.data, " total, 4 events\n"));
                        ck_assert_ptr_nonnull(strstr(out.data, "close                  3      1     1.125     0.250     0.375     0.500     19.25%\n"));
                } else {
                        ck_assert_ptr_nonnull(strstr(out.data, " (11), 2 events, 50.0%\n"));
                        ck_assert_ptr_nonnull(strstr(out.data, "close                  2      1     0.750     0.250     0.375     0.500     33.33%\n"
                                                               "\t\t\t\tEBADF: 1\n"));
                        ck_assert_ptr_null(strstr(out.data, "web\n"));
                }
        }
}
END_TEST

/* An event interrupts the call of its thread, too. With events only, there is no column of durations. */
START_TEST(test_events) {
        const CallEvent e = { .name = (char *) "sched:sched_switch" };
        char *names[] = { (char *) "sched:*", NULL };
        static const char *const expected[] = {
                "     0.000 (         ): web/11 dup2(oldfd: 4, newfd: 5)                                           ...\n"
                "     0.100 (         ): web/11 sched:sched_switch()\n"
                "     0.000 ( 2.000 ms): web/11  ... [continued]: dup2())                                             = 5\n",
                "[pid    11] dup2(4, 5 <unfinished ...>\n"
                "[pid    11] sched:sched_switch()\n"
                "[pid    11] <... dup2 resumed>)         = 5\n",
                "{\"time_nsec\":3100000,\"comm\":\"web\",\"pid\":10,\"tid\":11,\"event\":\"sched:sched_switch\",\"fields\":{}}\n"
                "{\"time_nsec\":3000000,\"duration_nsec\":2000000,\"comm\":\"web\",\"pid\":10,\"tid\":11,\"call\":\"dup2\","
                "\"arguments\":\"oldfd: 4, newfd: 5\",\"result\":5}\n",
                "     0.000 web/11 sched:sched_switch()\n",
        };
        const CallOptions options[] = { {}, { .strace = true }, { .json = true }, { .events = names } };

        for (size_t i = 0; i < ELEMENTSOF(options); i++) {
                _cleanup_(call_view_done) CallView v = { .options = options + i };
                bool calls = call_options_have_calls(options + i);
                CallThread *t;

                ck_assert_int_eq(calls, i < 3);
                call_view_begin(&v, SYSCALL_X86_64, CALL_HEADS_ALWAYS);
                if (calls)
                        enter(&v, 11, 3000000, "dup2", 4, 5);
                ck_assert_int_eq(call_view_thread(&v, 10, 11, "web", &t), 0);
                ck_assert_int_eq(call_view_event(&v, t, 3100000, &e, NULL, 0), 0);
                if (calls)
                        leave(&v, 11, 5000000, "dup2", 5);
                text_buffer_putc(&v.out, '\0');
                ck_assert_str_eq(v.out.data, expected[i]);
        }
        ck_assert(call_options_want_event(options + 3, "sched:sched_waking"));
        ck_assert(!call_options_want_event(options + 3, "task:task_rename"));
}
END_TEST

static void start(CallView *v, CallHeads heads) {
        call_view_begin(v, SYSCALL_X86_64, heads);
        enter(v, 10, 1000, "fork", 0, 0);
        ck_assert_int_eq(call_view_fork(v, 10, 10, 20, 20), 0);
        leave(v, 20, 1100, "fork", 0); /* of the child: no line */
        leave(v, 10, 1200, "fork", 20);
}

/* Compares what was shown so far. */
static void expect_shown(CallView *v, const char *expected) {
        text_buffer_putc(&v->out, '\0');
        ck_assert_int_eq(v->out.error, 0);
        ck_assert_str_eq(v->out.data, expected);
        v->out.n = 0;
}

static void take_signal(CallView *v, uint32_t tid, int32_t number, bool by_default) {
        CallThread *t;

        ck_assert_int_eq(call_view_thread(v, tid < 20 ? 10 : 20, tid, NULL, &t), 0);
        ck_assert_int_eq(call_view_signal(v, t, &(SyscallSignal) { .number = number, .has_code = true, .by_default = by_default }, true), 0);
}

/* strace names threads while several live, by the moment when a line begins. */
START_TEST(test_heads) {
        _cleanup_(call_view_done) CallView v = { .options = &(CallOptions) { .strace = true } };
        _cleanup_(call_view_done) CallView file = { .options = v.options };

        start(&v, CALL_HEADS_OF_SEVERAL);
        enter(&v, 10, 1300, "wait4", 20, 0x1000);
        enter(&v, 20, 1400, "exit_group", 3, 0);
        ck_assert_int_eq(call_view_end_thread(&v, 20, 10, true), 0);
        leave(&v, 10, 1500, "wait4", 20);
        enter(&v, 10, 1600, "getpid", 0, 0);
        leave(&v, 10, 1700, "getpid", 10);
        expect_shown(&v,
                     "fork()                                  = 20\n"
                     "[pid    10] wait4(20,  <unfinished ...>\n"
                     "[pid    20] exit_group(3)               = ?\n"
                     "[pid    20] +++ exited with 3 +++\n"
                     "<... wait4 resumed>0x1000, 0, NULL)     = 20\n"
                     "--- SIGCHLD {si_signo=SIGCHLD, si_code=CLD_EXITED, si_pid=20, si_status=3, ...} ---\n"
                     "getpid()                                = 10\n");
        start(&file, CALL_HEADS_OF_FILE);
        expect_shown(&file, "10    fork()                            = 20\n");
}
END_TEST

/* The sender of a signal that ends a process is known if it was sent by a traced thread; SIGKILL is what the threads get. */
START_TEST(test_signals) {
        _cleanup_(call_view_done) CallView v = { .options = &(CallOptions) { .strace = true } };

        start(&v, CALL_HEADS_ALWAYS);
        enter(&v, 20, 1300, "pause", 0, 0);
        call_view_send(&v, 20, 15, 0, 10);
        leave(&v, 20, 1400, "pause", -514);
        take_signal(&v, 20, 9, true);
        ck_assert_int_eq(call_view_end_thread(&v, 20, 10, true), 0);
        take_signal(&v, 10, 17, false);
        expect_shown(&v,
                     "[pid    10] fork()                      = 20\n"
                     "[pid    20] pause()                     = ? ERESTARTNOHAND (To be restarted if no handler)\n"
                     "[pid    20] --- SIGTERM {si_signo=SIGTERM, si_code=SI_USER, si_pid=10, ...} ---\n"
                     "[pid    20] +++ killed by SIGTERM +++\n"
                     "[pid    10] --- SIGCHLD {si_signo=SIGCHLD, si_code=SI_USER, si_pid=20, si_status=SIGTERM, ...} ---\n");
        enter(&v, 10, 1500, "nanosleep", 0x1000, 0);
        leave(&v, 10, 1600, "nanosleep", -516);
        take_signal(&v, 10, 19, true);
        enter(&v, 10, 1700, "restart_syscall", 0, 0);
        leave(&v, 10, 1800, "restart_syscall", 0);
        expect_shown(&v,
                     "[pid    10] nanosleep(0x1000, NULL)     = ? ERESTART_RESTARTBLOCK (Interrupted by signal)\n"
                     "[pid    10] --- SIGSTOP {si_signo=SIGSTOP, si_code=SI_USER, ...} ---\n"
                     "[pid    10] --- stopped by SIGSTOP ---\n"
                     "[pid    10] restart_syscall(<... resuming interrupted nanosleep ...>) = 0\n");
}
END_TEST

/* Two children end before the first signal comes: each has its own line, unless the signal of one was still pending. */
START_TEST(test_children) {
        _cleanup_(call_view_done) CallView v = { .options = &(CallOptions) { .strace = true } };

        start(&v, CALL_HEADS_ALWAYS);
        ck_assert_int_eq(call_view_fork(&v, 10, 10, 21, 21), 0);
        ck_assert_int_eq(call_view_fork(&v, 10, 10, 22, 22), 0);
        for (uint32_t tid = 20; tid <= 22; tid++)
                ck_assert_int_eq(call_view_end_thread(&v, tid, 10, false), 0);
        take_signal(&v, 10, 17, false);
        take_signal(&v, 10, 17, false);
        enter(&v, 10, 1300, "wait4", UINT64_MAX, 0);
        leave(&v, 10, 1400, "wait4", 22);
        enter(&v, 10, 1500, "getpid", 0, 0);
        leave(&v, 10, 1600, "getpid", 10);
        take_signal(&v, 10, 17, false);
        expect_shown(&v,
                     "[pid    10] fork()                      = 20\n"
                     "[pid    10] --- SIGCHLD {si_signo=SIGCHLD, si_code=SI_USER, si_pid=20, ...} ---\n"
                     "[pid    10] --- SIGCHLD {si_signo=SIGCHLD, si_code=SI_USER, si_pid=21, ...} ---\n"
                     "[pid    10] wait4(-1, NULL, 0, NULL)    = 22\n"
                     "[pid    10] getpid()                    = 10\n"
                     "[pid    10] --- SIGCHLD {si_signo=SIGCHLD, si_code=SI_USER, ...} ---\n");
}
END_TEST

/* A call that a thread does not return from, since its process ends. The line of the first thread is the last one. */
START_TEST(test_ends) {
        _cleanup_(call_view_done) CallView v = { .options = &(CallOptions) { .strace = true } };

        start(&v, CALL_HEADS_OF_SEVERAL);
        ck_assert_int_eq(call_view_fork(&v, 10, 10, 10, 11), 0);
        ck_assert_int_eq(call_view_fork(&v, 10, 10, 10, 12), 0);
        enter(&v, 11, 1300, "read", 3, 0x1000);
        enter(&v, 12, 1400, "pause", 0, 0);
        enter(&v, 10, 1500, "exit_group", 256 + 7, 0);
        ck_assert_int_eq(call_view_end_thread(&v, 10, 1, true), 0);
        leave(&v, 11, 1600, "read", -512);
        take_signal(&v, 11, 9, true);
        ck_assert_int_eq(call_view_end_thread(&v, 11, 1, true), 0);
        leave(&v, 12, 1700, "pause", -514);
        take_signal(&v, 12, 9, true);
        ck_assert_int_eq(call_view_end_thread(&v, 20, 10, true), 0);
        ck_assert_int_eq(call_view_end_thread(&v, 12, 1, true), 0);
        expect_shown(&v,
                     "fork()                                  = 20\n"
                     "[pid    11] read(3,  <unfinished ...>\n"
                     "[pid    12] pause( <unfinished ...>\n"
                     "[pid    10] exit_group(263)             = ?\n"
                     "[pid    11] <... read resumed> <unfinished ...>) = ?\n"
                     "[pid    11] +++ exited with 7 +++\n"
                     "[pid    12] <... pause resumed>)        = ?\n"
                     "[pid    20] +++ exited +++\n"
                     "[pid    12] +++ exited with 7 +++\n"
                     "+++ exited with 7 +++\n");
        ck_assert_uint_eq(v.model.n_alive, 0);
}
END_TEST

/* A 32-bit program begins, which calls by the numbers of i386: chdir(2), of which the end has the other ABI's number, is another call. */
START_TEST(test_compat) {
        _cleanup_(call_view_done) CallView v = { .options = &(CallOptions) { .strace = true } };
        const uint64_t arguments[CALL_ARGUMENTS] = { 5 };
        CallThread *t;

        call_view_begin(&v, SYSCALL_X86_64, CALL_HEADS_OF_SEVERAL);
        enter(&v, 10, 1000, "execveat", 0, 0);
        ck_assert_int_eq(call_view_thread(&v, 10, 10, NULL, &t), 0);
        ck_assert_uint_eq(call_thread_number(t, SYSCALL_X86_64, 11 | SYSCALL_COMPAT), 322);
        ck_assert_uint_eq(call_thread_number(t, SYSCALL_X86_64, 12 | SYSCALL_COMPAT), 12 | SYSCALL_COMPAT);
        leave(&v, 10, 1100, "execveat", 0);
        ck_assert_uint_eq(call_thread_number(t, SYSCALL_X86_64, 11 | SYSCALL_COMPAT), 11 | SYSCALL_COMPAT);
        ck_assert_int_eq(call_view_enter(&v, t, 1200, 6 | SYSCALL_COMPAT, arguments, true), 0);
        ck_assert_int_eq(call_view_exit(&v, t, 1300, 6 | SYSCALL_COMPAT, 0, true), 0);
        ck_assert_int_eq(call_view_enter(&v, t, 1400, 12 | SYSCALL_COMPAT, arguments, true), 0);
        ck_assert_int_eq(call_view_exit(&v, t, 1500, 12, 0, true), 0);
        text_buffer_putc(&v.out, '\0');
        ck_assert_str_eq(v.out.data,
                         "execveat(0, NULL, NULL, NULL, 0)        = 0\n"
                         "close(5)                                = 0\n"
                         "<... brk resumed>)                      = 0\n");
}
END_TEST

START_TEST(test_faults) {
        const CallFault fault = { .code = "memset+0x32", .memory = "/usr/lib/libc.so.6@0x10", .map = 'd', .level = '.' };
        static const char *const expected[] = {
                "     0.000 (         ): web/11 dup2(oldfd: 4, newfd: 5)                                           ...\n"
                "     0.100 ( 0.000 ms): web/11 minfault [memset+0x32] => /usr/lib/libc.so.6@0x10 (d.)\n",
                "{\"time_nsec\":3100000,\"comm\":\"web\",\"pid\":10,\"tid\":11,\"event\":\"minfault\",\"code\":\"memset+0x32\","
                "\"memory\":\"/usr/lib/libc.so.6@0x10\"}\n",
                "",
        };
        const CallOptions options[] = { {}, { .json = true }, { .summary_only = true } };

        for (size_t i = 0; i < ELEMENTSOF(options); i++) {
                _cleanup_(call_view_done) CallView v = { .options = options + i };
                CallThread *t;

                call_view_begin(&v, SYSCALL_X86_64, CALL_HEADS_ALWAYS);
                enter(&v, 11, 3000000, "dup2", 4, 5);
                ck_assert_int_eq(call_view_thread(&v, 10, 11, "web", &t), 0);
                ck_assert_int_eq(call_view_fault(&v, t, 3100000, &fault), 0);
                text_buffer_putc(&v.out, '\0');
                ck_assert_str_eq(v.out.data, expected[i]);
                v.out.n = 0;
                ck_assert_int_eq(call_sums_put(&v.sums, options + i, SYSCALL_X86_64, &v.out), 0);
                text_buffer_putc(&v.out, '\0');
                ck_assert_ptr_nonnull(strstr(v.out.data, " web (11), 2 events, 100.0%, 1 minfaults\n\n   syscall"));
                v.out.n = 0;
                ck_assert_int_eq(call_sums_put_json(&v.sums, SYSCALL_X86_64, &v.out), 0);
                text_buffer_putc(&v.out, '\0');
                ck_assert_str_eq(v.out.data, "{\"threads\":[{\"comm\":\"web\",\"tid\":11,\"events\":2,\"minfaults\":1,\"calls\":[]}]}\n");
        }
        ck_assert(!call_options_have_calls(&(CallOptions) { .minor_faults = true }));
        ck_assert(call_options_have_calls(&(CallOptions) { .minor_faults = true, .with_calls = true }));
}
END_TEST

/* A thread id that is given again is another thread; an end of another number has no begin. */
START_TEST(test_model) {
        _cleanup_(call_model_done) CallModel m = {};
        const uint64_t arguments[CALL_ARGUMENTS] = {};
        CallModel before;
        CallThread *t;
        Call c;

        ck_assert_int_eq(call_model_thread(&m, 7, &t), 0);
        ck_assert(!call_thread_begin(t, 100, 3, arguments));
        ck_assert(call_thread_begin(t, 200, 4, arguments)); /* the end of the first one is missing */
        ck_assert(call_thread_end(t, 300, 3, 0, &c));
        ck_assert_uint_eq(c.since, 0);
        ck_assert(!call_thread_end(t, 310, CALL_NUMBER_NONE, 0, &c)); /* it is in no call */
        ck_assert(!call_thread_begin(t, 400, 15, arguments));
        ck_assert(call_thread_end(t, 500, CALL_NUMBER_NONE, 0, &c)); /* as sigreturn ends */
        ck_assert_uint_eq(c.number, 15);
        ck_assert_uint_eq(c.since, 400);
        ck_assert(!call_thread_begin(t, 600, 3, arguments));
        ck_assert(call_thread_end(t, 550, 3, 0, &c)); /* time ran backwards */
        ck_assert_uint_eq(c.since, 0);
        m.reuses = true; /* as many processes as one likes, of one id */
        before = m;
        for (int i = 0; i < 1000; i++)
                ck_assert_int_eq(call_model_fork(&m, 9, 9, "short"), 0);
        ck_assert_uint_eq(m.n_threads, before.n_threads + 1);
        ck_assert_uint_eq(m.n_alive, before.n_alive + 1);
        m.reuses = false;
        ck_assert_int_eq(call_model_fork(&m, 7, 7, "new"), 0);
        ck_assert_int_eq(call_model_thread(&m, 7, &t), 0);
        ck_assert(!t->in_call && t->born);
        ck_assert_str_eq(t->name, "new");
        ck_assert_uint_eq(m.n_threads, 3);
        ck_assert_ptr_null(call_model_find(&m, 8));
}
END_TEST

CHECK_MAIN("call-view", test_lines, test_times_of_day, test_styles, test_selection, test_earlier_begins, test_groups, test_sums,
           test_merged_sums, test_events, test_compat, test_faults, test_heads, test_signals, test_children, test_ends, test_model);
