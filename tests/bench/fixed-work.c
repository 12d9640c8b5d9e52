/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* "fixed-work calls N" makes N system calls, "fixed-work spin N" computes N rounds, both below DEPTH frames; it prints
 * the CPU time that this took, in nanoseconds. tests/bench/overhead takes the difference with a recording as the cost
 * of the samples. */

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define DEPTH 16
#define TURNS_OF_A_ROUND 1000

static volatile uint64_t sink;

static void call(uint64_t n) {
        for (uint64_t i = 0; i < n; i++)
                sink += (uint64_t) syscall(SYS_getppid);
}

static void spin(uint64_t n) {
        uint64_t x = 1;

        for (uint64_t i = 0; i < n * TURNS_OF_A_ROUND; i++)
                x = x * UINT64_C(6364136223846793005) + 1442695040888963407;
        sink = x;
}

/* The volatile access behind the call prevents a tail call. */
static __attribute__((noinline)) void descend(unsigned depth, void (*work)(uint64_t n), uint64_t n) { // NOLINT(misc-no-recursion)
        if (depth == 0)
                work(n);
        else
                descend(depth - 1, work, n);
        sink++;
}

int main(int argc, char **argv) {
        struct timespec t;

        if (argc != 3) {
                (void) fprintf(stderr, "usage: fixed-work calls|spin N\n");
                return 2;
        }
        descend(DEPTH, strcmp(argv[1], "calls") == 0 ? call : spin, strtoull(argv[2], NULL, 10));
        (void) clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
        (void) printf("%" PRIu64 "\n", (uint64_t) t.tv_sec * 1000000000 + (uint64_t) t.tv_nsec);
        return 0;
}
