/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The child is forked and not executed, which the sandbox allows: it goes on with the memory of this process, and calls the verb as
 * main() does. Its output goes through a socket, for which the sandbox has a wait that does not block; its errors, which nobody
 * waits for, to a file in memory. Recordings are read by offsets, so that parent and child may share their descriptors.
 *
 * The sandbox lets no process signal another one. A child ends by itself when nobody reads its output: by SIGPIPE if it prints, or
 * else when it looks, which it does while it computes.
 *
 * Invariant: the child has no descriptor of the parent but those of the recordings. Otherwise processes that the parent forked,
 * and that end when it closes a socket, would not, as long as the child runs. */

#include "captured-verb.h"

#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "demangle.h"
#include "fd-file.h"
#include "parse-number.h"
#include "process-limits.h"
#include "progress.h"
#include "strv.h"
#include "terminal.h"

#define PIECE ((size_t) 64 << 10)
#define PIECES_MAX 16u       /* of a read */
#define LOOK_USEC 100000     /* of its own computing, between two looks whether somebody still reads */
#define END_STEPS 500u       /* of a millisecond, for the child to exit */
#define DESCRIPTOR_PATH "/proc/self/fd/"

static void exit_if_unread(int sig) {
        struct pollfd reader = { .fd = STDOUT_FILENO };

        if (poll(&reader, 1, 0) > 0 && reader.revents & (POLLHUP | POLLERR))
                _exit(EXIT_FAILURE);
}

/* SIGBUS stays: reading files that are truncated has it (mapped-file.h). Ctrl-C at the terminal is for the parent. */
static void capture_set_signals(void) {
        static const int defaults[] = { SIGHUP, SIGTERM, SIGPIPE, SIGALRM, SIGCHLD, SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU, SIGWINCH,
                                        SIGUSR1, SIGUSR2 };
        const struct itimerval timer = { .it_interval = { .tv_usec = LOOK_USEC }, .it_value = { .tv_usec = LOOK_USEC } };
        const struct sigaction action = { .sa_handler = exit_if_unread, .sa_flags = SA_RESTART };
        sigset_t none;

        for (size_t i = 0; i < ELEMENTSOF(defaults); i++)
                (void) signal(defaults[i], SIG_DFL);
        (void) signal(SIGINT, SIG_IGN);
        (void) signal(SIGQUIT, SIG_IGN);
        (void) sigaction(SIGVTALRM, &action, NULL);
        (void) setitimer(ITIMER_VIRTUAL, &timer, NULL);
        (void) sigemptyset(&none);
        (void) sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Returns the lowest descriptor from that number on that the recordings have; -1: there is none. The directory of symbols may be
 * one that perfctl opened. */
static int next_descriptor(const RecordingInputs *inputs, int from) {
        int lowest = -1;

        for (size_t i = 0; inputs && i < inputs->n; i++) {
                const RecordingInput *in = inputs->inputs + i;
                const char *number = in->symbols ? startswith(in->symbols, DESCRIPTOR_PATH) : NULL;
                int fds[] = { in->fd, -1 };

                if (number)
                        (void) parse_int(number, fds + 1);
                for (size_t k = 0; k < ELEMENTSOF(fds); k++)
                        if (fds[k] >= from && (lowest < 0 || fds[k] < lowest))
                                lowest = fds[k];
        }
        return lowest;
}

static int close_others(const RecordingInputs *inputs) {
        unsigned from = STDERR_FILENO + 1;
        int kept;

        while ((kept = next_descriptor(inputs, (int) from)) >= 0) {
                if ((unsigned) kept > from && close_range(from, (unsigned) kept - 1, 0) < 0)
                        return -errno;
                from = (unsigned) kept + 1;
        }
        return close_range(from, ~0u, 0) < 0 ? -errno : 0;
}

static int capture_set_descriptors(int out, int errors, const RecordingInputs *inputs) {
        int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

        if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 || dup2(errors, STDERR_FILENO) < 0)
                return -errno;
        return close_others(inputs);
}

/* The child has no terminal, no locale, no interrupt and no demangler: those that its memory knows are the parent's. */
static _Noreturn void capture_run(int (*run)(int argc, char **argv), char **words, int out, int errors,
                                  const RecordingInputs *inputs) {
        int status;

        capture_set_signals();
        if (capture_set_descriptors(out, errors, inputs) < 0)
                _exit(EXIT_FAILURE);
        (void) setvbuf(stdout, NULL, _IOFBF, PIECE);
        (void) setlocale(LC_ALL, "C");
        (void) setenv("SYSTEMD_COLORS", "false", true);
        terminal_examine_again();
        progress_begin_anew();
        demangle_begin_anew();
        status = run((int) strv_length(words), words);
        if (fflush(stdout) != 0 && status == EXIT_SUCCESS)
                status = EXIT_FAILURE;
        _exit(status);
}

