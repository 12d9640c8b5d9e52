/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A task has a semaphore, on which it sleeps, and that is posted once for each of its sleeps: it is 0 after each round, also if a
 * wake comes earlier than in the recording, and then is another sleep's. A thread runs until it has had that much CPU time: it does
 * the work that it did, however many others there are. */

#include "work-threads.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <time.h>

#include "parse-time.h"

#define STACK_SIZE (256u << 10)
#define MEASUREMENTS 10u
#define TEST_NSEC NSEC_PER_MSEC

typedef struct WorkThread {
        WorkThreads *all;
        const WorkTask *task;
        pthread_t thread;
        sem_t begin, woken;
        uint64_t cpu; /* of the last round */
} WorkThread;

struct WorkThreads {
        const WorkClock *clock;
        WorkThread *threads;
        WorkThread **by_task; /* NULL: it has nothing to do */
        size_t n;
        sem_t done;
        bool quit;
};

static uint64_t work_now(clockid_t clock) {
        struct timespec ts;

        (void) clock_gettime(clock, &ts);
        return (uint64_t) ts.tv_sec * NSEC_PER_SEC + (uint64_t) ts.tv_nsec;
}

static void work_run(uint64_t nsec, uint64_t overhead) {
        uint64_t began = work_now(CLOCK_THREAD_CPUTIME_ID);

        while (work_now(CLOCK_THREAD_CPUTIME_ID) - began + overhead < nsec)
                ;
}

static void work_pause(uint64_t nsec, uint64_t overhead) {
        uint64_t left = nsec > overhead ? nsec - overhead : 0;
        struct timespec ts = { .tv_sec = (time_t) (left / NSEC_PER_SEC), .tv_nsec = (long) (left % NSEC_PER_SEC) };

        if (left == 0)
                (void) sched_yield();
        while (left > 0 && clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, &ts) == EINTR)
                ;
}

static uint64_t work_measure(void (*work)(uint64_t nsec, uint64_t overhead), uint64_t nsec, uint64_t overhead) {
        uint64_t began = work_now(CLOCK_MONOTONIC);

        work(nsec, overhead);
        return work_now(CLOCK_MONOTONIC) - began;
}

void work_clock_measure(WorkClock *ret) {
        WorkClock c = { .run_overhead = UINT64_MAX, .sleep_overhead = UINT64_MAX };

        for (unsigned i = 0; i < MEASUREMENTS; i++) {
                uint64_t run = work_measure(work_run, 0, 0), sleep = work_measure(work_pause, 10 * NSEC_PER_USEC, 0);

                c.run_overhead = MIN_OF(c.run_overhead, run);
                c.sleep_overhead = MIN_OF(c.sleep_overhead, sleep - 10 * NSEC_PER_USEC);
        }
        c.run_test = work_measure(work_run, TEST_NSEC, c.run_overhead);
        c.sleep_test = work_measure(work_pause, TEST_NSEC, c.sleep_overhead);
        *ret = c;
}

static void work_wait(sem_t *s) {
        while (sem_wait(s) < 0)
                ; /* interrupted by a signal */
}

static void work_do(WorkThread *t, const WorkPiece *piece) {
        switch (piece->kind) {
        case WORK_RUN:
                return work_run(piece->nsec, t->all->clock->run_overhead);
        case WORK_PAUSE:
                return work_pause(piece->nsec, t->all->clock->sleep_overhead);
        case WORK_SLEEP:
                if (piece->woken)
                        work_wait(&t->woken);
                return;
        case WORK_WAKE:
                (void) sem_post(&t->all->by_task[piece->wakes]->woken);
        }
}

static void *work_thread_main(void *userdata) {
        WorkThread *t = userdata;

        for (;;) {
                uint64_t began;

                work_wait(&t->begin);
                if (t->all->quit)
                        return NULL;
                began = work_now(CLOCK_THREAD_CPUTIME_ID);
                for (size_t i = 0; i < t->task->n; i++)
                        work_do(t, t->task->pieces + i);
                t->cpu = work_now(CLOCK_THREAD_CPUTIME_ID) - began;
                (void) sem_post(&t->all->done);
        }
}

static int work_thread_begin(WorkThreads *all, const WorkTask *task) {
        WorkThread *t = all->threads + all->n;
        pthread_attr_t attributes;
        int r;

        *t = (WorkThread) { .all = all, .task = task };
        if (sem_init(&t->begin, 0, 0) < 0 || sem_init(&t->woken, 0, 0) < 0)
                return -errno;
        r = -pthread_attr_init(&attributes);
        if (r < 0)
                return r;
        r = -pthread_attr_setstacksize(&attributes, STACK_SIZE);
        if (r == 0)
                r = -pthread_create(&t->thread, &attributes, work_thread_main, t);
        (void) pthread_attr_destroy(&attributes);
        all->n += r == 0;
        return r;
}

WorkThreads *work_threads_free(WorkThreads *t) {
        if (!t)
                return NULL;
        t->quit = true;
        for (size_t i = 0; i < t->n; i++)
                (void) sem_post(&t->threads[i].begin);
        for (size_t i = 0; i < t->n; i++)
                (void) pthread_join(t->threads[i].thread, NULL);
        free(t->threads);
        free(t->by_task);
        free(t);
        return NULL;
}

int work_threads_new(const WorkPlan *plan, const WorkClock *clock, WorkThreads **ret) {
        _cleanup_(work_threads_freep) WorkThreads *t = calloc(1, sizeof(*t));
        size_t n = work_plan_count(plan);
        int r = t ? 0 : -ENOMEM;

        if (n > WORK_THREADS_MAX)
                return -E2BIG;
        if (r < 0)
                return r;
        t->clock = clock;
        t->threads = calloc(n + 1, sizeof(*t->threads));
        t->by_task = calloc(plan->n_tasks + 1, sizeof(WorkThread *));
        if (!t->threads || !t->by_task)
                return -ENOMEM;
        if (sem_init(&t->done, 0, 0) < 0)
                return -errno;
        for (size_t i = 0; r >= 0 && i < plan->n_tasks; i++)
                if (plan->tasks[i].n > 0) {
                        t->by_task[i] = t->threads + t->n;
                        r = work_thread_begin(t, plan->tasks + i);
                }
        if (r < 0)
                return r;
        *ret = steal_ptr(t);
        return 0;
}

void work_threads_run(WorkThreads *t, uint64_t *ret_nsec, uint64_t *ret_cpu) {
        uint64_t began = work_now(CLOCK_MONOTONIC);

        for (size_t i = 0; i < t->n; i++)
                (void) sem_post(&t->threads[i].begin);
        for (size_t i = 0; i < t->n; i++)
                work_wait(&t->done);
        *ret_nsec = work_now(CLOCK_MONOTONIC) - began;
        *ret_cpu = 0;
        for (size_t i = 0; i < t->n; i++)
                *ret_cpu += t->threads[i].cpu;
}
