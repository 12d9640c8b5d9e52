/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The threads of a recording do again what they did, as in perf sched replay, and it is shown how long that takes: to compare
 * kernels, settings of the scheduler, and machines with the same work. Lines are those of perf sched replay of Linux 6.1.
 *
 * The threads act when all was read, behind the sandbox, which allows a process to compute and to sleep. */

#include "sched-views.h"

#include <inttypes.h>

#include "parse-time.h"
#include "sched-run.h"
#include "text-buffer.h"
#include "work-threads.h"

typedef struct SchedReplay {
        const SchedOptions *options;
        WorkClock clock;
        WorkPlan plan;
        TextBuffer out;
        bool refused;
} SchedReplay;

static void sched_replay_done(SchedReplay *p) {
        work_plan_done(&p->plan);
        text_buffer_done(&p->out);
}

static int replay_begin(void *userdata, SchedRun *run) {
        work_plan_done(&((SchedReplay *) userdata)->plan);
        return 0;
}

static int replay_step(void *userdata, SchedRun *run, const Moment *m, const SchedStep *s) {
        return work_plan_take(&((SchedReplay *) userdata)->plan, run->model, s);
}

static void replay_put_plan(SchedReplay *p, const SchedRun *run) {
        const WorkPlan *plan = &p->plan;
        uint64_t number = 0;

        text_buffer_format(&p->out, "nr_run_events:        %" PRIu64 "\nnr_sleep_events:      %" PRIu64 "\n"
                           "nr_wakeup_events:     %" PRIu64 "\n", plan->runs, plan->sleeps, plan->wakes);
        if (plan->targetless > 0)
                text_buffer_format(&p->out, "target-less wakeups:  %" PRIu64 "\n", plan->targetless);
        if (plan->repeated > 0)
                text_buffer_format(&p->out, "multi-target wakeups: %" PRIu64 "\n", plan->repeated);
        if (plan->joined > 0)
                text_buffer_format(&p->out, "run atoms optimized:  %" PRIu64 "\n", plan->joined);
        for (size_t i = 0; i < plan->n_tasks; i++) {
                char name[SCHED_TEXT_SIZE];

                if (plan->tasks[i].n > 0)
                        text_buffer_format(&p->out, "task %6" PRIu64 " (%20s:%10" PRIu32 "), nr_events: %zu\n", number++,
                                           sched_thread_name(run->model->threads + i, name), run->model->threads[i].tid,
                                           plan->tasks[i].n);
        }
        text_buffer_puts(&p->out, "------------------------------------------------------------\n");
}

/* The averages are those of perf: each round weighs as much as all before it, if that is more than the last one in "repeat". */
static int replay_run(SchedReplay *p, WorkThreads *threads) {
        double average = 0, average_cpu = 0, weight = p->options->replay.repeat;
        int r = text_buffer_flush(&p->out);

        for (unsigned i = 1; r >= 0 && i <= p->options->replay.repeat; i++) {
                uint64_t nsec, cpu;
                double msec, cpu_msec;

                work_threads_run(threads, &nsec, &cpu);
                msec = (double) nsec / NSEC_PER_MSEC;
                cpu_msec = (double) cpu / NSEC_PER_MSEC;
                average = i == 1 ? msec : (average * (weight - 1) + msec) / weight;
                average_cpu = i == 1 ? cpu_msec : (average_cpu * (weight - 1) + cpu_msec) / weight;
                text_buffer_format(&p->out, "#%-3u: %0.3f, ravg: %0.2f, cpu: %0.2f / %0.2f\n", i, msec, average, cpu_msec,
                                   average_cpu);
                r = text_buffer_flush(&p->out);
        }
        return r;
}

static int replay_end(void *userdata, SchedRun *run) {
        _cleanup_(work_threads_freep) WorkThreads *threads = NULL;
        SchedReplay *p = userdata;
        int r;

        replay_put_plan(p, run);
        r = work_threads_new(&p->plan, &p->clock, &threads);
        if (r == -E2BIG) {
                (void) fprintf(stderr, "%s has %zu threads that did something: more than the %u that are made at most\n",
                               run->recording->in->name, work_plan_count(&p->plan), WORK_THREADS_MAX);
                p->refused = true;
                p->out.n = 0;
                return 0;
        }
        return r < 0 ? r : replay_run(p, threads);
}

int sched_replay(const SchedOptions *o) {
        _cleanup_(sched_replay_done) SchedReplay p = { .options = o, .out = { .file = stdout } };
        const SchedConsumer consumer = { .begin = replay_begin, .step = replay_step, .end = replay_end, .userdata = &p };
        int status;

        work_clock_measure(&p.clock);
        text_buffer_format(&p.out, "run measurement overhead: %" PRIu64 " nsecs\nsleep measurement overhead: %" PRIu64 " nsecs\n"
                           "the run test took %" PRIu64 " nsecs\nthe sleep test took %" PRIu64 " nsecs\n",
                           p.clock.run_overhead, p.clock.sleep_overhead, p.clock.run_test, p.clock.sleep_test);
        status = sched_run_all(o, &consumer);
        return p.refused ? EXIT_FAILURE : status;
}
