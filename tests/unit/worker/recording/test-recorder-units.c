/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The program that counts units one by one: those that run, one that starts later, and one that has ended. Left out where no
 * control group can be made. */

#include <sys/stat.h>
#include <perf-recorder/dump-facts.h>
#include <perf-recorder/environment.h>
#include "cgroup.h"
#include "dump-reading.h"
#include "fd-file.h"

typedef struct Unit {
        char name[64];
        char *directory;
        pid_t pid;
} Unit;

/* Makes the group of a unit, with a process that keeps a CPU busy if it is wanted. */
static bool unit_make(Unit *u, char letter, bool busy) {
        _cleanup_free_ char *procs = NULL;

        (void) snprintf(u->name, sizeof(u->name), "test-recorder-units-%d-%c.service", getpid(), letter);
        ck_assert_int_eq(cgroup_path(NULL, u->name, &u->directory), 0);
        procs = path_join(u->directory, "cgroup.procs");
        if (mkdir(u->directory, 0755) < 0) {
                (void) fprintf(stderr, "left out: %s: %s\n", u->directory, strerror(errno));
                u->directory = (free(u->directory), NULL);
                return false;
        }
        u->pid = busy ? fork() : 0;
        ck_assert_int_ge(u->pid, 0);
        if (!busy || u->pid > 0)
                return true;
        if (write_all(open(procs, O_WRONLY | O_CLOEXEC), "0", 1) < 0)
                _exit(1);
        keep_cpu_busy(0);
}

static void unit_end(Unit *u) {
        if (u->pid > 0) {
                (void) kill(u->pid, SIGKILL);
                (void) waitpid(u->pid, NULL, 0);
        }
        for (unsigned left = 1000; rmdir(u->directory) < 0 && errno == EBUSY && left > 0; left--)
                (void) usleep(1000); /* until the kernel has removed the last process */
        u->directory = (free(u->directory), NULL);
}

/* Returns what the table of the last reading has for the unit, of an event on all CPUs; UINT64_MAX: there is no such row. */
static uint64_t unit_count(const Unit *u, const char *event) {
        PrCounts header;
        PrCount rows[256];
        char names[4096] = "";
        uint64_t sum = UINT64_MAX;
        off_t at = PR_COUNTERS_SIZE + sizeof(header);

        do {
                ck_assert_int_eq(pread(run.counters_fd, &header, sizeof(header), PR_COUNTERS_SIZE), sizeof(header));
                ck_assert_uint_le(header.n_rows, ELEMENTSOF(rows));
                ck_assert_uint_lt(header.names_size, sizeof(names));
        } while (header.magic != PR_COUNTS_MAGIC || header.sequence == 0);
        ck_assert_int_ge(pread(run.counters_fd, rows, header.n_rows * sizeof(PrCount),
                               at + (off_t) (header.sequence % 2 * header.n_rows * sizeof(PrCount))), 0);
        ck_assert_int_ge(pread(run.counters_fd, names, header.names_size, at + (off_t) (2 * header.n_rows * sizeof(PrCount))), 0);
        for (uint32_t i = 0; i < header.n_rows; i++)
                if (streq(names + rows[i].name, event) && streq(names + rows[i].unit, u->name))
                        sum = (sum == UINT64_MAX ? 0 : sum) + rows[i].value;
        return sum;
}

/* Waits until more than that was counted. */
static uint64_t await_count(const Unit *u, uint64_t more) {
        usec_t deadline = now_usec(CLOCK_MONOTONIC) + TIMEOUT;
        uint64_t n;

        while ((n = unit_count(u, "cpu-clock")) <= more || n == UINT64_MAX) {
                ck_assert_uint_lt(now_usec(CLOCK_MONOTONIC), deadline);
                (void) usleep(1000);
        }
        return n;
}

START_TEST(test_units) {
        Unit a = {}, b = {}, c = {}, d = {};
        _cleanup_free_ char *line = NULL, *name = NULL;
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        const PerfDataEvent *events;
        uint64_t before, ended;
        const char *dump;

        if (!unit_make(&a, 'a', true))
                return;
        ck_assert(unit_make(&b, 'b', false));
        ck_assert_int_eq(setenv(PR_SESSION_ENV, "units", 1), 0); /* all files have their facts */
        ck_assert_int_gt(asprintf(&line, "-e cpu-clock,faults -a '--for-each-unit=test-recorder-units-%d-*.service' -M 1M "
                                  "--history-interval=10ms --switch-output", getpid()), 0);
        start(line);
        await("READY=1");
        before = await_count(&a, 20 * NSEC_PER_MSEC);
        ck_assert_uint_eq(unit_count(&b, "cpu-clock"), 0);
        ck_assert_uint_eq(unit_count(&b, "faults"), 0);

        ck_assert(unit_make(&c, 'c', true));
        await("X_PERF_OUTPUT=");
        dump = newest();
        assert_xattr(dump, PR_DUMP_XATTR_TRIGGER, PR_TRIGGER_UNIT_RESTART);
        assert_xattr(dump, PR_DUMP_XATTR_DETAIL, c.name);
        ck_assert_int_eq(perf_data_reader_new(AT_FDCWD, dump, &reader), 0);
        ck_assert_uint_eq(perf_data_reader_events(reader, &events), 4);
        ck_assert_int_gt(asprintf(&name, "faults %s", b.name), 0);
        ck_assert_str_eq(events[3].name, name);
        (void) await_count(&c, 0);
        ck_assert_uint_ge(await_count(&a, before), before); /* it goes on from there */

        unit_end(&a);
        ended = unit_count(&a, "cpu-clock");
        ck_assert(unit_make(&d, 'd', true));
        await("X_PERF_OUTPUT=");
        (void) await_count(&d, 0);
        ck_assert_uint_ge(unit_count(&a, "cpu-clock"), ended);
        ended = unit_count(&a, "cpu-clock");
        (void) await_count(&d, unit_count(&d, "cpu-clock"));
        ck_assert_uint_eq(unit_count(&a, "cpu-clock"), ended);
        stop();
        unit_end(&b);
        unit_end(&c);
        unit_end(&d);
}
END_TEST

START_TEST(test_none) {
        _cleanup_free_ char *text = NULL;

        start("-e cpu-clock -a --for-each-unit=test-no-such-*.service -M 1M --history-interval=10ms");
        ck_assert_int_ne(end(), 0);
        text = output();
        ck_assert_ptr_nonnull(strstr(text, "no unit whose name matches test-no-such-*.service runs"));
}
END_TEST

RECORDER_MAIN("recorder-units", test_units, test_none);
