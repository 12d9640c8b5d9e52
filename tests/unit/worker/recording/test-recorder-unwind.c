/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The call chains that the recorder makes are those that the viewer makes of raw copies of the same stack, and those that the C
 * library's own unwinder finds there. The program that is recorded computes at one place, below qsort(3) and a recursion. */

#include <execinfo.h>

#include "dump-reading.h"

#define CHAIN_MAX 100

typedef struct Expected {
        int n; /* 0: not yet */
        void *addresses[CHAIN_MAX];
} Expected;

static Expected *expected;
static volatile unsigned sink;

__attribute__((noinline)) static int compute(const void *a, const void *b) {
        void *caller = __builtin_return_address(0);
        int n = backtrace(expected->addresses, CHAIN_MAX), first = 1;

        while (first < n && expected->addresses[first] != caller) /* a sanitizer's backtrace() is one function more */
                first++;
        n -= first - 1;
        memmove(expected->addresses, expected->addresses + first - 1, (size_t) n * sizeof(*expected->addresses));
        __atomic_store_n(&expected->n, n, __ATOMIC_RELEASE);
        for (;;)
                sink++;
        return 0;
}

__attribute__((noinline)) static void recurse(unsigned depth) {
        int numbers[2] = { 2, 1 };

        if (depth > 0)
                recurse(depth - 1);
        else
                qsort(numbers, 2, sizeof(*numbers), compute);
        sink++;
}

static pid_t start_program(void) {
        pid_t pid;

        expected = mmap(NULL, sizeof(*expected), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        ck_assert(expected != MAP_FAILED);
        pid = fork();
        ck_assert_int_ge(pid, 0);
        if (pid == 0) {
                recurse(5);
                _exit(1);
        }
        for (usec_t until = now_usec(CLOCK_MONOTONIC) + TIMEOUT; __atomic_load_n(&expected->n, __ATOMIC_ACQUIRE) == 0;)
                ck_assert_uint_lt(now_usec(CLOCK_MONOTONIC), until);
        run.load[run.n_load++] = pid;
        return pid;
}

/* The viewer shows a place in the file, of the call itself or of where it returns to: below the size of a page that is the same
 * as in memory, but for the one byte. */
static bool is_expected(int at, uint64_t shown) {
        uint64_t address = at < expected->n ? (uint64_t) (uintptr_t) expected->addresses[at] : 0;

        return at == 0 || (at < expected->n && ((address - shown) & 4095) <= 1);
}

/* Returns how many samples in the output of the viewer have the expected chain. */
static unsigned read_whole(FILE *f, unsigned *ret_all) {
        _cleanup_free_ char *line = NULL;
        unsigned whole = 0;
        size_t size = 0;
        bool good = true;
        int at = 0;

        *ret_all = 0;
        while (getline(&line, &size, f) > 0) {
                char *rest;
                uint64_t shown = strtoull(line, &rest, 16);

                if (rest != line) {
                        good = good && is_expected(at, shown);
                        at++;
                } else if (at > 0) {
                        ++*ret_all;
                        whole += good && at == expected->n;
                        at = 0;
                        good = true;
                }
        }
        return whole;
}

/* Records the program, and returns how many samples have the expected chain, of all. */
static unsigned count_whole(pid_t pid, const char *option, unsigned *ret_all) {
        char text[512];
        unsigned whole;
        FILE *f;

        (void) snprintf(text, sizeof(text), "-e cpu-clock:u -F 499 -p %d --call-graph dwarf,32768 -M 8M %s", (int) pid, option);
        start(text);
        await("READY=1");
        await_samples(200);
        say("snapshot a\n");
        await("X_PERF_DUMP_IDS=a\n");
        (void) snprintf(text, sizeof(text), TEST_VIEWER " script -i %s -F ip 2>/dev/null", newest());
        f = popen(text, "re");
        ck_assert_ptr_nonnull(f);
        whole = read_whole(f, ret_all);
        (void) pclose(f);
        ck_assert_int_eq(unlink(newest()), 0);
        stop();
        (void) unlink(newest()); /* the last one, of the end */
        return whole;
}

START_TEST(test_same_chains) {
        unsigned all, whole;
        pid_t pid;

        ck_assert_int_eq(setenv("PERF_RECORDER_VIEW", TEST_VIEWER, 1), 0);
        pid = start_program();
        ck_assert_int_gt(expected->n, 9);
        whole = count_whole(pid, "", &all);
        ck_assert_msg(all > 100 && whole == all, "by the viewer: %u of %u", whole, all);
        whole = count_whole(pid, "--unwind", &all);
        /* the first rounds may end before all rules are known, on a busy machine several ones */
        ck_assert_msg(all > 100 && whole * 4 >= all * 3, "by the recorder: %u of %u", whole, all);
}
END_TEST

/* Samples are kept, with the address that was interrupted, where the process for the rules ends at once or is not there. */
START_TEST(test_no_rules) {
        static const char *const programs[] = { "/bin/false", "/nonexistent" };
        pid_t pid = start_program();

        for (size_t i = 0; i < ELEMENTSOF(programs); i++) {
                unsigned all;

                ck_assert_int_eq(setenv("PERF_RECORDER_VIEW", programs[i], 1), 0);
                ck_assert_uint_eq(count_whole(pid, "--unwind", &all), 0);
                ck_assert_uint_gt(all, 100);
        }
}
END_TEST

RECORDER_MAIN("recorder-unwind", test_same_chains, test_no_rules);
