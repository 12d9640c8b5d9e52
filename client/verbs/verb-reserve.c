/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl reserve: has the sessions leave counters to a command, or until it is killed. The service's answer is a descriptor, and
 * the reservation lasts until its last copy is closed: so the command does not get it, unless it runs in the background, where it
 * is all that is left. */

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

#include "bus-client.h"
#include "child-process.h"
#include "counter-kind.h"
#include "fd-file.h"
#include "format-text.h"
#include "reservation-list.h"
#include "strv.h"
#include "utf8.h"
#include "verbs.h"

#define WHO_MAX 128u /* bytes, the service's limits */
#define WHY_MAX 512u
#define ANSWER_TIMEOUT (120 * USEC_PER_SEC) /* polkit may ask for a password */
#define PAUSE_FIRST (1 * USEC_PER_SEC)      /* before another try */
#define PAUSE_MOST (16 * USEC_PER_SEC)      /* each try closes the sessions' events for a moment */
#define STATUS_NOT_EXECUTABLE 126           /* as shells have them */
#define STATUS_NOT_FOUND 127

typedef struct ReserveLine {
        const char *what;
        CounterKind kind;
        char *who, *why;
        char **command; /* borrowed; no word: none */
        usec_t end;     /* of CLOCK_MONOTONIC: tries until then; 0: once */
} ReserveLine;

static void reserve_line_done(ReserveLine *l) {
        free(l->who);
        free(l->why);
}

/* Names the holder, and the reason if none was given. */
static int reserve_complete(ReserveLine *l, const char *reason) {
        _cleanup_free_ char *path = format_text("/proc/%d/comm", (int) getppid()), *comm = NULL, *why = NULL;
        const char *slash = *l->command ? strrchr(*l->command, '/') : NULL;

        if (!path)
                return -ENOMEM;
        if (!*l->command && read_file(path, 4096, &comm, NULL) >= 0)
                comm[strcspn(comm, "\n")] = '\0';
        l->who = utf8_line(slash ? slash + 1 : *l->command ?: comm && *comm ? comm : "perfctl", SIZE_MAX, WHO_MAX);
        why = reason ? strdup(reason) : format_text("perfctl reserve%s%s", *l->command ? " " : "", *l->command ? l->who : "");
        l->why = why ? utf8_line(why, SIZE_MAX, WHY_MAX) : NULL;
        return l->who && l->why ? 0 : -ENOMEM;
}

/* Asks until the counters are reserved, or gives up. Returns the exit status. */
static int reserve_claim(const ClientOptions *o, const ReserveLine *l, int *ret) {
        _cleanup_(bus_client_freep) BusClient *c = NULL;
        _cleanup_(bus_descriptors_done) BusDescriptors d = {};
        _cleanup_(json_object_putp) json_object *reply = NULL;
        _cleanup_free_ char *what = format_text("reserve %s", l->what);
        const char *const strings[] = { l->what, l->who, l->why, NULL };
        const BusClientCall call = { .method = "Reserve", .strings = strings, .flags = BUS_CALL_AUTHORIZE | BUS_CALL_WAIT,
                                     .timeout = ANSWER_TIMEOUT };
        usec_t wait = PAUSE_FIRST;
        bool remarked = o->quiet;

        if (!what)
                return verb_fail("reserve counters", -ENOMEM);
        if (bus_client_open(o, &c) < 0)
                return STATUS_FAILED;
        if (l->end > 0 && bus_client_listen(c, "Released") < 0)
                return bus_client_fail(c, what);
        while (bus_client_call_for_descriptors(c, &call, &reply, &d) < 0) {
                usec_t now = now_usec(CLOCK_MONOTONIC);
                int r;

                json_object_put(steal_ptr(reply)); /* the values of an error */
                if (now >= l->end || !bus_client_was_busy(c))
                        return bus_client_fail(c, what);
                if (!remarked) {
                        (void) bus_client_fail(c, what);
                        (void) fprintf(stderr, "Waiting until they are free\n");
                }
                remarked = true;
                r = bus_client_await_signal(c, MIN_OF(wait, l->end - now));
                if (r < 0)
                        return bus_client_fail(c, what);
                wait = r > 0 ? PAUSE_FIRST : MIN_OF(2 * wait, PAUSE_MOST);
        }
        if (d.n != 1)
                return verb_fail(what, -EBADMSG);
        *ret = steal_fd(&d.fds[0]);
        return STATUS_OK;
}

