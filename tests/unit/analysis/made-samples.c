/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "made-samples.h"

#include "array.h"

void made_sample(RecordBuffer *b, uint32_t pid, uint32_t tid, uint64_t time, uint64_t period, const uint64_t *chain, size_t n) {
        struct perf_event_header *h;
        size_t start = b->size;

        byte_buffer_put(b, &(struct perf_event_header) { .type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_USER }, sizeof(*h));
        byte_buffer_put_u64(b, 11);
        byte_buffer_put_u64(b, chain[0]);
        byte_buffer_put_u32(b, pid);
        byte_buffer_put_u32(b, tid);
        byte_buffer_put_u64(b, time);
        byte_buffer_put_u64(b, 0); /* cpu */
        byte_buffer_put_u64(b, period);
        byte_buffer_put_u64(b, n + 1);
        byte_buffer_put_u64(b, PERF_CONTEXT_USER);
        for (size_t i = 0; i < n; i++)
                byte_buffer_put_u64(b, chain[i]);
        ck_assert_int_eq(b->error, 0);
        h = (struct perf_event_header *) (b->data + start);
        h->size = (uint16_t) (b->size - start);
}

SampleTable *made_planned_table(const RecordBuffer *b, const SampleSelection *selection, const SampleTablePlan *plan) {
        _cleanup_free_ char *path = test_path("samples.data");
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = test_recording(path, b, NULL, 0);
        SampleTable *t = NULL;

        ck_assert_ok(sample_table_new(plan, &t));
        ck_assert_ok(sample_table_read(t, reader, &(SampleReading) { .selection = selection }));
        return t;
}

SampleTable *made_table(const RecordBuffer *b, const SampleSelection *selection, unsigned dimensions) {
        return made_planned_table(b, selection, &(SampleTablePlan) { .dimensions = dimensions });
}

void made_name_code(PlaceNames *names, const CodePlaces *places, uint64_t start, uint64_t size, const char *name) {
        NamedSymbol s = { .start = start, .end = start + size, .name = strdup(name) };

        ck_assert_int_eq(ARRAY_RESERVE(names->symbols, names->symbols_allocated, names->n_symbols + 1), 0);
        for (size_t i = 0; i < places->n; i++)
                if (places->places[i].ip >= s.start && places->places[i].ip < s.end) {
                        s.dso_name = place_names_dso(names, places->places + i);
                        names->symbol_of[i] = (uint32_t) names->n_symbols;
                }
        names->symbols[names->n_symbols++] = s;
}
