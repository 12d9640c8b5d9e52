/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A delay is the time for which a thread that could have run waited for a CPU: from the waking, or the switch in which they were
 * preempted, to the switch in which they came to one. A row sums up threads of a name, or whatever --by says. Delays that are
 * not known are in no number but their own. */

#include "sched-views.h"

#include <inttypes.h>

#include "array.h"
#include "byte-pool.h"
#include "delay-table.h"
#include "timehist-sums.h"

#define RULE " ------------------------------------------------------------------------------------------------------------------" \
             "--------------------------------------------------------\n"
#define BAR_WIDTH 50u

/* A row of the output. */
typedef struct LatencyRow {
        uint32_t tid, threads; /* how many threads it sums up, and the id of the last one */
} LatencyRow;

/* Rows of "one" are threads or CPUs of the recording that is read; those of "all" have the number of their label, less 1. */
typedef struct Latency {
        const SchedOptions *options;
        DelayTable one, all;
        LatencyRow *rows; /* of "all" */
        size_t n_rows, allocated;
        BytePool labels;
} Latency;

static void latency_done(Latency *l) {
        delay_table_done(&l->one);
        delay_table_done(&l->all);
        byte_pool_done(&l->labels);
        free(l->rows);
}

static int latency_step(void *userdata, SchedRun *run, const Moment *m, const SchedStep *s) {
        Latency *l = userdata;
        bool by_cpu = l->options->by == SCHED_BY_CPU;
        uint64_t since = s->stay.came, until = s->time;
        DelayRow *row;
        int r = 0;

        if (!sched_event_is_switch(&s->event) || !recording_run_wants_cpu(run->recording, s->cpu) ||
            (by_cpu && s->cpu >= SCHED_CPUS_MAX))
                return 0;
        if (run->model->threads[s->out].tid > 0 && since > 0 && sched_run_wants_thread(run, s->out) &&
            sched_run_cut(run, &since, &until)) {
                row = delay_table_row(&l->one, by_cpu ? s->cpu : s->out);
                if (!row)
                        return -ENOMEM;
                row->runs++;
                row->running += until - since;
        }
        if (run->model->threads[s->in].tid > 0 && recording_run_wants_time(run->recording, s->time) &&
            sched_run_wants_thread(run, s->in))
                r = delay_table_add(&l->one, by_cpu ? s->cpu : s->in, &s->wait);
        return r;
}

static int latency_add_row(Latency *l, const SchedRun *run, uint32_t number, uint32_t *ret) {
        char label[SCHED_LABEL_SIZE];
        uint32_t text;
        int r;

        if (l->options->by == SCHED_BY_CPU)
                (void) snprintf(label, sizeof(label), "CPU %" PRIu32, number);
        else
                (void) sched_run_label(run, number, label);
        r = byte_pool_intern(&l->labels, label, strlen(label) + 1, &text);
        if (r < 0 || ARRAY_RESERVE(l->rows, l->allocated, text) < 0)
                return -ENOMEM;
        for (; l->n_rows < text; l->n_rows++)
                l->rows[l->n_rows] = (LatencyRow) {};
        *ret = text - 1;
        l->rows[*ret].threads++;
        l->rows[*ret].tid = l->options->by == SCHED_BY_CPU ? 0 : run->model->threads[number].tid;
        return 0;
}

static int latency_end(void *userdata, SchedRun *run) {
        Latency *l = userdata;
        _cleanup_free_ uint32_t *rows = calloc(l->one.n_rows + 1, sizeof(*rows));
        int r = rows ? 0 : -ENOMEM;

        for (uint32_t i = 0; r >= 0 && i < l->one.n_rows; i++) {
                const DelayRow *row = l->one.rows + i;

                rows[i] = SCHED_NOBODY;
                if (row->n > 0 || row->runs > 0 || row->doubtful > 0)
                        r = latency_add_row(l, run, i, rows + i);
        }
        return r < 0 ? r : delay_table_move(&l->all, &l->one, rows);
}

static uint64_t latency_key(const Latency *l, uint32_t row, SchedSortKey key) {
        const DelayRow *d = l->all.rows + row;

        switch (key) {
        case SCHED_SORT_AVG:
                return d->n > 0 ? d->sum / d->n : 0;
        case SCHED_SORT_MAX:
                return d->longest;
        case SCHED_SORT_SWITCH:
                return d->n;
        case SCHED_SORT_RUNTIME:
                return d->running;
        case SCHED_SORT_P50:
                return delay_table_quantile(&l->all, row, 0.5);
        case SCHED_SORT_P95:
                return delay_table_quantile(&l->all, row, 0.95);
        case SCHED_SORT_P99:
                return delay_table_quantile(&l->all, row, 0.99);
        default:
                return l->rows[row].tid;
        }
}

