/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The tables and their order are those of perf trace --summary: threads by their number of events, calls by the time that they took
 * in all. */

#include "call-sums.h"

#include <inttypes.h>
#include <string.h>

#include "array.h"
#include "json-writer.h"
#include "utf8.h"

void call_sums_done(CallSums *s) {
        for (size_t i = 0; i < s->n_threads; i++)
                free(s->threads[i].group);
        free(s->threads);
        free(s->sums);
        free(s->errors);
        free(s->thread_of);
        hash_index_done(&s->index);
        *s = (CallSums) {};
}

void call_sums_begin(CallSums *s) {
        s->thread_of_n = 0;
}

static uint64_t call_sum_hash(uint32_t thread, uint32_t number) {
        return hash_mix(hash_mix(0, thread), number);
}

static uint64_t call_sum_hash_of(const void *owner, uintptr_t entry) {
        const CallSum *sum = ((const CallSums *) owner)->sums + entry - 1;

        return call_sum_hash(sum->thread, sum->number);
}

int call_sums_set_group(CallSums *s, CallThread *t, const char *path) {
        const char *wanted = path ?: "";
        _cleanup_free_ char *copy = NULL;

        if (t->group > 0 && streq(s->threads[t->group - 1].group, wanted))
                return 0;
        for (t->group = 1; t->group <= s->n_threads; t->group++)
                if (streq(s->threads[t->group - 1].group, wanted))
                        return 0;
        t->group = 0;
        copy = strdup(wanted);
        if (!copy || ARRAY_RESERVE(s->threads, s->threads_allocated, s->n_threads + 1) < 0)
                return -ENOMEM;
        s->threads[s->n_threads++] = (CallSumThread) { .group = steal_ptr(copy) };
        t->group = (uint32_t) s->n_threads;
        return 0;
}

static int call_sums_find_thread(CallSums *s, const CallOptions *o, CallModel *m, uint32_t thread, uint32_t *ret) {
        bool total = o->mode == CALL_SUMMARY_TOTAL;
        size_t number = total ? 0 : thread;
        int r;

        if (o->mode == CALL_SUMMARY_CGROUP) {
                r = m->threads[thread].group > 0 ? 0 : call_sums_set_group(s, m->threads + thread, NULL);
                if (r < 0)
                        return r;
                *ret = m->threads[thread].group - 1;
                s->threads[*ret].n++;
                s->n++;
                return 0;
        }
        if (ARRAY_RESERVE(s->thread_of, s->thread_of_allocated, number + 1) < 0)
                return -ENOMEM;
        while (s->thread_of_n <= number)
                s->thread_of[s->thread_of_n++] = 0;
        if (total && s->n_threads > 0)
                s->thread_of[0] = 1;
        if (s->thread_of[number] == 0) {
                if (ARRAY_RESERVE(s->threads, s->threads_allocated, s->n_threads + 1) < 0)
                        return -ENOMEM;
                s->threads[s->n_threads++] = (CallSumThread) { .tid = total ? 0 : m->threads[thread].tid };
                s->thread_of[number] = (uint32_t) s->n_threads;
        }
        *ret = s->thread_of[number] - 1;
        if (!total) /* the last of its names */
                memcpy(s->threads[*ret].name, m->threads[thread].name, CALL_NAME_SIZE);
        s->threads[*ret].n++;
        s->n++;
        return 0;
}

int call_sums_add_begin(CallSums *s, const CallOptions *o, CallModel *m, uint32_t thread) {
        uint32_t number;

        return call_sums_find_thread(s, o, m, thread, &number);
}

