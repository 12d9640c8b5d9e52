/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Entries of all pairs of keys. Functions with a name are called by code without one, of several binaries, so that what an entry has
 * of a binary must not reach the next entry of the chain. */

#include "array.h"
#include "made-samples.h"
#include "report-entries.h"

#define PROGRAM UINT64_C(0x400000)
#define LIBRARY UINT64_C(0x600000) /* two of them, without names */
#define OTHER_LIBRARY UINT64_C(0x700000)
#define FUNCTION_SIZE 0x100u
#define NOWHERE UINT64_C(0x10)

typedef struct Made {
        SampleTable *table;
        PlaceNames names;
        uint32_t *rows;
        size_t n_rows;
} Made;

static void made_done(Made *m) {
        sample_table_free(m->table);
        place_names_done(&m->names);
        free(m->rows);
}

static void put_samples(RecordBuffer *b) {
        test_put_map(b, 7, PROGRAM, 0x10000, "/made/program", 0);
        test_put_map(b, 7, LIBRARY, 0x10000, "/made/library", 0);
        test_put_map(b, 7, OTHER_LIBRARY, 0x10000, "/made/other-library", 0);
        MADE_SAMPLE(b, 7, 7, 1, PROGRAM + 4, PROGRAM + FUNCTION_SIZE);
        MADE_SAMPLE(b, 7, 7, 2, LIBRARY + 8, PROGRAM + 8, LIBRARY + 16, PROGRAM + 12);
        MADE_SAMPLE(b, 7, 8, 3, OTHER_LIBRARY + 8, PROGRAM + FUNCTION_SIZE + 4, PROGRAM + 12);
        MADE_SAMPLE(b, 7, 7, 4, PROGRAM + 4, OTHER_LIBRARY + 16, PROGRAM + FUNCTION_SIZE + 4, NOWHERE, PROGRAM + 12);
        MADE_SAMPLE(b, 7, 7, 5, PROGRAM + FUNCTION_SIZE, NOWHERE, PROGRAM + 4);
        for (uint64_t i = 0; i < 32; i++)
                MADE_SAMPLE(b, 7, 7, 6 + i, LIBRARY + 32 * i, OTHER_LIBRARY + 32 * i, PROGRAM + FUNCTION_SIZE + i, PROGRAM + i);
}

static void made_init(Made *m) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        CodePlaces *places;

        put_samples(&b);
        m->table = made_table(&b, NULL, SAMPLE_BY_THREAD | SAMPLE_BY_CPU | SAMPLE_BY_TIME);
        places = sample_table_places(m->table);
        ck_assert_ok(place_names_init(&m->names, places, NULL));
        made_name_code(&m->names, places, PROGRAM, FUNCTION_SIZE, "inner");
        made_name_code(&m->names, places, PROGRAM + FUNCTION_SIZE, FUNCTION_SIZE, "outer");
        m->names.line_of = calloc(places->n, sizeof(*m->names.line_of));
        m->names.file_of = calloc(places->n, sizeof(*m->names.file_of));
        ck_assert(m->names.line_of && m->names.file_of);
        for (size_t i = 0; i < places->n; i++) {
                m->names.line_of[i] = (uint32_t) (i % 3);
                m->names.file_of[i] = m->names.symbol_of[i];
        }
        m->rows = sample_table_order(m->table);
        (void) sample_table_rows(m->table, &m->n_rows);
        ck_assert(m->rows && m->n_rows > 0);
}

static void check_chains(Report *report) {
        size_t n = report->n;
        _cleanup_free_ ReportChain *chains = NULL;
        _cleanup_free_ size_t *first = NULL;
        bool wanted[256];

        ck_assert_uint_le(n, sizeof(wanted));
        memset(wanted, true, sizeof(wanted));
        ck_assert_ok(report_collect_chains(report, wanted, &chains, &first));
        ck_assert_uint_eq(report->n, n);
        for (size_t i = 0; i < first[n]; i++)
                ck_assert_uint_gt(chains[i].n, 0);
}

static void check_report(const Made *m, uint64_t keys, bool children) {
        _cleanup_(report_done) Report report = {};
        const ReportPlan plan = {
                .keys = keys, .rows = m->rows, .n_rows = m->n_rows, .children = children, .caller = children, .chains = true,
                .max_stack = 127,
        };
        uint64_t count = 0, inner = 0;

        ck_assert_ok(report_init(&report, m->table, &m->names, &plan));
        for (size_t i = 0; i < report.n; i++) {
                count += report.entries[i].weight.count;
                inner += report.entries[i].symbol == 1;
                ck_assert_uint_le(report.entries[i].weight.children_count, 37);
        }
        ck_assert_uint_eq(count, 37);
        ck_assert_uint_eq(report.samples, 37);
        if (keys == REPORT_KEY(REPORT_SYMBOL))
                ck_assert_uint_eq(inner, 1);
        check_chains(&report);
}

START_TEST(all_pairs_of_keys) {
        _cleanup_(made_done) Made m = {};

        made_init(&m);
        for (ReportKey a = 0; a < _REPORT_KEY_MAX; a++)
                for (ReportKey b = a; b < _REPORT_KEY_MAX; b++) {
                        check_report(&m, REPORT_KEY(a) | REPORT_KEY(b), false);
                        check_report(&m, REPORT_KEY(a) | REPORT_KEY(b), true);
                }
}
END_TEST

/* Key 0 is whether the first sample hit a place with a name, key 1 the address of the place itself. */
static ReportValue value_of(const Report *report, unsigned key, const ReportEntry *e) {
        return key == 0 ? (ReportValue) { 0, report->names->symbol_of[e->place] > 0 } :
               (ReportValue) { 1, report->places->places[e->place].ip };
}

static size_t count_entries(const Made *m, uint64_t row_values, uint64_t place_values, bool children) {
        _cleanup_(report_done) Report report = {};
        const ReportPlan plan = {
                .row_values = row_values, .place_values = place_values, .value = value_of, .rows = m->rows, .n_rows = m->n_rows,
                .children = children, .caller = children, .chains = true, .max_stack = 127,
        };
        uint64_t count = 0;

        ck_assert_ok(report_init(&report, m->table, &m->names, &plan));
        for (size_t i = 0; i < report.n; i++)
                count += report.entries[i].weight.count;
        ck_assert_uint_eq(count, 37);
        check_chains(&report);
        return report.n;
}

START_TEST(values_of_the_caller) {
        _cleanup_(made_done) Made m = {};

        made_init(&m);
        ck_assert_uint_eq(count_entries(&m, 0, 0, false), 1);
        ck_assert_uint_eq(count_entries(&m, 1, 0, false), 2);
        ck_assert_uint_eq(count_entries(&m, 1, 0, true), 2);   /* callers are in the entry of the row */
        ck_assert_uint_eq(count_entries(&m, 0, 2, false), 36); /* two samples hit the same address */
        ck_assert_uint_gt(count_entries(&m, 0, 2, true), 100);
        ck_assert_uint_eq(count_entries(&m, 1, 2, false), 36);
}
END_TEST

TEST_RUN("report-entries", all_pairs_of_keys, values_of_the_caller);
