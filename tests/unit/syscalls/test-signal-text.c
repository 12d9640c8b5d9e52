/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The lines are those of strace 6.1, as far as the fields are known. */

#include "signal-text.h"

#include <signal.h>

#include "check-main.h"

static void check_line(const SyscallSignal *s, const char *expected) {
        _cleanup_(text_buffer_done) TextBuffer b = {};

        signal_put_line(&b, s);
        text_buffer_putc(&b, '\0');
        ck_assert_str_eq(b.data, expected);
}

static void check_end(ThreadEnd end, const char *expected) {
        _cleanup_(text_buffer_done) TextBuffer b = {};

        signal_put_end(&b, end);
        text_buffer_putc(&b, '\0');
        ck_assert_str_eq(b.data, expected);
}

#define SIGNAL(...) (&(SyscallSignal) { .has_code = true, __VA_ARGS__ })

START_TEST(lines) {
        check_line(SIGNAL(.number = SIGALRM, .code = 0x80), "--- SIGALRM {si_signo=SIGALRM, si_code=SI_KERNEL} ---");
        check_line(SIGNAL(.number = SIGTERM, .code = 0, .sender = 12), "--- SIGTERM {si_signo=SIGTERM, si_code=SI_USER, si_pid=12, ...} ---");
        check_line(SIGNAL(.number = SIGSTOP, .code = -6), "--- SIGSTOP {si_signo=SIGSTOP, si_code=SI_TKILL, ...} ---");
        check_line(SIGNAL(.number = SIGSEGV, .code = 1), "--- SIGSEGV {si_signo=SIGSEGV, si_code=SEGV_MAPERR, ...} ---");
        check_line(SIGNAL(.number = SIGSEGV, .code = 0x80), "--- SIGSEGV {si_signo=SIGSEGV, si_code=SI_KERNEL, ...} ---");
        check_line(SIGNAL(.number = SIGBUS, .code = 2), "--- SIGBUS {si_signo=SIGBUS, si_code=BUS_ADRERR, ...} ---");
        check_line(SIGNAL(.number = SIGFPE, .code = 1), "--- SIGFPE {si_signo=SIGFPE, si_code=FPE_INTDIV, ...} ---");
        check_line(SIGNAL(.number = SIGSYS, .code = 1, .error = 38), "--- SIGSYS {si_signo=SIGSYS, si_code=SYS_SECCOMP, si_errno=38, ...} ---");
        check_line(SIGNAL(.number = SIGUSR1, .code = 77), "--- SIGUSR1 {si_signo=SIGUSR1, si_code=0x4d, ...} ---");
        check_line(SIGNAL(.number = SIGCHLD, .code = CLD_EXITED, .sender = 7, .has_status = true, .status = 3),
                   "--- SIGCHLD {si_signo=SIGCHLD, si_code=CLD_EXITED, si_pid=7, si_status=3, ...} ---");
        check_line(SIGNAL(.number = SIGCHLD, .code = CLD_KILLED, .sender = 7, .has_status = true, .status = SIGKILL),
                   "--- SIGCHLD {si_signo=SIGCHLD, si_code=CLD_KILLED, si_pid=7, si_status=SIGKILL, ...} ---");
        check_line(&(SyscallSignal) { .number = SIGHUP }, "--- SIGHUP {si_signo=SIGHUP, ...} ---");
}
END_TEST

START_TEST(ends) {
        check_end((ThreadEnd) { THREAD_END_STATUS, 7 }, "+++ exited with 7 +++");
        check_end((ThreadEnd) { THREAD_END_SIGNAL, SIGKILL }, "+++ killed by SIGKILL +++");
        check_end((ThreadEnd) {}, "+++ exited +++");
        ck_assert(signal_ends_process(SIGTERM) && signal_ends_process(SIGALRM) && !signal_ends_process(SIGCHLD));
        ck_assert(!signal_ends_process(SIGSTOP) && signal_stops_process(SIGSTOP) && !signal_stops_process(SIGCONT));
}
END_TEST

CHECK_MAIN("signal-text", lines, ends);