static int call_sums_find(CallSums *s, uint32_t thread, uint32_t number, CallSum **ret) {
        uint64_t hash = call_sum_hash(thread, number);
        uintptr_t found = HASH_INDEX_FIND(&s->index, hash, entry, s->sums[entry - 1].thread == thread &&
                                          s->sums[entry - 1].number == number);

        if (found == 0) {
                if (ARRAY_RESERVE(s->sums, s->sums_allocated, s->n_sums + 1) < 0)
                        return -ENOMEM;
                s->sums[s->n_sums++] = (CallSum) { .thread = thread, .number = number, .shortest = UINT64_MAX };
                found = s->n_sums;
                if (hash_index_add(&s->index, hash, found, call_sum_hash_of, s) < 0)
                        return -ENOMEM;
        }
        *ret = s->sums + found - 1;
        return 0;
}

static int call_sums_add_error(CallSums *s, CallSum *sum, uint32_t error, uint64_t n) {
        for (uint32_t i = sum->errors; i > 0; i = s->errors[i - 1].next)
                if (s->errors[i - 1].error == error) {
                        s->errors[i - 1].n += n;
                        return 0;
                }
        if (ARRAY_RESERVE(s->errors, s->errors_allocated, s->n_errors + 1) < 0)
                return -ENOMEM;
        s->errors[s->n_errors++] = (CallError) { .next = sum->errors, .error = error, .n = n };
        sum->errors = (uint32_t) s->n_errors;
        return 0;
}

int call_sums_add_end(CallSums *s, const CallOptions *o, CallModel *m, uint32_t thread, const Call *c) {
        uint32_t number;
        CallSum *sum;
        int r = call_sums_find_thread(s, o, m, thread, &number);

        if (r >= 0)
                r = call_sums_find(s, number, c->number, &sum);
        if (r < 0)
                return r;
        sum->n++;
        if (c->since > 0) {
                uint64_t nsec = c->until - c->since;

                run_mean_add(&sum->times, (double) nsec);
                sum->shortest = MIN_OF(sum->shortest, nsec);
                sum->longest = MAX_OF(sum->longest, nsec);
        }
        if (!call_failed(c))
                return 0;
        sum->failed++;
        return call_sums_add_error(s, sum, (uint32_t) -c->result, 1);
}

int call_sums_merge_thread(CallSums *s, const CallOptions *o, uint32_t tid, const char *name, uint64_t n, uint32_t *ret) {
        bool total = o->mode == CALL_SUMMARY_TOTAL;
        CallSumThread *t;

        if (!total || s->n_threads == 0) {
                if (ARRAY_RESERVE(s->threads, s->threads_allocated, s->n_threads + 1) < 0)
                        return -ENOMEM;
                s->threads[s->n_threads++] = (CallSumThread) { .tid = total ? 0 : tid };
        }
        *ret = (uint32_t) s->n_threads - 1;
        t = s->threads + *ret;
        if (!total)
                (void) utf8_line_to(t->name, sizeof(t->name), name);
        t->n += n;
        s->n += n;
        return 0;
}

int call_sums_merge(CallSums *s, uint32_t thread, const CallSum *sum) {
        CallSum *to;
        int r = call_sums_find(s, thread, sum->number, &to);

        if (r < 0)
                return r;
        to->n += sum->n;
        to->failed += sum->failed;
        run_mean_merge(&to->times, &sum->times);
        to->shortest = MIN_OF(to->shortest, sum->shortest);
        to->longest = MAX_OF(to->longest, sum->longest);
        return 0;
}

int call_sums_merge_error(CallSums *s, uint32_t thread, uint32_t number, uint32_t error, uint64_t n) {
        CallSum *sum;
        int r = call_sums_find(s, thread, number, &sum);

        return r < 0 ? r : call_sums_add_error(s, sum, error, n);
}

/* A sum of no call has the thread shown, too, if it makes none. */
int call_sums_add_fault(CallSums *s, const CallOptions *o, CallModel *m, uint32_t thread, bool major) {
        uint32_t number;
        CallSum *sum;
        int r = call_sums_find_thread(s, o, m, thread, &number);

        if (r >= 0)
                r = call_sums_find(s, number, CALL_NUMBER_NONE, &sum);
        if (r >= 0)
                *(major ? &s->threads[number].major_faults : &s->threads[number].minor_faults) += 1;
        return r;
}

