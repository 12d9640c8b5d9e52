/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "byte-pool.h"
#include "diff-options.h"

/* The functions that samples of one event hit in two ranges, or other groups of samples, side by side. */

#define DIFF_NO_UNIT "N/A" /* as in report: no unit and no control group is called that */

typedef struct DiffRow {
        uint64_t samples[_DIFF_RANGES], weight[_DIFF_RANGES];
        double percent[_DIFF_RANGES]; /* of the baseline's whole in the same time; or by total, of that range's own */
        double chance;   /* the probability of numbers of samples that differ as much, without a change */
        bool changed;    /* it is marked */
        uint32_t number; /* of the texts of its keys */
} DiffRow;

/* Zero-initialise. */
typedef struct DiffTable {
        const DiffOptions *options;
        const char *event;
        uint64_t samples[_DIFF_RANGES], weight[_DIFF_RANGES]; /* of the event, also those that are in no row */
        DiffRow *rows;  /* in the order in which they are shown */
        size_t n, allocated;
        BytePool texts; /* of each row: those of its keys in the order of the options, each with a zero byte */
} DiffTable;

/* Makes the table of an event, whose numbers in the ranges these are. Samples of the baseline must exist. Done after a failure too.
 * 0, -ENOMEM. */
int diff_table_make(DiffTable *t, const DiffOptions *o, DiffRange *ranges, const uint32_t *events);
void diff_table_done(DiffTable *t);

/* Returns whether a row is shown. */
static inline bool diff_table_shows(const DiffTable *t, const DiffRow *row) {
        return row->samples[DIFF_BASELINE] > 0 || !t->options->baseline_only;
}

static inline double diff_row_delta(const DiffRow *row) {
        return row->percent[DIFF_COMPARED] - row->percent[DIFF_BASELINE];
}

/* Returns the text of the first of its keys; those of others follow behind its zero byte. */
static inline const char *diff_table_texts(const DiffTable *t, const DiffRow *row) {
        return (const char *) byte_pool_get(&t->texts, row->number)->data;
}