static int compare_latencies(const void *a, const void *b, void *userdata) {
        uint32_t i = *(const uint32_t *) a, k = *(const uint32_t *) b;
        const Latency *l = userdata;

        for (size_t n = 0; n < l->options->latency.n_sort; n++) {
                uint64_t x = latency_key(l, i, l->options->latency.sort[n]), y = latency_key(l, k, l->options->latency.sort[n]);

                if (x != y)
                        return x > y ? -1 : 1;
        }
        return i < k ? -1 : i > k;
}

static const char *latency_text(const Latency *l, uint32_t row) {
        const char *label = (const char *) byte_pool_get(&l->labels, row + 1)->data;

        return *label ? label : "(unit not known)";
}

static void latency_put_msec(TextBuffer *out, uint64_t nsec, int width) {
        text_buffer_format(out, "%*.3f ms", width, (double) nsec / NSEC_PER_MSEC);
}

static void latency_put_time(TextBuffer *out, const char *what, uint64_t time) {
        text_buffer_format(out, " | %s: %5" PRIu64 ".%06" PRIu64 " s", what, time / NSEC_PER_SEC,
                           time % NSEC_PER_SEC / NSEC_PER_USEC);
}

static void latency_put_row(const Latency *l, uint32_t row, TextBuffer *out) {
        static const struct {
                const char *name;
                double quantile;
        } quantiles[] = { { "p50", 0.5 }, { "p95", 0.95 }, { "p99", 0.99 } };
        const DelayRow *d = l->all.rows + row;
        size_t begin = out->n;

        text_buffer_format(out, "  %s", latency_text(l, row));
        if (l->options->by == SCHED_BY_COMM && l->rows[row].threads > 1)
                text_buffer_format(out, ":(%" PRIu32 ")", l->rows[row].threads);
        else if (l->options->by == SCHED_BY_COMM)
                text_buffer_format(out, ":%" PRIu32, l->rows[row].tid);
        text_buffer_padded(out, "", 24 - (unsigned) MIN_OF(out->n - begin, (size_t) 23));
        text_buffer_putc(out, '|');
        latency_put_msec(out, d->running, 11);
        text_buffer_format(out, " |%9" PRIu64 " | avg:", d->n);
        latency_put_msec(out, d->n > 0 ? d->sum / d->n : 0, 8);
        text_buffer_puts(out, " | max:");
        latency_put_msec(out, d->longest, 8);
        latency_put_time(out, "max start", d->longest_since);
        latency_put_time(out, "max end", d->longest_until);
        for (size_t i = 0; i < ELEMENTSOF(quantiles); i++) {
                text_buffer_format(out, " | %s:", quantiles[i].name);
                latency_put_msec(out, delay_table_quantile(&l->all, row, quantiles[i].quantile), 8);
        }
        text_buffer_puts(out, " |\n");
}

static void latency_put_histogram(const Latency *l, uint32_t row, TextBuffer *out) {
        uint64_t counts[DELAY_BUCKETS], most = 1;
        unsigned first = DELAY_BUCKETS, last = 0;

        delay_table_histogram(&l->all, row, counts);
        for (unsigned i = 0; i < DELAY_BUCKETS; i++) {
                most = MAX_OF(most, counts[i]);
                first = counts[i] > 0 ? MIN_OF(first, i) : first;
                last = counts[i] > 0 ? i : last;
        }
        text_buffer_format(out, "\n  Delays of %s\n", latency_text(l, row));
        for (unsigned i = first; i <= last; i++) {
                unsigned bar = (unsigned) (counts[i] * BAR_WIDTH / most);
                char from[32], to[32];

                text_buffer_format(out, "%12s -> %-12s %9" PRIu64 " |%.*s%*s|\n",
                                   format_nsec(from, sizeof(from), i > 0 ? UINT64_C(1) << (i - 1) : 0),
                                   format_nsec(to, sizeof(to), i > 0 ? (UINT64_C(1) << i) - 1 : 0), counts[i], (int) bar,
                                   "**************************************************", (int) (BAR_WIDTH - bar), "");
        }
}

typedef struct LatencyTotals {
        uint64_t running, n, doubtful;
} LatencyTotals;

static LatencyTotals latency_totals(const Latency *l) {
        LatencyTotals t = {};

        for (size_t i = 0; i < l->all.n_rows; i++) {
                t.running += l->all.rows[i].running;
                t.n += l->all.rows[i].n;
                t.doubtful += l->all.rows[i].doubtful;
        }
        return t;
}

