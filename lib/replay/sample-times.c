/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Streams, files without their end, and files of perf record --no-buildid have no times in their header, or only zeros. */

#include "sample-times.h"

#include "feature-cursor.h"
#include "sample.h"

static bool read_feature(const PerfDataReader *reader, uint64_t *ret_first, uint64_t *ret_last) {
        uint64_t first, last;
        FeatureCursor c;

        if (feature_cursor_init(&c, reader, PERF_FEATURE_SAMPLE_TIME) < 0 || !feature_cursor_u64(&c, &first) ||
            !feature_cursor_u64(&c, &last) || first == 0 || last < first)
                return false;
        *ret_first = first;
        *ret_last = last;
        return true;
}

int sample_times_find(PerfDataReader *reader, uint64_t *ret_first, uint64_t *ret_last) {
        const struct perf_event_header *record;
        uint64_t first = UINT64_MAX, last = 0;
        size_t cursor = 0;
        int r;

        if (read_feature(reader, ret_first, ret_last))
                return 0;
        while ((r = perf_data_reader_next(reader, &cursor, &record)) == 1) {
                const PerfDataEvent *e = record->type == PERF_RECORD_SAMPLE ? perf_data_reader_event_of(reader, record) : NULL;
                PerfSample s;

                if (!e || !(e->attr.sample_type & PERF_SAMPLE_TIME) || sample_parse(&e->attr, record, &s) < 0)
                        continue;
                first = MIN_OF(first, s.time);
                last = MAX_OF(last, s.time);
        }
        if (r == -ENOMEM)
                return r;
        if (first > last)
                return -ENODATA;
        *ret_first = first;
        *ret_last = last;
        return 0;
}
