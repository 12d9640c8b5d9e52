/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* "count-records FILE [PID]" prints the contents of a perf.data file: samples, lost samples, samples of the process
 * PID. tests/bench/record uses it instead of the recorders' own sums. Lost samples are reported twice, as the ring's
 * LOST records and, by newer kernels and recorders, as the event's LOST_SAMPLES: the larger count is printed. */

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include "parse-number.h"
#include "reader.h"
#include "sample.h"

typedef struct Sums {
        uint64_t samples, lost, lost_samples, own;
} Sums;

static uint64_t u64_at(const struct perf_event_header *record, size_t offset) {
        uint64_t v = 0;

        if (record->size >= offset + sizeof(v))
                memcpy(&v, (const uint8_t *) record + offset, sizeof(v));
        return v;
}

static bool is_of(const PerfDataReader *reader, const struct perf_event_header *record, uint32_t pid) {
        const PerfDataEvent *event = perf_data_reader_event_of(reader, record);
        PerfSample sample;

        return event && sample_parse(&event->attr, record, &sample) >= 0 && sample.pid == pid;
}

static void add(Sums *s, const PerfDataReader *reader, const struct perf_event_header *record, uint32_t pid) {
        switch (record->type) {
        case PERF_RECORD_SAMPLE:
                s->samples++;
                s->own += pid > 0 && is_of(reader, record, pid);
                break;
        case PERF_RECORD_LOST: /* header, id, lost */
                s->lost += u64_at(record, 16);
                break;
        case PERF_RECORD_LOST_SAMPLES: /* header, lost */
                s->lost_samples += u64_at(record, 8);
                break;
        default:
                break;
        }
}

int main(int argc, char **argv) {
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        const struct perf_event_header *record;
        Sums s = {};
        uint64_t pid = 0;
        size_t cursor = 0;
        int r;

        if (argc < 2 || argc > 3 || (argc == 3 && parse_uint64(argv[2], &pid) < 0)) {
                (void) fprintf(stderr, "usage: count-records FILE [PID]\n");
                return 2;
        }
        r = perf_data_reader_new(AT_FDCWD, argv[1], &reader);
        while (r >= 0 && (r = perf_data_reader_next(reader, &cursor, &record)) > 0)
                add(&s, reader, record, (uint32_t) pid);
        if (r < 0) {
                (void) fprintf(stderr, "%s: %s\n", argv[1], strerror(-r));
                return 1;
        }
        (void) printf("%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", s.samples, MAX_OF(s.lost, s.lost_samples), s.own);
        return 0;
}
