/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* "dump-gaps EVENT FILE…" reports on the samples of an event in consecutive dumps: the median interval between two on
 * a CPU, the longest one between the last of a dump and the first of the next, both in ms, and the number of samples
 * that are in two dumps. tests/bench/dump uses it with an event whose samples have equal intervals under any load. */

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include "reader.h"
#include "sample.h"

#define CPUS_MAX 1024u
#define NSEC_PER_MSEC 1e6

typedef struct Times {
        uint64_t *at;
        size_t n, allocated;
} Times;

static Times times[CPUS_MAX]; /* of the current dump */
static uint64_t last[CPUS_MAX];
static Times distances, between;
static uint64_t twice;

static void add(Times *t, uint64_t v) {
        if (t->n >= t->allocated) {
                t->allocated = t->allocated > 0 ? t->allocated * 2 : 1024;
                t->at = reallocarray(t->at, t->allocated, sizeof(*t->at));
                if (!t->at)
                        exit(1);
        }
        t->at[t->n++] = v;
}

static int compare(const void *a, const void *b) {
        const uint64_t *x = a, *y = b;

        return *x < *y ? -1 : *x > *y;
}

static void sort(Times *t) {
        if (t->n > 0)
                qsort(t->at, t->n, sizeof(*t->at), compare);
}

static void end_dump(void) {
        for (size_t cpu = 0; cpu < CPUS_MAX; cpu++) {
                Times *t = &times[cpu];

                if (t->n == 0)
                        continue;
                sort(t);
                for (size_t i = 1; i < t->n; i++)
                        add(&distances, t->at[i] - t->at[i - 1]);
                for (size_t i = 0; i < t->n && t->at[i] <= last[cpu]; i++)
                        twice++;
                if (last[cpu] > 0 && t->at[0] > last[cpu])
                        add(&between, t->at[0] - last[cpu]);
                last[cpu] = t->at[t->n - 1];
                t->n = 0;
        }
}

static int read_dump(const char *path, const char *event) {
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        const struct perf_event_header *record;
        size_t cursor = 0;
        int r = perf_data_reader_new(AT_FDCWD, path, &reader);

        while (r >= 0 && (r = perf_data_reader_next(reader, &cursor, &record)) > 0) {
                const PerfDataEvent *e = record->type == PERF_RECORD_SAMPLE ? perf_data_reader_event_of(reader, record) : NULL;
                PerfSample sample;

                if (e && streq_ptr(e->name, event) && sample_parse(&e->attr, record, &sample) >= 0 && sample.cpu < CPUS_MAX)
                        add(&times[sample.cpu], sample.time);
        }
        end_dump();
        return r;
}

int main(int argc, char **argv) {
        if (argc < 3) {
                (void) fprintf(stderr, "usage: dump-gaps EVENT FILE...\n");
                return 2;
        }
        for (int i = 2; i < argc; i++) {
                int r = read_dump(argv[i], argv[1]);

                if (r < 0) {
                        (void) fprintf(stderr, "%s: %s\n", argv[i], strerror(-r));
                        return 1;
                }
        }
        sort(&distances);
        sort(&between);
        (void) printf("%.3f %.3f %" PRIu64 "\n", distances.n > 0 ? (double) distances.at[distances.n / 2] / NSEC_PER_MSEC : 0,
                      between.n > 0 ? (double) between.at[between.n - 1] / NSEC_PER_MSEC : 0, twice);
        return 0;
}
