/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* thloop [SECONDS [THREADS]]: counts in several threads, the first one included. The workload of that name of "perf test -w". */

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#define THREADS_MAX 64

static volatile sig_atomic_t done;
static volatile unsigned count;

static void stop(int sig) {
        done = sig;
}

static __attribute__((noinline)) void test_loop(void) {
        while (!done)
                count++;
}

static void *thfunc(void *unused) {
        test_loop();
        return unused;
}

int main(int argc, char *argv[]) {
        pthread_t threads[THREADS_MAX];
        int n = argc > 2 ? atoi(argv[2]) - 1 : 1, started = 0;

        (void) signal(SIGALRM, stop);
        (void) alarm(argc > 1 ? (unsigned) atoi(argv[1]) : 1);
        while (started < n && started < THREADS_MAX && pthread_create(threads + started, NULL, thfunc, NULL) == 0)
                started++;
        test_loop();
        while (started > 0)
                (void) pthread_join(threads[--started], NULL);
        return 0;
}
