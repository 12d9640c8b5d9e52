/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "access-table.h"
#include "c2c-options.h"
#include "counted-samples.h"
#include "text-buffer.h"

/* Accesses to memory that were read and named, and what is shown of them. */
typedef struct C2cReport {
        const C2cOptions *options;
        const CountedSamples *samples;
        const AccessTable *table;
        const CodePlaces *places;
        const uint32_t *lines; /* those that are shown, in their order */
        size_t n_lines;
} C2cReport;

typedef enum C2cCycles {
        C2C_REMOTE_HITM,
        C2C_LOCAL_HITM,
        C2C_REMOTE_PEER,
        C2C_LOCAL_PEER,
        C2C_OTHER_LOAD,
        _C2C_CYCLES_MAX,
} C2cCycles;

/* A row of a line: what accessed some bytes of it. */
typedef struct C2cRow {
        const AccessPoint *point;
        size_t begin, end;  /* its cells */
        AccessCounts counts;
        struct {
                uint64_t n, sum;
        } cycles[_C2C_CYCLES_MAX]; /* the weights of loads */
        unsigned n_cpus;
        uint64_t key, other_key; /* what rows are sorted by */
        bool hidden;        /* nothing in it shares the line */
} C2cRow;

typedef struct C2cRows {
        C2cRow *rows;
        size_t n, allocated;
} C2cRows;

/* The facts that lines and rows are sorted by. */
uint32_t c2c_display_facts(C2cDisplay display);

/* Makes the rows of a line, in their order. Done after a failure too. 0, -ENOMEM. */
int c2c_rows_make(C2cRows *rows, const C2cReport *report, const AccessLine *line);
void c2c_rows_done(C2cRows *rows);

/* They return what is known of a row's code and thread. */
const char *c2c_row_symbol(const C2cReport *report, const C2cRow *row); /* NULL: none is known */
const char *c2c_row_dso(const C2cReport *report, const C2cRow *row);
const char *c2c_row_source(const C2cReport *report, const C2cRow *row);
const char *c2c_row_thread(const C2cReport *report, const C2cRow *row); /* its name */

/* Put all of it. 0, -ENOMEM; errors of writing are the buffer's. */
int c2c_print(const C2cReport *report, TextBuffer *out);
int c2c_print_json(const C2cReport *report, TextBuffer *out);
