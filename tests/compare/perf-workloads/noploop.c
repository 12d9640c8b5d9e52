/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* noploop [SECONDS]: counts, in one function. The workload of that name of "perf test -w". */

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static volatile sig_atomic_t done;

static void stop(int sig) {
        done = sig;
}

static void __attribute__((noinline)) noploop(void) {
        while (!done)
                ;
}

int main(int argc, char *argv[]) {
        (void) signal(SIGALRM, stop);
        (void) alarm(argc > 1 ? (unsigned) atoi(argv[1]) : 1);
        noploop();
        return 0;
}