static void latency_put_table(const Latency *l, const uint32_t *order, TextBuffer *out) {
        LatencyTotals t = latency_totals(l);

        text_buffer_puts(out, "\n" RULE);
        text_buffer_puts(out, "  Task                  |   Runtime ms  |  Count   | Avg delay ms    | Max delay ms    | "
                              "Max delay start           | Max delay end          | Median ms       | 95 %            | "
                              "99 %            |\n" RULE);
        for (size_t i = 0; i < l->all.n_rows; i++)
                latency_put_row(l, order[i], out);
        text_buffer_puts(out, RULE "  TOTAL:                |");
        latency_put_msec(out, t.running, 11);
        text_buffer_format(out, " |%9" PRIu64 " |\n ---------------------------------------------------\n", t.n);
        if (t.doubtful > 0)
                text_buffer_format(out, "  INFO: %" PRIu64 " delays are not known: they began before the first record, or records "
                                   "were lost meanwhile\n", t.doubtful);
        if (l->options->latency.histogram)
                for (size_t i = 0; i < l->all.n_rows; i++)
                        if (l->all.rows[order[i]].n > 0)
                                latency_put_histogram(l, order[i], out);
        text_buffer_putc(out, '\n');
}

static void latency_put_json_row(const Latency *l, uint32_t row, JsonWriter *w) {
        const DelayRow *d = l->all.rows + row;
        uint64_t counts[DELAY_BUCKETS];

        json_writer_begin(w, NULL, '{');
        if (*(const char *) byte_pool_get(&l->labels, row + 1)->data)
                json_writer_text(w, sched_by_word(l->options->by), latency_text(l, row));
        if (l->rows[row].threads == 1 && l->rows[row].tid > 0)
                json_writer_number(w, "tid", l->rows[row].tid);
        if (l->options->by != SCHED_BY_CPU)
                json_writer_number(w, "threads", l->rows[row].threads);
        json_writer_number(w, "runtime_nsec", d->running);
        json_writer_number(w, "count", d->n);
        json_writer_number(w, "unknown", d->doubtful);
        if (d->n > 0) {
                json_writer_number(w, "avg_nsec", d->sum / d->n);
                json_writer_number(w, "p50_nsec", delay_table_quantile(&l->all, row, 0.5));
                json_writer_number(w, "p95_nsec", delay_table_quantile(&l->all, row, 0.95));
                json_writer_number(w, "p99_nsec", delay_table_quantile(&l->all, row, 0.99));
                json_writer_number(w, "max_nsec", d->longest);
                json_writer_number(w, "max_since", d->longest_since);
                json_writer_number(w, "max_until", d->longest_until);
        }
        json_writer_begin(w, "histogram", '[');
        delay_table_histogram(&l->all, row, counts);
        for (unsigned i = 0; i < DELAY_BUCKETS; i++)
                if (counts[i] > 0) {
                        json_writer_begin(w, NULL, '{');
                        json_writer_number(w, "from_nsec", i > 0 ? UINT64_C(1) << (i - 1) : 0);
                        json_writer_number(w, "count", counts[i]);
                        json_writer_end(w, '}');
                }
        json_writer_end(w, ']');
        json_writer_end(w, '}');
}

static void latency_put_json(const Latency *l, const uint32_t *order, TextBuffer *out) {
        JsonWriter w = { .out = out };
        LatencyTotals t = latency_totals(l);

        json_writer_begin(&w, NULL, '{');
        json_writer_begin(&w, "rows", '[');
        for (size_t i = 0; i < l->all.n_rows; i++)
                latency_put_json_row(l, order[i], &w);
        json_writer_end(&w, ']');
        json_writer_number(&w, "runtime_nsec", t.running);
        json_writer_number(&w, "count", t.n);
        json_writer_number(&w, "unknown", t.doubtful);
        json_writer_end(&w, '}');
        text_buffer_putc(out, '\n');
}

static int latency_show(Latency *l) {
        _cleanup_(text_buffer_done) TextBuffer out = { .file = stdout };
        _cleanup_free_ uint32_t *order = calloc(l->all.n_rows + 1, sizeof(*order));

        if (!order)
                return -ENOMEM;
        delay_table_sort(&l->all);
        for (uint32_t i = 0; i < l->all.n_rows; i++)
                order[i] = i;
        qsort_r(order, l->all.n_rows, sizeof(*order), compare_latencies, l);
        (l->options->json ? latency_put_json : latency_put_table)(l, order, &out);
        return text_buffer_flush(&out);
}

int sched_latency(const SchedOptions *o) {
        _cleanup_(latency_done) Latency l = { .options = o };
        const SchedConsumer consumer = { .step = latency_step, .end = latency_end, .userdata = &l };
        int status = sched_run_all(o, &consumer), r;

        if (status != EXIT_SUCCESS && l.all.n_rows == 0)
                return status;
        r = latency_show(&l);
        if (r < 0)
                (void) fprintf(stderr, "Failed to show delays: %s\n", strerror(-r));
        return r < 0 ? EXIT_FAILURE : status;
}
