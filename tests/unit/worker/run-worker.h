/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The program as the daemon runs it: control FIFOs, messages, counters, signals, in a scratch directory. The tests are
 * skipped if the kernel does not allow events. */

#include <linux/perf_event.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include "busy-cpu.h"
#include "check-main.h"
#include "parse-time.h"
#include <perf-recorder/counters.h>
#include "reader.h"
#include "scratch.h"
#include "strv.h"

#define TIMEOUT (30 * USEC_PER_SEC)

static struct {
        char *dir;
        int notify_fd, control_fd, ack_fd, counters_fd;
        const PrCounters *counters;
        char received[65536]; /* all messages, each ended by a newline */
        pid_t pid;
        pid_t load[64]; /* processes that keep CPUs busy */
        size_t n_load;
} run;

static inline void setup(void) {
        struct sockaddr_un address = { .sun_family = AF_UNIX };

        run.dir = scratch_new();
        ck_assert_int_eq(chdir(run.dir), 0);
        (void) snprintf(address.sun_path, sizeof(address.sun_path), "%s/notify", run.dir);
        run.notify_fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        ck_assert_int_eq(bind(run.notify_fd, (struct sockaddr *) &address, sizeof(address)), 0);
        ck_assert_int_eq(setenv("NOTIFY_SOCKET", address.sun_path, 1), 0);
        ck_assert_int_eq(mkfifo("control", 0600), 0);
        ck_assert_int_eq(mkfifo("ack", 0600), 0);
        run.control_fd = open("control", O_RDWR | O_CLOEXEC);
        run.ack_fd = open("ack", O_RDWR | O_CLOEXEC | O_NONBLOCK);
        run.counters_fd = open_memfd("counters", PR_COUNTERS_SIZE);
        run.counters = mmap(NULL, PR_COUNTERS_SIZE, PROT_READ, MAP_SHARED, run.counters_fd, 0);
}

/* Keeps all CPUs busy until the end of the test, at the lowest priority: cpu-clock has hardly any samples on an idle
 * CPU. */
static inline void keep_cpus_busy(void) {
        static const struct sched_param no_priority = {};
        cpu_set_t all;

        ck_assert_int_eq(sched_getaffinity(0, sizeof(all), &all), 0);
        for (int cpu = 0; cpu < CPU_SETSIZE && run.n_load < ELEMENTSOF(run.load); cpu++) {
                pid_t pid;

                if (!CPU_ISSET(cpu, &all))
                        continue;
                pid = fork();
                ck_assert_int_ge(pid, 0);
                if (pid > 0) {
                        run.load[run.n_load++] = pid;
                        continue;
                }
                if (sched_setscheduler(0, SCHED_IDLE, &no_priority) < 0)
                        _exit(1);
                keep_cpu_busy(cpu);
        }
}

static inline void teardown(void) {
        for (size_t i = 0; i < run.n_load; i++) {
                (void) kill(run.load[i], SIGKILL);
                (void) waitpid(run.load[i], NULL, 0);
        }
        if (run.pid > 0) {
                (void) kill(run.pid, SIGKILL);
                (void) waitpid(run.pid, NULL, 0);
        }
        (void) chdir("/");
        scratch_done(&run.dir);
}

/* Runs the worker with the words of line behind its control option; standard error goes to "output". */
static inline void start_into(const char *redirection, const char *line) {
        char command[1024], number[16];

        (void) snprintf(command, sizeof(command), "exec " TEST_WORKER " --control=fifo:control,ack %s 2>>output %s", redirection,
                        line);
        run.pid = fork();
        ck_assert_int_ge(run.pid, 0);
        if (run.pid > 0)
                return;
        (void) snprintf(number, sizeof(number), "%d", dup(run.counters_fd));
        (void) setenv(PR_COUNTERS_ENV, number, 1);
        (void) execl("/bin/sh", "sh", "-c", command, NULL);
        _exit(127);
}

static inline void start(const char *line) {
        start_into(">/dev/null", line);
}

