/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* "call-rate RATE SECONDS" makes so many system calls a second, getppid(2), in bursts of a millisecond. If the machine is slower than
 * that, it makes as many as it can. It prints how many it made in how many seconds. tests/bench/trace counts those that a tracer lost. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define BURSTS 1000u /* a second */

static double now(void) {
        struct timespec ts;

        (void) clock_gettime(CLOCK_MONOTONIC, &ts);
        return (double) ts.tv_sec + (double) ts.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
        uint64_t burst = argc == 3 ? strtoull(argv[1], NULL, 10) / BURSTS : 0, made = 0;
        double begin = now(), seconds = argc == 3 ? strtod(argv[2], NULL) : 0, next = begin;

        if (burst == 0 || seconds <= 0) {
                (void) fprintf(stderr, "usage: call-rate RATE SECONDS\n");
                return 1;
        }
        while (now() < begin + seconds) {
                for (uint64_t i = 0; i < burst; i++)
                        (void) syscall(SYS_getppid);
                made += burst;
                next += 1.0 / BURSTS;
                while (now() < next) /* by the vDSO, so without a call */
                        ;
        }
        return printf("%llu %.3f\n", (unsigned long long) made, now() - begin) < 0;
}
