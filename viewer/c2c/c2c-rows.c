/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The rows of one cache line are made when it is shown, out of its cells. */

#include "array.h"
#include "c2c-report.h"

uint32_t c2c_display_facts(C2cDisplay display) {
        static const uint32_t facts[_C2C_DISPLAY_MAX] = {
                [C2C_DISPLAY_TOTAL] = ACCESSES_HITM, [C2C_DISPLAY_LOCAL] = ACCESS(LOCAL_HITM),
                [C2C_DISPLAY_REMOTE] = ACCESS(REMOTE_HITM), [C2C_DISPLAY_PEER] = ACCESSES_PEER,
        };

        return facts[display];
}

void c2c_rows_done(C2cRows *rows) {
        free(rows->rows);
        *rows = (C2cRows) {};
}

const char *c2c_row_symbol(const C2cReport *report, const C2cRow *row) {
        const PlaceNames *names = &report->samples->names;

        return names->symbols[names->symbol_of[row->point->place]].name;
}

const char *c2c_row_dso(const C2cReport *report, const C2cRow *row) {
        const PlaceNames *names = &report->samples->names;

        return place_names_text(names, place_names_dso(names, report->places->places + row->point->place));
}

const char *c2c_row_source(const C2cReport *report, const C2cRow *row) {
        const PlaceNames *names = &report->samples->names;
        bool mapped = report->places->places[row->point->place].dso != DSO_NONE;
        uint32_t line = mapped && names->line_of ? names->line_of[row->point->place] : 0;

        return line > 0 ? place_names_text(names, line) : "??:0";
}

const char *c2c_row_thread(const C2cReport *report, const C2cRow *row) {
        return row->point->name > 0 ? process_view_name(report->places->view, row->point->name) : "";
}

/* An access has a part in the sum of cycles of what costs most in it. */
static void c2c_row_sum_up(C2cRow *row, const C2cReport *report) {
        const AccessCell *cells = report->table->cells;

        for (size_t i = row->begin; i < row->end; i++) {
                uint32_t facts = cells[i].is.facts;
                C2cCycles cycles = facts & ACCESS(REMOTE_HITM) ? C2C_REMOTE_HITM : facts & ACCESS(LOCAL_HITM) ? C2C_LOCAL_HITM :
                        facts & ACCESS(REMOTE_PEER) ? C2C_REMOTE_PEER : facts & ACCESSES_LOCAL_PEER ? C2C_LOCAL_PEER :
                        C2C_OTHER_LOAD;

                access_counts_add(&row->counts, facts, cells[i].n);
                row->n_cpus += cells[i].is.cpu != UINT32_MAX && (i == row->begin || cells[i].is.cpu != cells[i - 1].is.cpu);
                if (!(facts & ACCESS(LOAD)))
                        continue;
                row->cycles[cycles].n += cells[i].n;
                row->cycles[cycles].sum += cells[i].weight;
        }
        row->key = access_counts_sum(&row->counts, c2c_display_facts(report->options->display));
        row->other_key = access_counts_sum(&row->counts, report->options->display == C2C_DISPLAY_PEER ? ACCESSES_PEER :
                                                                                                        ACCESSES_HITM);
        row->hidden = row->counts.of[ACCESS_STORE] == 0 && row->key == 0;
}

#define COMPARE(a, b) if ((a) != (b)) return (a) < (b) ? -1 : 1

/* Equal rows are in perf's order. */
static int compare_by_key(const C2cReport *report, C2cKey key, const C2cRow *a, const C2cRow *b) {
        switch (key) {
        case C2C_KEY_PID:
                COMPARE(b->point->is.pid, a->point->is.pid);
                return 0;
        case C2C_KEY_TID:
                COMPARE(a->point->is.tid, b->point->is.tid);
                return 0;
        case C2C_KEY_IADDR:
                COMPARE(a->point->is.ip, b->point->is.ip);
                return 0;
        default:
                COMPARE(b->point->is.path > 0, a->point->is.path > 0);
                return strcmp(c2c_row_dso(report, a), c2c_row_dso(report, b));
        }
}

static int compare_rows(const void *a, const void *b, void *userdata) {
        const C2cReport *report = userdata;
        const C2cRow *x = a, *y = b;
        int r = 0;

        COMPARE(x->point->is.offset, y->point->is.offset);
        COMPARE(y->key, x->key);
        COMPARE(y->other_key, x->other_key);
        for (size_t i = 0; r == 0 && i < report->options->keys.n; i++)
                r = compare_by_key(report, report->options->keys.keys[i], x, y);
        if (r != 0)
                return r;
        COMPARE(x->point, y->point);
        return 0;
}

int c2c_rows_make(C2cRows *rows, const C2cReport *report, const AccessLine *line) {
        const AccessTable *t = report->table;

        rows->n = 0;
        for (size_t i = line->begin, begin = i; i < line->end; begin = i) {
                while (i < line->end && t->cells[i].is.point == t->cells[begin].is.point)
                        i++;
                if (ARRAY_RESERVE(rows->rows, rows->allocated, rows->n + 1) < 0)
                        return -ENOMEM;
                rows->rows[rows->n] = (C2cRow) { .point = t->points + t->cells[begin].is.point, .begin = begin, .end = i };
                c2c_row_sum_up(rows->rows + rows->n++, report);
        }
        if (rows->n > 1)
                qsort_r(rows->rows, rows->n, sizeof(*rows->rows), compare_rows, (void *) report);
        return 0;
}
