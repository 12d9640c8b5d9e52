/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The columns are those of perf sched timehist. Its deviation is that of the mean: the standard deviation of the runs divided by
 * the root of their number, in percent of the mean. */

#include "timehist-sums.h"

#include <inttypes.h>

#include "array.h"
#include "saturate.h"

#define RULE "---------------------------------------------------------------------------------------------------------------------"

void timehist_sums_done(TimehistSums *s) {
        free(s->threads);
        *s = (TimehistSums) {};
}

static TimehistSum *timehist_sum_of(TimehistSums *s, uint32_t thread) {
        if (ARRAY_RESERVE(s->threads, s->allocated, (size_t) thread + 1) < 0)
                return NULL;
        for (; s->n <= thread; s->n++)
                s->threads[s->n] = (TimehistSum) {};
        return s->threads + thread;
}

int timehist_sums_add(TimehistSums *s, uint32_t thread, uint64_t nsec, const SchedWait *stay) {
        TimehistSum *sum = timehist_sum_of(s, thread);
        uint64_t delay;

        if (!sum)
                return -ENOMEM;
        sum->shortest = sum->runs.n == 0 ? nsec : MIN_OF(sum->shortest, nsec);
        sum->longest = MAX_OF(sum->longest, nsec);
        sum->running = saturate_sum(sum->running, nsec);
        run_mean_add(&sum->runs, (double) nsec);
        if (stay->left > 0 && stay->came > 0) {
                uint64_t *off_cpu = stay->state == 'R' ? &sum->preempted : stay->state == 'D' ? &sum->io_wait : &sum->sleep;

                *off_cpu = saturate_sum(*off_cpu, stay->came - stay->left);
        }
        if (sched_wait_delay(stay, &delay) && stay->came > 0)
                sum->delay = saturate_sum(sum->delay, delay);
        return 0;
}

int timehist_sums_add_migration(TimehistSums *s, uint32_t thread) {
        TimehistSum *sum = timehist_sum_of(s, thread);

        if (sum)
                sum->migrations++;
        return sum ? 0 : -ENOMEM;
}

void timehist_put_msec(TextBuffer *out, uint64_t nsec, unsigned width) {
        text_buffer_decimal(out, nsec / NSEC_PER_MSEC, width);
        text_buffer_putc(out, '.');
        text_buffer_digits(out, nsec % NSEC_PER_MSEC / NSEC_PER_USEC, 3);
        text_buffer_putc(out, ' ');
}

void sched_thread_put_json(JsonWriter *w, const SchedThread *t) {
        char name[SCHED_TEXT_SIZE];

        json_writer_text(w, "comm", sched_thread_name(t, name));
        json_writer_number(w, "tid", t->tid);
        if (t->pid > 0)
                json_writer_number(w, "pid", t->pid);
}

/* Threads that ran, those that ran longest first; idle tasks are apart. */
static int compare_sums(const void *a, const void *b, void *userdata) {
        uint32_t i = *(const uint32_t *) a, k = *(const uint32_t *) b;
        const TimehistSum *x = (const TimehistSum *) userdata + i, *y = (const TimehistSum *) userdata + k;

        if (x->running != y->running)
                return x->running > y->running ? -1 : 1;
        return i < k ? -1 : i > k;
}

/* *ret is a new array. */
static int sums_sort(const TimehistSums *s, const SchedRun *run, uint32_t **ret, size_t *ret_n) {
        uint32_t *order = calloc(s->n + 1, sizeof(*order));

        if (!order)
                return -ENOMEM;
        *ret_n = 0;
        for (uint32_t i = 0; i < s->n; i++)
                if (s->threads[i].runs.n > 0 && run->model->threads[i].tid > 0)
                        order[(*ret_n)++] = i;
        qsort_r(order, *ret_n, sizeof(*order), compare_sums, s->threads);
        *ret = order;
        return 0;
}

static void sums_put_head(const SchedRun *run, unsigned width, TextBuffer *out) {
        bool idle = run->options->timehist.idle, waits = run->options->timehist.state && !idle;

        text_buffer_format(out, "\n%s summary\n", idle ? "Idle-time" : waits ? "Wait-time" : "Runtime");
        text_buffer_format(out, "%*s  parent  %9s  ", (int) width, "comm", idle ? "sched-out" : "sched-in");
        text_buffer_puts(out, idle ? "  idle-time   min-idle    avg-idle    max-idle  stddev  migrations\n" :
                         waits ? "   run-time      sleep      iowait     preempt       delay\n" :
                         "   run-time    min-run     avg-run     max-run  stddev  migrations\n");
        text_buffer_format(out, "%*s            (count)       (msec)     (msec)      (msec)      (msec)       %s\n" RULE "\n",
                           (int) width, "", waits ? "(msec)" : "%");
}

