/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The program lends its breakpoints, the scarce counters that every machine has: the test is the daemon that has it do so, and the
 * borrower. Virtual machines count them, but some let none fire: so the samples are of a clock in the group of a breakpoint, which
 * is closed and opened with it. */

#include <linux/hw_breakpoint.h>
#include <perf-recorder/environment.h>
#include <perf-recorder/notify-fields.h>

#include "dump-reading.h"

#define STEADY "-e cpu-clock/freq=1000,name=steady/"
#define LENT "-e '{mem:0x1000:w,cpu-clock/freq=1000,name=lent/}'"
#define FLIGHT "-a -m 256K -k mono --overwrite --switch-output=signal"

static int open_breakpoint(int cpu) {
        struct perf_event_attr attr = {
                .type = PERF_TYPE_BREAKPOINT, .size = sizeof(attr), .bp_type = HW_BREAKPOINT_W, .bp_addr = 0x2000,
                .bp_len = HW_BREAKPOINT_LEN_8, .disabled = 1,
        };

        return (int) syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Returns how many breakpoints are free on a CPU. */
static unsigned count_free(int cpu) {
        int fds[32];
        unsigned n = 0;

        while (n < ELEMENTSOF(fds) && (fds[n] = open_breakpoint(cpu)) >= 0)
                n++;
        for (unsigned i = 0; i < n; i++)
                safe_close(fds[i]);
        return n;
}

/* Returns the samples of the event with that name in a span of CLOCK_MONOTONIC. */
static uint64_t count_in(const char *path, const char *name, usec_t from, usec_t until) {
        _cleanup_perf_data_reader_free_ PerfDataReader *r = NULL;
        const struct perf_event_header *h;
        size_t cursor = 0;
        uint64_t n = 0;

        ck_assert_int_eq(perf_data_reader_new(AT_FDCWD, path, &r), 0);
        while (perf_data_reader_next(r, &cursor, &h) > 0) {
                const PerfDataEvent *e = h->type == PERF_RECORD_SAMPLE ? perf_data_reader_event_of(r, h) : NULL;
                PerfSample s;

                ck_assert_msg(h->type != PERF_RECORD_SAMPLE || e, "a sample of an unknown event");
                if (!e || !streq(e->name, name))
                        continue;
                ck_assert_int_eq(sample_parse(&e->attr, h, &s), 0);
                n += s.time >= from * NSEC_PER_USEC && s.time <= until * NSEC_PER_USEC;
        }
        return n;
}

static const char *dump_now(void) {
        say("snapshot x\n");
        await(PR_NOTIFY_DUMP);
        return newest();
}

/* Moments of a recording that lends its breakpoints and gets them back. */
typedef struct Lent {
        usec_t begin, lent, returned, end;
} Lent;

static usec_t after_a_while(void) {
        ck_assert_int_eq(usleep(100000), 0);
        return now_usec(CLOCK_MONOTONIC);
}

static void lend_and_return(const char *line, const char *state, Lent *ret) {
        unsigned n = count_free(0);
        char answer[128];

        keep_cpus_busy();
        start(line);
        await("READY=1");
        ck_assert_uint_eq(count_free(0), n - 1);
        ret->begin = now_usec(CLOCK_MONOTONIC);
        (void) after_a_while();
        say("lend breakpoint gdb; of joe\n");
        (void) snprintf(answer, sizeof(answer), PR_NOTIFY_LENT "breakpoint\n" PR_NOTIFY_STATE "%s\n" PR_NOTIFY_CLOSED "breakpoint\n"
                        PR_NOTIFY_COUNTERS "breakpoint\n", state);
        await(answer);
        ck_assert_uint_eq(count_free(0), n);
        ret->lent = now_usec(CLOCK_MONOTONIC);
        ret->returned = after_a_while();
        say("return breakpoint\n");
        await(PR_NOTIFY_LENT "\n" PR_NOTIFY_STATE "recording");
        ck_assert_uint_eq(count_free(0), n - 1);
        ret->end = after_a_while();
}

/* A dump has the samples of before and after, none of in between, and says so. */
static void check_lent(const char *dump, const Lent *l) {
        char fact[256] = "";

        ck_assert_uint_gt(count_in(dump, "lent", l->begin, l->lent), 20);
        ck_assert_uint_eq(count_in(dump, "lent", l->lent, l->returned), 0);
        ck_assert_uint_gt(count_in(dump, "lent", l->returned, l->end), 20);
        ck_assert_int_gt(getxattr(dump, PR_DUMP_XATTR_LENT, fact, sizeof(fact) - 1), 0);
        ck_assert_ptr_nonnull(strstr(fact, " breakpoint gdb, of joe"));
        ck_assert_ptr_null(strstr(fact, " 0 breakpoint"));
}

START_TEST(test_beside_others) {
        const char *dump;
        Lent l;

        lend_and_return(STEADY " " LENT " " FLIGHT, "recording", &l);
        dump = dump_now();
        check_lent(dump, &l);
        ck_assert_uint_gt(count_in(dump, "steady", l.lent, l.returned), 20);
        stop();
}
END_TEST

START_TEST(test_all_events) {
        Lent l;

        lend_and_return(LENT " " FLIGHT, "reserved", &l);
        check_lent(dump_now(), &l);
        stop();
}
END_TEST

START_TEST(test_history) {
        const char *dump;
        Lent l;

        lend_and_return(STEADY " " LENT " -a -m 64K -M 1M -k mono --switch-output=signal", "recording", &l);
        dump = dump_now();
        check_lent(dump, &l);
        ck_assert_uint_gt(count_in(dump, "steady", l.lent, l.returned), 20);
        stop();
}
END_TEST

/* A file of a stream has the ids that it began with, so there are two. */
START_TEST(test_stream) {
        _cleanup_strv_free_ char **names = NULL;
        uint64_t before = 0, between = 0, after = 0;
        Lent l;

        lend_and_return(STEADY " " LENT " -a -m 64K -k mono --switch-output=signal", "recording", &l);
        stop();
        names = data_files();
        ck_assert_uint_eq(strv_length(names), 2);
        STRV_FOREACH(name, names) {
                before += count_in(*name, "lent", l.begin, l.lent);
                between += count_in(*name, "lent", l.lent, l.returned);
                after += count_in(*name, "lent", l.returned, l.end);
        }
        ck_assert(before > 20 && between == 0 && after > 20);
}
END_TEST

/* All events are opened again: threads may have come. */
START_TEST(test_process) {
        char line[512];
        Lent l;

        (void) snprintf(line, sizeof(line), STEADY " " LENT " -p %d -m 64K -k mono --overwrite --switch-output=signal", (int) getpid());
        lend_and_return(line, "recording", &l);
        stop();
}
END_TEST

/* The daemon says at the start what is lent. */
START_TEST(test_lent_at_start) {
        unsigned n = count_free(0);
        const char *dump;
        usec_t returned;

        keep_cpus_busy();
        ck_assert_int_eq(setenv(PR_LENT_ENV, "hardware someone\nbreakpoint gdb of joe", 1), 0);
        start(STEADY " " LENT " " FLIGHT);
        ck_assert_int_eq(unsetenv(PR_LENT_ENV), 0);
        await("READY=1");
        ck_assert_uint_eq(count_free(0), n);
        returned = after_a_while();
        say("return breakpoint\n");
        await(PR_NOTIFY_LENT "hardware\n" PR_NOTIFY_STATE "recording");
        ck_assert_uint_eq(count_free(0), n - 1);
        (void) after_a_while();
        dump = dump_now();
        ck_assert_uint_eq(count_in(dump, "lent", 0, returned), 0);
        ck_assert_uint_gt(count_in(dump, "lent", returned, USEC_INFINITY / NSEC_PER_USEC), 20);
        ck_assert_uint_gt(count_in(dump, "steady", 0, returned), 20);
        stop();
}
END_TEST

/* Others have all of them when they come back: it is tried again. */
START_TEST(test_not_free_yet) {
        int taken[32];
        unsigned n = count_free(0);
        usec_t free_again;

        keep_cpus_busy();
        start(STEADY " " LENT " " FLIGHT);
        await("READY=1");
        say("lend breakpoint gdb\n");
        await(PR_NOTIFY_LENT "breakpoint");
        for (unsigned i = 0; i < n; i++)
                ck_assert_int_ge(taken[i] = open_breakpoint(0), 0);
        say("return breakpoint\n");
        await(PR_NOTIFY_TROUBLE "The breakpoint registers");
        for (unsigned i = 0; i < n; i++)
                safe_close(taken[i]);
        free_again = now_usec(CLOCK_MONOTONIC);
        await(PR_NOTIFY_LENT "\n");
        (void) after_a_while();
        ck_assert_uint_gt(count_in(dump_now(), "lent", free_again, USEC_INFINITY / NSEC_PER_USEC), 20);
        stop();
}
END_TEST

/* A trigger's breakpoint is lent too. */
START_TEST(test_trigger) {
        unsigned n = count_free(0);

        start("-e cpu-clock -F 1000 -a -m 64K --overwrite --switch-output=signal --trigger-event=mem:0x1000:w");
        await("READY=1");
        ck_assert_uint_eq(count_free(0), n - 1);
        say("lend breakpoint gdb\n");
        await(PR_NOTIFY_LENT "breakpoint\n" PR_NOTIFY_STATE "recording");
        ck_assert_uint_eq(count_free(0), n);
        say("return breakpoint\n");
        await(PR_NOTIFY_LENT "\n");
        ck_assert_uint_eq(count_free(0), n - 1);
        stop();
}
END_TEST

/* Words for what it does not have are answered, and others are not. */
START_TEST(test_words) {
        start("-e cpu-clock -F 1000 -a -m 64K --overwrite --switch-output=signal");
        await("READY=1");
        say("lend software x\n");
        say("lend\n");
        say("lend hardware likwid\n");
        await(PR_NOTIFY_LENT "hardware\n" PR_NOTIFY_STATE "recording\n" PR_NOTIFY_CLOSED "\n" PR_NOTIFY_COUNTERS "\n");
        say("lend hardware another\n");
        await(PR_NOTIFY_LENT "hardware\n");
        say("return\n");
        say("return breakpoint\n");
        await(PR_NOTIFY_LENT "hardware\n");
        say("return hardware\n");
        await(PR_NOTIFY_LENT "\n");
        stop();
}
END_TEST

int main(void) {
        const TTest *const tests[] = {
                test_beside_others, test_all_events, test_history, test_stream, test_process, test_lent_at_start, test_not_free_yet,
                test_trigger, test_words,
        };

        if (!have_events() || count_free(0) == 0) {
                fprintf(stderr, "skipped: breakpoints of a whole CPU can't be opened here: %s\n", strerror(errno));
                return 77;
        }
        return check_main("recorder-lending", setup, teardown, tests, ELEMENTSOF(tests));
}