static inline bool received(const char *text, usec_t deadline) {
        while (!strstr(run.received, text)) {
                struct pollfd p = { .fd = run.notify_fd, .events = POLLIN };
                size_t n = strlen(run.received);
                ssize_t k;

                if (now_usec(CLOCK_MONOTONIC) > deadline || poll(&p, 1, 1000) < 0)
                        return false;
                k = recv(run.notify_fd, run.received + n, sizeof(run.received) - n - 2, 0);
                if (k > 0)
                        memcpy(run.received + n + k, "\n", 2);
        }
        return true;
}

static inline void await(const char *text) {
        ck_assert_msg(received(text, now_usec(CLOCK_MONOTONIC) + TIMEOUT), "%s does not come, but: %s", text, run.received);
        run.received[0] = '\0';
}

static inline void await_samples(uint64_t n) {
        usec_t deadline = now_usec(CLOCK_MONOTONIC) + TIMEOUT;

        while (__atomic_load_n(&run.counters->samples, __ATOMIC_RELAXED) < n) {
                ck_assert_uint_lt(now_usec(CLOCK_MONOTONIC), deadline);
                ck_assert_int_eq(usleep(1000), 0);
        }
}

static inline void say(const char *word) {
        struct pollfd p = { .fd = run.ack_fd, .events = POLLIN };
        char buffer[16];

        ck_assert_int_eq(write(run.control_fd, word, strlen(word)), (ssize_t) strlen(word));
        ck_assert_int_eq(poll(&p, 1, TIMEOUT / USEC_PER_MSEC), 1);
        ck_assert_int_eq(read(run.ack_fd, buffer, sizeof(buffer)), 4);
        ck_assert_mem_eq(buffer, "ack\n", 4);
}

static inline int end(void) {
        int status;

        ck_assert_int_eq(waitpid(run.pid, &status, 0), run.pid);
        run.pid = 0;
        return status;
}

static inline char *output(void) {
        char *text = NULL;

        ck_assert_int_eq(read_file("output", 1 << 20, &text, NULL), 0);
        return text;
}

/* Check's messages have an end: what a sanitizer says may be longer. */
static inline void stop(void) {
        int status;

        ck_assert_int_eq(kill(run.pid, SIGTERM), 0);
        status = end();
        ck_assert_msg(status == 0, "status %d: %.4000s", status, output());
}

static inline char **data_files(void) {
        char **names = NULL;
        char **all = NULL;

        ck_assert_int_eq(list_directory(".", 1000, &all), 0);
        STRV_FOREACH(name, all)
                if (startswith(*name, "perf.data"))
                        ck_assert_int_eq(strv_extend(&names, *name), 0);
        strv_free(all);
        return names;
}

static inline uint64_t count_records(const char *path, uint32_t type) {
        _cleanup_perf_data_reader_free_ PerfDataReader *r = NULL;
        const struct perf_event_header *h;
        size_t cursor = 0;
        uint64_t n = 0;

        ck_assert_msg(perf_data_reader_new(AT_FDCWD, path, &r) == 0, "%s", path);
        while (perf_data_reader_next(r, &cursor, &h) > 0)
                n += h->type == type;
        return n;
}

static inline uint64_t count_samples(const char *path) {
        return count_records(path, PERF_RECORD_SAMPLE);
}

static inline bool have_events(void) {
        struct perf_event_attr attr = {
                .type = PERF_TYPE_SOFTWARE, .size = sizeof(attr), .config = PERF_COUNT_SW_CPU_CLOCK, .disabled = 1,
        };
        int fd = (int) syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);

        if (fd < 0)
                return false;
        (void) close(fd);
        return true;
}

/* main() of a test that records. */
#define RECORDER_MAIN(name, ...)                                                                                       \
        int main(void) {                                                                                               \
                const TTest *const tests[] = { __VA_ARGS__ };                                                          \
                                                                                                                       \
                if (!have_events()) {                                                                                  \
                        fprintf(stderr, "skipped: events of a whole CPU can't be opened here: %s\n", strerror(errno)); \
                        return 77;                                                                                     \
                }                                                                                                      \
                return check_main(name, setup, teardown, tests, ELEMENTSOF(tests));                                    \
        }                                                                                                              \
        struct main_needs_a_semicolon
