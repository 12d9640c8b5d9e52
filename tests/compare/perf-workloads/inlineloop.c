/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* inlineloop [SECONDS]: counts, in functions that are inlined. The workload of that name of "perf test -w", whose test knows the
 * lines: those of leaf and middle are from 20 to 29, that of parent from 30 to 39. */

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static volatile sig_atomic_t done;
static volatile unsigned count;

static void stop(int sig) {
        done = sig;
}

/* The test finds the functions by the numbers of these lines. */



static inline __attribute__((always_inline)) void leaf(unsigned n) {
        while (!done)
                count += n;
}

static inline __attribute__((always_inline)) void middle(unsigned n) {
        leaf(n);
}



static __attribute__((noinline)) void parent(unsigned n) {
        middle(n);
        count++;
}

int main(int argc, char *argv[]) {
        (void) signal(SIGALRM, stop);
        (void) alarm(argc > 1 ? (unsigned) atoi(argv[1]) : 1);
        parent((unsigned) argc);
        return 0;
}