int captured_verb_start(CapturedVerb *c, int (*run)(int argc, char **argv), char *const *words, const RecordingInputs *inputs) {
        _cleanup_strv_free_ char **copy = strv_copy(words);
        _cleanup_close_ int errors = open_memfd("errors", 0), out = -EBADF, in = -EBADF;
        int fds[2];
        pid_t pid;

        if (!copy)
                return -ENOMEM;
        if (errors < 0)
                return errors;
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) < 0)
                return -errno;
        out = fds[1];
        in = fds[0];
        (void) fflush(stdout);
        (void) process_data_size(); /* the child cannot read it, and goes on from it */
        pid = fork();
        if (pid == 0)
                capture_run(run, copy, out, errors, inputs);
        if (pid < 0)
                return -errno;
        *c = (CapturedVerb) { .pid = pid, .fd = steal_fd(&in), .errors_fd = steal_fd(&errors) };
        return 0;
}

int captured_verb_fd(const CapturedVerb *c) {
        return c->fd > 0 ? c->fd : -EBADF;
}

/* A child that does not exit though nobody reads what it prints is left to itself. */
static int wait_for_end(CapturedVerb *c) {
        const struct timespec step = { .tv_nsec = NSEC_PER_MSEC };
        int status, pid = 0;

        for (unsigned i = 0; pid == 0 && i < END_STEPS; i++) {
                pid = TEMP_FAILURE_RETRY(waitpid(c->pid, &status, WNOHANG));
                if (pid == 0)
                        (void) clock_nanosleep(CLOCK_MONOTONIC, 0, &step, NULL);
        }
        c->pid = 0;
        return pid == 0 ? -ETIMEDOUT : pid < 0 ? -errno : WIFEXITED(status) ? WEXITSTATUS(status) : -EPROTO;
}

/* Returns the error r, or 0. */
static int captured_verb_end(CapturedVerb *c, int r) {
        char *room;
        ssize_t n;

        c->fd = safe_close(c->fd);
        c->status = wait_for_end(c);
        room = text_buffer_room(&c->errors, CAPTURED_ERRORS_MAX);
        n = room ? pread_up_to(c->errors_fd, 0, room, CAPTURED_ERRORS_MAX) : c->errors.error;
        c->errors.n = n > 0 ? (size_t) n : 0;
        c->errors_fd = safe_close(c->errors_fd);
        return r < 0 ? r : (int) MIN_OF(n, 0);
}

int captured_verb_read(CapturedVerb *c) {
        for (unsigned i = 0; c->fd > 0 && i < PIECES_MAX; i++) {
                size_t wanted = MIN_OF(PIECE, CAPTURED_TEXT_MAX - c->text.n + 1);
                char *room = text_buffer_room(&c->text, wanted);
                ssize_t n = room ? TEMP_FAILURE_RETRY(recv(c->fd, room, wanted, MSG_DONTWAIT)) : -1;

                if (!room)
                        return captured_verb_end(c, c->text.error);
                if (n < 0 && errno == EAGAIN)
                        return 1;
                if (n <= 0)
                        return captured_verb_end(c, n < 0 && errno != ECONNRESET ? -errno : 0);
                c->text.n += (size_t) n;
                c->cut = c->text.n > CAPTURED_TEXT_MAX;
                c->text.n = MIN_OF(c->text.n, CAPTURED_TEXT_MAX);
                if (c->cut)
                        return captured_verb_end(c, 0);
        }
        return c->fd > 0;
}

void captured_verb_done(CapturedVerb *c) {
        if (c->fd > 0)
                (void) captured_verb_end(c, 0);
        text_buffer_done(&c->text);
        text_buffer_done(&c->errors);
        *c = (CapturedVerb) {};
}

int captured_verb_add_inputs(const RecordingInputs *inputs, char ***words) {
        int r = 0;

        for (size_t i = 0; r >= 0 && i < inputs->n; i++) {
                const RecordingInput *in = inputs->inputs + i;
                const char *beside = in->symbols && !in->symfs && !in->bundle ? in->symbols : NULL;

                r = strv_extendf(words, "--input=&%d%s%s", in->fd, beside ? "," : "", beside ?: "");
                if (r >= 0)
                        r = strv_extendf(words, "--input-name=%s", in->name);
                if (r >= 0 && in->symfs)
                        r = strv_extendf(words, "--symfs=%s", in->symbols);
        }
        return r;
}
