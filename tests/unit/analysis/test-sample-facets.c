/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "made-facets.h"
#include "sample-table.h"

static const MadeFacets made = { .program = "/bin/true", .functions = { 0x1000, 0x2000, 0x3000 } };

static SampleTable *table_of(bool branches, unsigned dimensions, unsigned wanted) {
        _cleanup_free_ char *path = test_path("facets.data");
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        SampleTable *t = NULL;

        if (branches)
                made_branches(path, &made);
        else
                made_memory(path, &made);
        ck_assert_ok(perf_data_reader_new(AT_FDCWD, path, &reader));
        ck_assert_ok(sample_table_new(&(SampleTablePlan) { .dimensions = dimensions, .facets = wanted }, &t));
        ck_assert_ok(sample_table_read(t, reader, &(SampleReading) {}));
        return t;
}

/* Samples that differ in facets that are not wanted are one row. */
START_TEST(only_what_is_wanted) {
        _cleanup_sample_table_free_ SampleTable *none = table_of(false, 0, 0), *some = table_of(false, 0, FACET_STAGE),
                                    *all = table_of(false, 0, UINT32_MAX);
        const SampleRow *rows;
        SampleFacets f;
        size_t n;

        rows = sample_table_rows(none, &n);
        ck_assert_uint_eq(n, 3); /* three addresses of code */
        ck_assert_uint_eq(rows[0].facets, 0);
        rows = sample_table_rows(some, &n);
        ck_assert_uint_eq(n, 3);
        f = sample_table_facets(some, rows[1].facets);
        ck_assert_uint_eq(f.stage, 9);
        ck_assert_uint_eq(f.weight, 0);
        ck_assert_uint_eq(f.source, 0);
        ck_assert_uint_eq(rows[2].facets, rows[1].facets);
        rows = sample_table_rows(all, &n);
        ck_assert_uint_eq(n, 3);
        ck_assert_uint_eq(rows[0].count, 2);
        ck_assert_uint_eq(rows[0].period, 20);
        f = sample_table_facets(all, rows[1].facets);
        ck_assert_uint_eq(f.weight, 250);
        ck_assert_uint_eq(f.latency, 40);
        ck_assert_uint_eq(f.physical, 0x1234048);
        ck_assert_uint_eq(f.data_page, 2 << 20);
        ck_assert_uint_eq(f.transaction >> 32, 5);
        ck_assert_uint_eq(f.data, 0);
        ck_assert_uint_eq(sample_table_places(all)->places[f.data_place].ip, MADE_FACETS_DATA + 0x48);
}
END_TEST

/* The cursor has for each facet what it needs, and for one that is not recorded no more than for none. */
START_TEST(each_by_itself) {
        _cleanup_sample_table_free_ SampleTable *all = table_of(false, 0, FACET_BRANCH_FROM - 1);
        ReplayNeeds needs = {};
        SampleFacets together = {}, f;
        const SampleRow *rows;
        size_t n;

        for (unsigned facet = FACET_WEIGHT; facet < FACET_BRANCH_FROM; facet <<= 1) {
                _cleanup_sample_table_free_ SampleTable *t = table_of(false, 0, facet);

                rows = sample_table_rows(t, &n);
                f = sample_table_facets(t, rows[1].facets);
                for (size_t i = 0; i < sizeof(f); i++)
                        ((uint8_t *) &together)[i] |= ((const uint8_t *) &f)[i];
        }
        rows = sample_table_rows(all, &n);
        f = sample_table_facets(all, rows[1].facets);
        ck_assert_int_eq(memcmp(&together, &f, sizeof(f)), 0);
        sample_facets_need(FACET_SOURCE | FACET_STAGE, &needs);
        ck_assert_uint_eq(needs.fields, PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT);
        f = (SampleFacets) {};
        sample_facets_take(&f, FACET_SOURCE, &(Moment) { .sample = &(PerfSample) {} });
        ck_assert_uint_eq(f.source & PERF_MEM_S(LVL, NA), PERF_MEM_S(LVL, NA)); /* as in perf */
}
END_TEST

START_TEST(weights_for_periods) {
        _cleanup_sample_table_free_ SampleTable *t = table_of(false, SAMPLE_PERIOD_IS_WEIGHT, 0);
        size_t n;

        ck_assert_uint_eq(sample_table_events(t, &n)[0].period, 7 + 250 + 7 + 7);
        ck_assert_uint_eq(sample_table_rows(t, &n)[0].period, 14);
}
END_TEST

START_TEST(each_branch) {
        _cleanup_sample_table_free_ SampleTable *plain = table_of(true, SAMPLE_EACH_BRANCH, 0),
                                    *all = table_of(true, SAMPLE_EACH_BRANCH, UINT32_MAX);
        const CodePlaces *places = sample_table_places(all);
        const SampleRow *rows;
        SampleFacets f;
        size_t n;

        ck_assert_uint_eq(sample_table_events(plain, &n)[0].samples, 6);
        ck_assert_uint_eq(sample_table_events(plain, &n)[0].period, 6);
        rows = sample_table_rows(plain, &n);
        ck_assert_uint_eq(n, 4); /* places that they led to */
        ck_assert_uint_eq(rows[0].count, 2);
        rows = sample_table_rows(all, &n);
        ck_assert_uint_eq(n, 5);
        ck_assert_uint_eq(places->places[rows[0].leaf].address, 0x1000);
        f = sample_table_facets(all, rows[0].facets);
        ck_assert_uint_eq(f.cycles, 12);
        ck_assert_uint_eq(f.flags, BRANCH_PREDICTED);
        ck_assert_uint_eq(places->places[f.from_place].address, 0x3004);
        f = sample_table_facets(all, rows[1].facets);
        ck_assert_uint_eq(f.flags, BRANCH_MISPREDICTED | BRANCH_IN_TRANSACTION);
        f = sample_table_facets(all, rows[2].facets);
        ck_assert_int_eq(places->places[f.from_place].level, 'H'); /* mapped nowhere */
}
END_TEST

TEST_RUN("sample-facets", only_what_is_wanted, each_by_itself, weights_for_periods, each_branch);