static void sums_put_thread(const TimehistSum *s, const SchedRun *run, const SchedThread *t, unsigned width, TextBuffer *out) {
        bool waits = run->options->timehist.state && !run->options->timehist.idle;
        const uint64_t times[] = { waits ? s->sleep : s->shortest, waits ? s->io_wait : (uint64_t) s->runs.mean,
                                   waits ? s->preempted : s->longest };
        char text[SCHED_TEXT_SIZE];

        text_buffer_format(out, "%*s   ", (int) width, sched_thread_text(t, text));
        if (t->parent > 0)
                text_buffer_decimal(out, t->parent, 5);
        else
                text_buffer_padded(out, "-", 5);
        text_buffer_format(out, "  %9" PRIu64 " ", s->runs.n);
        timehist_put_msec(out, s->running, 8);
        for (size_t i = 0; i < ELEMENTSOF(times); i++) {
                timehist_put_msec(out, times[i], 6);
                text_buffer_putc(out, ' ');
        }
        if (waits)
                timehist_put_msec(out, s->delay, 6);
        else
                text_buffer_format(out, " %5.2f   %5" PRIu64, run_mean_percentage(&s->runs), s->migrations);
        text_buffer_putc(out, '\n');
}

/* The time of CPUs that had nothing to run. */
static uint64_t sums_put_idle(const TimehistSums *s, const SchedRun *run, TextBuffer *out) {
        uint64_t runs = 0, span = s->last - s->first;

        text_buffer_puts(out, "\nIdle stats:\n");
        for (size_t i = 0; i < run->model->n_cpus; i++) {
                uint32_t idle = run->model->cpus[i].idle;
                const TimehistSum *sum = idle < s->n ? s->threads + idle : NULL;

                if (run->model->cpus[i].since == 0 || !recording_run_wants_cpu(run->recording, (uint32_t) i))
                        continue;
                runs += sum ? sum->runs.n : 0;
                text_buffer_format(out, "    CPU %2zu idle for ", i);
                timehist_put_msec(out, sum ? sum->running : 0, 6);
                text_buffer_format(out, " msec  (%6.2f%%)\n", sum && span > 0 ? 100 * (double) sum->running / (double) span : 0);
        }
        return runs;
}

int timehist_sums_put(const TimehistSums *s, const SchedRun *run, unsigned width, TextBuffer *out) {
        _cleanup_free_ uint32_t *order = NULL;
        const SampleSelection *select = &run->recording->selection;
        uint64_t runs = 0, running = 0;
        size_t n, cpus = 0;
        int r = sums_sort(s, run, &order, &n);

        if (r < 0)
                return r;
        sums_put_head(run, width, out);
        for (size_t i = 0; i < n; i++) {
                const TimehistSum *sum = s->threads + order[i];

                sums_put_thread(sum, run, run->model->threads + order[i], width, out);
                runs += sum->runs.n;
                running = saturate_sum(running, sum->running);
        }
        if (n == 0)
                text_buffer_puts(out, "<no tasks>\n");
        if (select->n_pids > 0 || select->n_tids > 0 || select->comms || select->units)
                return out->error; /* then the rest of the time is not idle */
        runs += sums_put_idle(s, run, out);
        for (size_t i = 0; i < run->model->n_cpus; i++)
                cpus += run->model->cpus[i].since > 0 && recording_run_wants_cpu(run->recording, (uint32_t) i);
        text_buffer_format(out, "\n    Total number of unique tasks: %zu\nTotal number of context switches: %" PRIu64
                           "\n           Total run time (msec): ", n, runs);
        timehist_put_msec(out, running, 2);
        text_buffer_puts(out, "\n    Total scheduling time (msec): ");
        timehist_put_msec(out, s->last - s->first, 2);
        text_buffer_format(out, " (x %zu)\n", cpus);
        return out->error;
}

int timehist_sums_put_json(const TimehistSums *s, const SchedRun *run, TextBuffer *out) {
        _cleanup_free_ uint32_t *order = NULL;
        size_t n;
        int r = sums_sort(s, run, &order, &n);

        for (size_t i = 0; r >= 0 && i < n; i++) {
                const TimehistSum *sum = s->threads + order[i];
                const SchedThread *t = run->model->threads + order[i];
                JsonWriter w = { .out = out };

                json_writer_begin(&w, NULL, '{');
                sched_thread_put_json(&w, t);
                if (t->parent > 0)
                        json_writer_number(&w, "parent", t->parent);
                json_writer_number(&w, "runs", sum->runs.n);
                json_writer_number(&w, "run_nsec", sum->running);
                json_writer_number(&w, "min_nsec", sum->shortest);
                json_writer_number(&w, "avg_nsec", (uint64_t) sum->runs.mean);
                json_writer_number(&w, "max_nsec", sum->longest);
                json_writer_number(&w, "sleep_nsec", sum->sleep);
                json_writer_number(&w, "uninterruptible_nsec", sum->io_wait);
                json_writer_number(&w, "preempted_nsec", sum->preempted);
                json_writer_number(&w, "delay_nsec", sum->delay);
                json_writer_number(&w, "migrations", sum->migrations);
                json_writer_end(&w, '}');
                text_buffer_putc(out, '\n');
        }
        return r < 0 ? r : out->error;
}
