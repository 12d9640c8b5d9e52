/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* "spin SECONDS" computes for that time, in a function of its own and in the C library. tests/bench/dump looks for its
 * symbols after it has exited. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NUMBERS 4096u

static uint64_t numbers[NUMBERS];

static double now(void) {
        struct timespec t = { 0 };

        (void) clock_gettime(CLOCK_MONOTONIC, &t);
        return (double) t.tv_sec + (double) t.tv_nsec / 1e9;
}

static __attribute__((noinline)) uint64_t churn(uint64_t x) {
        for (unsigned i = 0; i < NUMBERS; i++) {
                x = x * UINT64_C(6364136223846793005) + 1442695040888963407;
                numbers[i] = x;
        }
        return x;
}

static int compare(const void *a, const void *b) {
        return memcmp(a, b, sizeof(uint64_t));
}

int main(int argc, char **argv) {
        double end = now() + (argc > 1 ? strtod(argv[1], NULL) : 1);
        uint64_t x = 1;

        while (now() < end) {
                x = churn(x);
                qsort(numbers, NUMBERS, sizeof(*numbers), compare);
        }
        (void) printf("%llu\n", (unsigned long long) x);
        return 0;
}