static double call_sum_total(const CallSum *sum) {
        return sum->times.mean * (double) sum->times.n;
}

/* By thread, then the longest in all first. */
static int compare_sums(const void *a, const void *b, void *userdata) {
        const CallSums *s = userdata;
        const CallSum *x = s->sums + *(const uint32_t *) a, *y = s->sums + *(const uint32_t *) b;
        double p = call_sum_total(x), q = call_sum_total(y);

        if (x->thread != y->thread) {
                const CallSumThread *t = s->threads + x->thread, *u = s->threads + y->thread;

                return t->n != u->n ? (t->n < u->n ? -1 : 1) : x->thread < y->thread ? -1 : 1;
        }
        return p != q ? (p > q ? -1 : 1) : x->number < y->number ? -1 : x->number > y->number;
}

/* 0: *ret is a new array of the numbers of sums in the order in which they are shown. */
static int call_sums_sort(const CallSums *s, uint32_t **ret) {
        uint32_t *order = malloc((s->n_sums + 1) * sizeof(*order));

        if (!order)
                return -ENOMEM;
        for (uint32_t i = 0; i < s->n_sums; i++)
                order[i] = i;
        qsort_r(order, s->n_sums, sizeof(*order), compare_sums, (void *) s);
        *ret = order;
        return 0;
}

static const char *call_sum_name(const CallSum *sum, SyscallAbi abi, char buf[static 32]) {
        const char *name = syscall_name(abi, sum->number);

        if (name)
                return name;
        (void) snprintf(buf, 32, "syscall_%" PRIu32, sum->number);
        return buf;
}

static void call_sums_put_thread(const CallSums *s, const CallSumThread *t, TextBuffer *out) {
        if (t->group)
                text_buffer_format(out, " %s, %" PRIu64 " events, %.1f%%", *t->group ? t->group : "(unknown control group)", t->n,
                                   100 * (double) t->n / (double) s->n);
        else if (t->tid == 0)
                text_buffer_format(out, " total, %" PRIu64 " events", t->n);
        else
                text_buffer_format(out, " %s (%" PRIu32 "), %" PRIu64 " events, %.1f%%", *t->name ? t->name : ":", t->tid, t->n,
                                   100 * (double) t->n / (double) s->n);
        if (t->major_faults > 0)
                text_buffer_format(out, ", %" PRIu64 " majfaults", t->major_faults);
        if (t->minor_faults > 0)
                text_buffer_format(out, ", %" PRIu64 " minfaults", t->minor_faults);
        text_buffer_puts(out, "\n\n"
                              "   syscall            calls  errors  total       min       avg       max       stddev\n"
                              "                                     (msec)    (msec)    (msec)    (msec)        (%)\n"
                              "   --------------- --------  ------ -------- --------- --------- ---------     ------\n");
}

static void call_sums_put_sum(const CallSums *s, const CallOptions *o, const CallSum *sum, SyscallAbi abi, TextBuffer *out) {
        double msec = 1e-6;
        char buf[32];

        text_buffer_format(out, "   %-15s", call_sum_name(sum, abi, buf));
        text_buffer_format(out, " %8" PRIu64 " %6" PRIu64, sum->n, sum->failed);
        if (sum->times.n > 0)
                text_buffer_format(out, " %9.3f %9.3f %9.3f %9.3f %9.2f%%\n", call_sum_total(sum) * msec,
                                   (double) sum->shortest * msec, sum->times.mean * msec, (double) sum->longest * msec,
                                   run_mean_percentage(&sum->times));
        else
                text_buffer_format(out, " %9s %9s %9s %9s %10s\n", "-", "-", "-", "-", "-");
        for (uint32_t i = o->errnos ? sum->errors : 0; i > 0; i = s->errors[i - 1].next)
                text_buffer_format(out, "\t\t\t\t%s: %" PRIu64 "\n", strerrorname_np((int) s->errors[i - 1].error) ?: "?",
                                   s->errors[i - 1].n);
}

