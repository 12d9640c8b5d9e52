/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* "fixed-work calls N" makes N system calls, "fixed-work spin N" computes N rounds, "fixed-work switches N" makes N switches
 * between two threads of one CPU, each of which wakes the other, all below DEPTH frames; it prints the CPU time that this took, in
 * nanoseconds. tests/bench/overhead takes the difference with a recording as the cost of the samples. */

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
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

static int pipes[2][2];

/* Waits for the other thread and wakes it, in turn; side: which of the two this is. */
static void take_turns(uint64_t n, int side) {
        char c = 0;

        for (uint64_t i = 0; i < n / 2; i++)
                if ((side == 1 && write(pipes[0][1], &c, 1) != 1) || read(pipes[side][0], &c, 1) != 1 ||
                    (side == 0 && write(pipes[1][1], &c, 1) != 1))
                        exit(1);
}

static void answer(uint64_t n) {
        take_turns(n, 0);
}

static void descend(unsigned depth, void (*work)(uint64_t n), uint64_t n);

static void *run_answers(void *n) {
        descend(DEPTH, answer, *(uint64_t *) n);
        return NULL;
}

static void switch_threads(uint64_t n) {
        pthread_t other;
        cpu_set_t one;

        CPU_ZERO(&one);
        CPU_SET(0, &one);
        if (sched_setaffinity(0, sizeof(one), &one) < 0 || pipe(pipes[0]) < 0 || pipe(pipes[1]) < 0 ||
            pthread_create(&other, NULL, run_answers, &n) != 0)
                exit(1);
        take_turns(n, 1);
        (void) pthread_join(other, NULL);
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
        void (*work)(uint64_t n) = spin;
        struct timespec t;

        if (argc != 3) {
                (void) fprintf(stderr, "usage: fixed-work calls|spin|switches N\n");
                return 2;
        }
        if (strcmp(argv[1], "calls") == 0)
                work = call;
        else if (strcmp(argv[1], "switches") == 0)
                work = switch_threads;
        descend(DEPTH, work, strtoull(argv[2], NULL, 10));
        (void) clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
        (void) printf("%" PRIu64 "\n", (uint64_t) t.tv_sec * 1000000000 + (uint64_t) t.tv_nsec);
        return 0;
}
