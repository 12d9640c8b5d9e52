/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Any file as a perf.data: the reader's results lie within the file, and reading samples, side band and features does
 * no harm. The same bytes go to functions that work without the reader's checks: notes, segments of a ring. */

#include <string.h>

#include "dso-hits.h"
#include "elf-build-id.h"
#include "fuzz.h"
#include "reader.h"
#include "record-counts.h"
#include "sample.h"
#include "strv.h"

typedef struct Input {
        const uint8_t *data; /* aligned, in a block of exactly size bytes */
        size_t size;
} Input;

static bool within(const Input *in, const void *p, size_t size) {
        const uint8_t *q = p;

        return q >= in->data && q <= in->data + in->size && size <= (size_t) (in->data + in->size - q);
}

static void ask_sample(const Input *in, const PerfDataEvent *e, const struct perf_event_header *record) {
        PerfSample s;
        int r;

        r = record->type == PERF_RECORD_SAMPLE ? sample_parse(&e->attr, record, &s) : sample_parse_trailer(&e->attr, record, &s);
        if (r < 0)
                return;
        FUZZ_ASSERT(s.n_callchain == 0 || within(in, s.callchain, s.n_callchain * sizeof(*s.callchain)));
        FUZZ_ASSERT(s.n_read == 0 || within(in, s.read, s.n_read * sizeof(*s.read)));
        FUZZ_ASSERT(s.n_branches == 0 || within(in, s.branches, s.n_branches * sizeof(*s.branches)));
        FUZZ_ASSERT(s.raw_size == 0 || within(in, s.raw, s.raw_size));
        FUZZ_ASSERT(s.stack_size == 0 || within(in, s.stack, s.stack_size));
        FUZZ_ASSERT(s.n_user_registers == 0 || within(in, s.user_registers, s.n_user_registers * sizeof(uint64_t)));
        FUZZ_ASSERT(s.n_intr_registers == 0 || within(in, s.intr_registers, s.n_intr_registers * sizeof(uint64_t)));
}

static void ask_records(PerfDataReader *r) {
        _cleanup_dso_hits_free_ DsoHits *hits = NULL;
        const struct perf_event_header *record;
        const PerfDataEvent *events, *e;
        const DsoHit *list;
        size_t n, cursor = 0;

        n = perf_data_reader_events(r, &events);
        FUZZ_ASSERT(dso_hits_new(events, n, false, &hits) == 0);
        while (perf_data_reader_next(r, &cursor, &record) == 1) {
                const Input in = { .data = (const uint8_t *) record, .size = record->size };

                FUZZ_ASSERT((uintptr_t) record % sizeof(uint64_t) == 0);
                e = perf_data_reader_event_of(r, record);
                if (e)
                        ask_sample(&in, e, record);
                FUZZ_ASSERT(dso_hits_feed(hits, record, record->size) == 0);
        }
        FUZZ_ASSERT(dso_hits_get(hits, &list, &n) == 0);
        for (size_t i = 0; i < n; i++)
                FUZZ_ASSERT(list[i].id.size <= PERF_BUILD_ID_SIZE);
}

static void ask_features(const Input *in, const PerfDataReader *r) {
        _cleanup_strv_free_ char **words = NULL;
        const PerfDataEvent *events;
        BuildIdEntry entry;
        const void *data;
        const char *s;
        size_t size;

        for (unsigned i = 0; i < 300; i++) {
                if (perf_data_reader_feature(r, i, &data, &size) == 0)
                        FUZZ_ASSERT(within(in, data, size));
                if (perf_data_reader_feature_string(r, i, &s) == 0)
                        FUZZ_ASSERT(within(in, s, strlen(s) + 1));
        }
        for (size_t cursor = 0; perf_data_reader_next_build_id(r, &cursor, &entry) == 1;) {
                FUZZ_ASSERT(within(in, entry.path, strlen(entry.path) + 1));
                FUZZ_ASSERT(entry.id.size <= PERF_BUILD_ID_SIZE);
        }
        (void) perf_data_reader_command_line(r, &words);
        for (size_t i = perf_data_reader_events(r, &events); i > 0; i--)
                FUZZ_ASSERT(!events[i - 1].name || strlen(events[i - 1].name) < in->size);
}

static void walk_unchecked(const Input *in) {
        size_t cut = in->size / 16 * 8;
        struct iovec segments[2] = {
                { .iov_base = (void *) in->data, .iov_len = cut }, { .iov_base = (void *) (in->data + cut), .iov_len = in->size - cut },
        };
        RecordCounts counts = {};
        BuildId id = {};

        record_counts_add_segments(&counts, segments, 2);
        FUZZ_ASSERT(counts.samples <= counts.records && counts.records <= in->size / 8);
        (void) build_id_from_notes(in->data, in->size, &id);
        FUZZ_ASSERT(id.size <= PERF_BUILD_ID_SIZE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_perf_data_reader_free_ PerfDataReader *r = NULL;
        _cleanup_free_ uint8_t *copy = malloc(size > 0 ? size : 1);
        Input in = { .data = copy, .size = size };

        FUZZ_ASSERT(copy);
        if (size > 0)
                memcpy(copy, data, size);
        walk_unchecked(&in);
        if (perf_data_reader_new_memory(copy, size, &r) < 0)
                return 0;
        ask_records(r);
        ask_features(&in, r);
        return 0;
}