int call_sums_put(const CallSums *s, const CallOptions *o, SyscallAbi abi, TextBuffer *out) {
        _cleanup_free_ uint32_t *order = NULL;
        int r = call_sums_sort(s, &order);

        if (r < 0)
                return r;
        text_buffer_puts(out, "\n Summary of events:\n\n");
        for (size_t i = 0; i < s->n_sums; i++) {
                const CallSum *sum = s->sums + order[i];

                if (i == 0 || s->sums[order[i - 1]].thread != sum->thread)
                        call_sums_put_thread(s, s->threads + sum->thread, out);
                if (sum->number != CALL_NUMBER_NONE)
                        call_sums_put_sum(s, o, sum, abi, out);
                if (i + 1 == s->n_sums || s->sums[order[i + 1]].thread != sum->thread)
                        text_buffer_puts(out, "\n\n");
        }
        return 0;
}

static void call_sum_put_json(const CallSums *s, const CallSum *sum, SyscallAbi abi, JsonWriter *w) {
        char buf[32];

        json_writer_begin(w, NULL, '{');
        json_writer_text(w, "call", call_sum_name(sum, abi, buf));
        json_writer_number(w, "calls", sum->n);
        json_writer_number(w, "errors", sum->failed);
        if (sum->times.n > 0) {
                json_writer_number(w, "total_nsec", (uint64_t) call_sum_total(sum));
                json_writer_number(w, "min_nsec", sum->shortest);
                json_writer_number(w, "avg_nsec", (uint64_t) sum->times.mean);
                json_writer_number(w, "max_nsec", sum->longest);
        }
        json_writer_begin(w, "errnos", '{');
        for (uint32_t i = sum->errors; i > 0; i = s->errors[i - 1].next)
                json_writer_number(w, strerrorname_np((int) s->errors[i - 1].error) ?: "?", s->errors[i - 1].n);
        json_writer_end(w, '}');
        json_writer_end(w, '}');
}

int call_sums_put_json(const CallSums *s, SyscallAbi abi, TextBuffer *out) {
        _cleanup_free_ uint32_t *order = NULL;
        JsonWriter w = { .out = out };
        int r = call_sums_sort(s, &order);

        if (r < 0)
                return r;
        json_writer_begin(&w, NULL, '{');
        json_writer_begin(&w, "threads", '[');
        for (size_t i = 0; i < s->n_sums; i++) {
                const CallSum *sum = s->sums + order[i];
                const CallSumThread *t = s->threads + sum->thread;

                if (i == 0 || s->sums[order[i - 1]].thread != sum->thread) {
                        json_writer_begin(&w, NULL, '{');
                        if (t->group && *t->group)
                                json_writer_text(&w, "cgroup", t->group);
                        if (t->tid > 0) {
                                json_writer_text(&w, "comm", t->name);
                                json_writer_number(&w, "tid", t->tid);
                        }
                        json_writer_number(&w, "events", t->n);
                        if (t->major_faults > 0)
                                json_writer_number(&w, "majfaults", t->major_faults);
                        if (t->minor_faults > 0)
                                json_writer_number(&w, "minfaults", t->minor_faults);
                        json_writer_begin(&w, "calls", '[');
                }
                if (sum->number != CALL_NUMBER_NONE)
                        call_sum_put_json(s, sum, abi, &w);
                if (i + 1 == s->n_sums || s->sums[order[i + 1]].thread != sum->thread) {
                        json_writer_end(&w, ']');
                        json_writer_end(&w, '}');
                }
        }
        json_writer_end(&w, ']');
        json_writer_end(&w, '}');
        text_buffer_putc(out, '\n');
        return 0;
}
