/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The process answers, has what its plan gives it and no more, and is gone afterwards. */

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "check-main.h"
#include "fd-file.h"
#include "forked-process.h"
#include "process-limits.h"

static void answer(void *userdata) {
        char question[16];
        ssize_t n;

        while ((n = recv(FORKED_PROCESS_SOCKET, question, sizeof(question), 0)) > 0)
                (void) send(FORKED_PROCESS_SOCKET, userdata, strlen(userdata) + 1, MSG_NOSIGNAL);
        _exit(EXIT_SUCCESS);
}

START_TEST(test_question) {
        ForkedProcess p = FORKED_PROCESS_EMPTY;
        const ForkedPlan plan = { .serve = answer, .userdata = (char *) "yes", .socket_type = SOCK_SEQPACKET, .memory = 1 << 20 };
        char text[16] = "";
        pid_t pid;

        ck_assert_int_eq(forked_process_start(&p, &plan), 0);
        pid = p.pid;
        for (unsigned i = 0; i < 3; i++) {
                ck_assert_int_eq(send(p.fd, "?", 1, MSG_NOSIGNAL), 1);
                ck_assert_int_eq(recv(p.fd, text, sizeof(text), 0), 4);
                ck_assert_str_eq(text, "yes");
        }
        forked_process_end(&p);
        ck_assert_int_eq(p.fd, -EBADF);
        ck_assert_int_eq(kill(pid, 0), -1);
        ck_assert_int_eq(errno, ESRCH);
        forked_process_end(&p);
}
END_TEST

/* Sends a letter for the first thing that is wrong. */
static void look(void *userdata) {
        const uint64_t *most = userdata;
        struct rlimit limit;
        sigset_t blocked;
        char c = 0;

        if (pread(FORKED_PROCESS_FILE, &c, 1, 0) != 1 || c != 'f')
                c = 'F';
        else if (fcntl(FORKED_PROCESS_FILE + 1, F_GETFD) >= 0 || read(STDIN_FILENO, &c, 1) != 0)
                c = 'D';
        else if (getrlimit(RLIMIT_DATA, &limit) < 0 || limit.rlim_cur > *most)
                c = 'M';
        else if (sigprocmask(SIG_SETMASK, NULL, &blocked) < 0 || sigismember(&blocked, SIGPROF))
                c = 'S';
        else
                c = 'y';
        (void) send(FORKED_PROCESS_SOCKET, &c, 1, MSG_NOSIGNAL);
        _exit(EXIT_SUCCESS);
}

START_TEST(test_what_it_has) {
        _cleanup_close_ int file = open_memfd("file", 0), other = open_memfd("other", 0);
        uint64_t most = process_data_size() + (64 << 20);
        ForkedProcess p = FORKED_PROCESS_EMPTY;
        const ForkedPlan plan = { .serve = look, .userdata = &most, .socket_type = SOCK_STREAM, .has_file = true, .file_fd = file,
                                  .memory = 16 << 20 };
        sigset_t signals;
        char c = 0;

        ck_assert(file >= 0 && other >= 0);
        ck_assert_int_eq(write(file, "f", 1), 1);
        (void) sigemptyset(&signals);
        (void) sigaddset(&signals, SIGPROF);
        ck_assert_int_eq(sigprocmask(SIG_BLOCK, &signals, NULL), 0);
        ck_assert_int_eq(forked_process_start(&p, &plan), 0);
        ck_assert_int_eq(recv(p.fd, &c, 1, 0), 1);
        ck_assert_msg(c == 'y', "%c", c);
        forked_process_end(&p);
}
END_TEST

static void spin(void *userdata) {
        volatile unsigned n = 0;

        (void) forked_process_limit_time(20000);
        for (;;)
                n++;
}

START_TEST(test_time) {
        ForkedProcess p = FORKED_PROCESS_EMPTY;
        const ForkedPlan plan = { .serve = spin, .socket_type = SOCK_SEQPACKET, .memory = 1 << 20 };
        siginfo_t info = {};
        char c;

        ck_assert_int_eq(forked_process_start(&p, &plan), 0);
        ck_assert_int_eq(recv(p.fd, &c, 1, 0), 0);
        ck_assert_int_eq(waitid(P_PID, (id_t) p.pid, &info, WEXITED | WNOWAIT), 0);
        ck_assert_int_eq(info.si_code, CLD_KILLED);
        ck_assert_int_eq(info.si_status, SIGPROF);
        forked_process_end(&p);
}
END_TEST

static void compute(void *userdata) {
        (void) send(FORKED_PROCESS_SOCKET, "c", 1, MSG_NOSIGNAL);
        for (volatile uint64_t n = 0;; n++)
                ;
}

/* Its parent may have to end while it computes, and can send it no signal. */
START_TEST(test_end_while_it_computes) {
        ForkedProcess p = FORKED_PROCESS_EMPTY;
        const ForkedPlan plan = { .serve = compute, .socket_type = SOCK_SEQPACKET, .memory = 1 << 20 };
        char c = 0;

        ck_assert_int_eq(forked_process_start(&p, &plan), 0);
        ck_assert_int_eq(recv(p.fd, &c, 1, 0), 1);
        forked_process_end(&p);
}
END_TEST

CHECK_MAIN("forked-process", test_question, test_what_it_has, test_end_while_it_computes, test_time);