/* Executes the command. If that fails, prints why and returns the exit status that shells have for it. */
static int reserve_exec(char *const *command, int errors_fd) {
        int error;

        (void) execvp(command[0], command);
        error = errno;
        (void) dprintf(errors_fd, "Failed to run %s: %s\n", command[0], strerror(error));
        return error == ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE;
}

typedef struct ReserveRun {
        const ReserveLine *line;
        const sigset_t *signals; /* that were blocked before */
} ReserveRun;

static void reserve_run_command(void *userdata) {
        const ReserveRun *run = userdata;

        (void) prctl(PR_SET_PDEATHSIG, SIGTERM);
        (void) sigprocmask(SIG_SETMASK, run->signals, NULL);
        _exit(reserve_exec(run->line->command, STDERR_FILENO));
}

/* Handles a signal. Returns the exit status of perfctl, or -EAGAIN while it goes on. The terminal's signals have reached the
 * command, which is in the same process group; those of other processes are sent on. */
static int reserve_take_signal(const struct signalfd_siginfo *info, pid_t command) {
        int sig = (int) info->ssi_signo, status;

        if (sig == SIGCHLD) {
                if (command == 0 || waitpid(command, &status, WNOHANG) != command)
                        return -EAGAIN;
                return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        }
        if (command == 0)
                return STATUS_OK;
        if (info->ssi_code != SI_KERNEL)
                (void) kill(command, sig);
        return -EAGAIN;
}

/* Runs the command, if there is one, and returns the exit status of perfctl. The service holds the other end of the descriptor,
 * also over a restart: that it is closed means that the service was stopped. */
static int reserve_hold(const ReserveLine *l, int fd) {
        _cleanup_close_ int signal_fd = -EBADF;
        struct pollfd fds[] = { { .events = POLLIN }, { .fd = fd } };
        sigset_t mask, before;
        int status = -EAGAIN;
        pid_t pid = 0;

        (void) sigemptyset(&mask);
        for (const int *s = (const int[]) { SIGCHLD, SIGINT, SIGQUIT, SIGTERM, SIGHUP, 0 }; *s; s++)
                (void) sigaddset(&mask, *s);
        (void) sigprocmask(SIG_BLOCK, &mask, &before);
        fds[0].fd = signal_fd = signalfd(-1, &mask, SFD_CLOEXEC);
        if (signal_fd < 0)
                return verb_fail("wait for signals", -errno);
        if (*l->command)
                pid = child_start(reserve_run_command, &(ReserveRun) { .line = l, .signals = &before });
        if (pid < 0)
                return verb_fail("run the command", pid);
        while (status == -EAGAIN) {
                struct signalfd_siginfo info;

                if (poll(fds, ELEMENTSOF(fds), -1) < 0)
                        continue;
                if (fds[1].revents) {
                        (void) fprintf(stderr, "perf-recorderd was stopped: %s is no longer reserved\n", l->what);
                        fds[1].fd = -1;
                        status = pid == 0 ? STATUS_FAILED : -EAGAIN;
                } else if (read(signal_fd, &info, sizeof(info)) == (ssize_t) sizeof(info))
                        status = reserve_take_signal(&info, pid);
        }
        return status;
}

typedef struct ReserveDetached {
        const ClientOptions *options;
        const ReserveLine *line;
        int report_fd; /* takes the exit status of the process that was called, as a byte; the last one counts */
} ReserveDetached;

static void reserve_report(int fd, int status) {
        const uint8_t byte = (uint8_t) status;

        (void) write_all(fd, &byte, sizeof(byte));
}

/* The process in the background goes with its parent until the counters are reserved. Then it leaves the terminal, and the caller's
 * output, whose end that may wait for. */
