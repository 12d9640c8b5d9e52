/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "sched-model.h"

/* Delays, in nanoseconds, of rows that are numbers: how many, how long, and when the longest was. All are kept, so that
 * quantiles are those of the delays themselves; a delay takes 8 bytes, as which it has 24 bits that count. Zero-initialise. */

#define DELAY_BUCKETS 64u /* of powers of two: the one of number i has delays from 2^(i-1) up to 2^i - 1; 0 has those of 0 */

typedef struct DelayRow {
        uint64_t n, sum, longest;
        uint64_t longest_since, longest_until; /* times */
        uint64_t runs, running;                /* how often a thread left the CPU after a known time, and the sum of these */
        uint64_t doubtful;                     /* delays that are not known, or during which records were lost */
        size_t first;                          /* of its delays, once they are sorted */
} DelayRow;

typedef struct Delay {
        uint32_t row;
        float nsec;
} Delay;

typedef struct DelayTable {
        DelayRow *rows;
        size_t n_rows, rows_allocated;
        Delay *delays; /* in any order; sorted: by row, the shortest first */
        size_t n, allocated;
} DelayTable;

void delay_table_done(DelayTable *t);

/* Returns the row of that number, which it adds; NULL without memory. It is valid until the next call. */
DelayRow *delay_table_row(DelayTable *t, uint32_t number);

/* Adds a delay that ends when its thread comes to a CPU. 0, -ENOMEM. */
int delay_table_add(DelayTable *t, uint32_t row, const SchedWait *wait);

/* Moves each row i to the row rows[i] of another table, to whose numbers its own are added; SCHED_NOBODY drops a row without
 * delays. from is empty afterwards, also without memory. 0, -ENOMEM. */
int delay_table_move(DelayTable *to, DelayTable *from, const uint32_t *rows);

void delay_table_sort(DelayTable *t);

/* The tables are sorted. Returns the smallest delay that no more than a part of 1 - quantile exceeds; 0: the row has none. */
uint64_t delay_table_quantile(const DelayTable *t, uint32_t row, double quantile);
void delay_table_histogram(const DelayTable *t, uint32_t row, uint64_t ret[static DELAY_BUCKETS]);
