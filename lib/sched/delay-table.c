/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Numbers of rows are dense. The sums are exact; a delay of its own is rounded to a float. */

#include "delay-table.h"

#include "array.h"
#include "saturate.h"

void delay_table_done(DelayTable *t) {
        free(t->rows);
        free(t->delays);
        *t = (DelayTable) {};
}

DelayRow *delay_table_row(DelayTable *t, uint32_t number) {
        if (ARRAY_RESERVE(t->rows, t->rows_allocated, (size_t) number + 1) < 0)
                return NULL;
        for (; t->n_rows <= number; t->n_rows++)
                t->rows[t->n_rows] = (DelayRow) {};
        return t->rows + number;
}

int delay_table_add(DelayTable *t, uint32_t row, const SchedWait *wait) {
        DelayRow *r = delay_table_row(t, row);
        uint64_t nsec;

        if (!r || ARRAY_RESERVE(t->delays, t->allocated, t->n + 1) < 0)
                return -ENOMEM;
        if (!sched_wait_delay(wait, &nsec)) {
                r->doubtful++;
                return 0;
        }
        t->delays[t->n++] = (Delay) { .row = row, .nsec = (float) nsec };
        r->n++;
        r->sum = saturate_sum(r->sum, nsec);
        if (r->n > 1 && nsec <= r->longest)
                return 0;
        r->longest = nsec;
        r->longest_since = wait->ready;
        r->longest_until = wait->came;
        return 0;
}

static void delay_row_merge(DelayRow *to, const DelayRow *from) {
        if (from->n > 0 && (to->n == 0 || from->longest > to->longest)) {
                to->longest = from->longest;
                to->longest_since = from->longest_since;
                to->longest_until = from->longest_until;
        }
        to->n += from->n;
        to->sum = saturate_sum(to->sum, from->sum);
        to->runs += from->runs;
        to->running = saturate_sum(to->running, from->running);
        to->doubtful += from->doubtful;
}

static int delay_table_move_rows(DelayTable *to, const DelayTable *from, const uint32_t *rows) {
        for (size_t i = 0; i < from->n_rows; i++) {
                DelayRow *row;

                if (rows[i] == SCHED_NOBODY)
                        continue;
                row = delay_table_row(to, rows[i]);
                if (!row)
                        return -ENOMEM;
                delay_row_merge(row, from->rows + i);
        }
        return 0;
}

/* The delays of the first recording, which may be most of the memory, stay where they are. */
int delay_table_move(DelayTable *to, DelayTable *from, const uint32_t *rows) {
        int r = delay_table_move_rows(to, from, rows);

        for (size_t i = 0; r >= 0 && i < from->n; i++)
                from->delays[i].row = rows[from->delays[i].row];
        if (r >= 0 && to->n == 0) {
                free(to->delays);
                to->delays = steal_ptr(from->delays);
                to->n = from->n;
                to->allocated = from->allocated;
        } else if (r >= 0 && from->n > 0) {
                r = ARRAY_RESERVE(to->delays, to->allocated, to->n + from->n);
                if (r >= 0) {
                        memcpy(to->delays + to->n, from->delays, from->n * sizeof(*from->delays));
                        to->n += from->n;
                }
        }
        delay_table_done(from);
        return r;
}

static int compare_delays(const void *a, const void *b) {
        const Delay *x = a, *y = b;

        if (x->row != y->row)
                return x->row < y->row ? -1 : 1;
        return x->nsec < y->nsec ? -1 : x->nsec > y->nsec;
}

void delay_table_sort(DelayTable *t) {
        size_t first = 0;

        if (t->n > 0)
                qsort(t->delays, t->n, sizeof(*t->delays), compare_delays);
        for (size_t i = 0; i < t->n_rows; i++) {
                t->rows[i].first = first;
                first += t->rows[i].n;
        }
}

uint64_t delay_table_quantile(const DelayTable *t, uint32_t row, double quantile) {
        const DelayRow *r = t->rows + row;
        size_t place = (size_t) (quantile * (double) r->n);

        if (r->n == 0)
                return 0;
        if (place > 0 && (double) place >= quantile * (double) r->n) /* the nearest rank */
                place--;
        place = MIN_OF(place, (size_t) r->n - 1);
        return place + 1 == r->n ? r->longest : (uint64_t) t->delays[r->first + place].nsec;
}

void delay_table_histogram(const DelayTable *t, uint32_t row, uint64_t ret[static DELAY_BUCKETS]) {
        const DelayRow *r = t->rows + row;

        memset(ret, 0, DELAY_BUCKETS * sizeof(*ret));
        for (size_t i = r->first; i < r->first + r->n; i++) {
                float nsec = t->delays[i].nsec;
                uint64_t whole = nsec < 0x1p63f ? (uint64_t) nsec : UINT64_MAX >> 1;

                ret[whole > 0 ? MIN_OF(64u - (unsigned) __builtin_clzll(whole), DELAY_BUCKETS - 1) : 0]++;
        }
}