static void reserve_run_detached(void *userdata) {
        const ReserveDetached *run = userdata;
        int fd = -EBADF, status, errors_fd, null_fd;

        (void) prctl(PR_SET_PDEATHSIG, SIGTERM);
        status = reserve_claim(run->options, run->line, &fd);
        (void) prctl(PR_SET_PDEATHSIG, 0);
        reserve_report(run->report_fd, status);
        if (status != STATUS_OK)
                _exit(status);
        errors_fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
        for (int i = STDIN_FILENO; i <= STDERR_FILENO && null_fd >= 0; i++)
                (void) dup2(null_fd, i);
        (void) setsid();
        if (*run->line->command) {
                (void) fcntl(fd, F_SETFD, 0); /* what it starts holds the reservation too */
                status = reserve_exec(run->line->command, errors_fd);
                reserve_report(run->report_fd, status);
                _exit(status);
        }
        (void) safe_close(errors_fd);
        (void) safe_close(run->report_fd);
        (void) chdir("/");
        _exit(reserve_hold(run->line, fd));
}

/* Returns once the counters are reserved, or were refused, and the command has been executed. */
static int reserve_detach(const ClientOptions *o, const ReserveLine *l) {
        int fds[2], status = STATUS_FAILED;
        uint8_t byte;
        pid_t pid;

        if (pipe2(fds, O_CLOEXEC) < 0)
                return verb_fail("make a pipe", -errno);
        pid = child_start(reserve_run_detached, &(ReserveDetached) { .options = o, .line = l, .report_fd = fds[1] });
        (void) close(fds[1]);
        while (pid > 0 && read(fds[0], &byte, sizeof(byte)) == (ssize_t) sizeof(byte))
                status = byte;
        (void) close(fds[0]);
        return pid < 0 ? verb_fail("fork", pid) : status;
}

/* Without a running service there are no reservations, but others may have counters. */
static int reserve_print_list(const ClientOptions *o, const ReserveLine *l) {
        _cleanup_(bus_client_freep) BusClient *c = NULL;
        _cleanup_(json_object_putp) json_object *list = NULL;
        int r;

        if (bus_client_try_open(o, &c) >= 0 && reservation_list_load(c, &list) < 0)
                return bus_client_fail(c, "list reservations");
        r = reservation_list_print(list, l->kind, o);
        return r < 0 ? verb_fail("list who has counters", r) : STATUS_OK;
}

static int reserve_run(const ClientOptions *o, const ReserveLine *l) {
        _cleanup_close_ int fd = -EBADF;
        int status;

        if (o->reserve.who)
                return reserve_print_list(o, l);
        if (o->reserve.detach)
                return reserve_detach(o, l);
        status = reserve_claim(o, l, &fd);
        if (status != STATUS_OK)
                return status;
        if (!*l->command && !o->quiet) {
                (void) printf("Reserved %s for %s; press Ctrl-C to give it back.\n", l->what, l->who);
                (void) fflush(stdout);
        }
        return reserve_hold(l, fd);
}

int verb_reserve(const ClientOptions *o, char **arguments) {
        _cleanup_(reserve_line_done) ReserveLine l = {
                .what = o->reserve.what ?: "hardware", .command = arguments ?: (char *[]){ NULL },
        };
        _cleanup_(diagnosis_done) Diagnosis d = {};
        usec_t now = now_usec(CLOCK_MONOTONIC);
        unsigned n;
        int r = counter_claim_parse(l.what, &l.kind, &n, &d);

        if (r < 0) {
                if (d.sentence)
                        (void) fprintf(stderr, "--what=: %s\n", d.sentence);
                return STATUS_FAILED;
        }
        if (o->reserve.who && *l.command) {
                (void) fprintf(stderr, "--who lists who has counters, and runs no command: '%s' is one too many\n", *l.command);
                return STATUS_FAILED;
        }
        if (o->reserve.wait > 0)
                l.end = o->reserve.wait < USEC_INFINITY - now ? now + o->reserve.wait : USEC_INFINITY;
        r = reserve_complete(&l, o->dump.request.reason);
        return r < 0 ? verb_fail("read the command line", r) : reserve_run(o, &l);
}
