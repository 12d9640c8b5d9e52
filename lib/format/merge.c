/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Recordings are merged one after the other, the one with the oldest sample first. Each is walked twice: for its times, then
 * for its records:
 *
 * - Records without a time, which a recording begins with, are state: those of the first recording stay as they are, those of
 *   the others get the time at which their recording begins, and the id of an event, without which readers ignore times.
 * - Records that were put already are left out: samples and side band of dumps that overlap, compared by all their bytes with
 *   time and id, and descriptions of the kernel.
 * - Counts go on from one recording to the next: see merge-counts.c. Samples and rounds of counts are treated alike here.
 * - FINISHED_ROUND means that no older record follows. Those of the recordings are dropped, and one is put after each recording
 *   that no later one overlaps. */

#include "array.h"
#include "merge-parts.h"
#include "record-set.h"
#include "sample.h"
#include "writer.h"

#define FLUSH_SIZE ((size_t) 1024 * 1024)

typedef struct Source {
        PerfDataReader *reader;
        size_t number;            /* as it was given, from 1 */
        uint64_t begin, end;      /* times of its records */
        uint64_t first, last;     /* of its samples or rounds of counts; last 0: none has one */
        bool counts;              /* it has counts and no samples */
        uint64_t offset;          /* of the wall clock from them, modulo 2^64; where there is a window */
} Source;

typedef struct Merge {
        Source *sources;
        size_t n;
        MergedEvents events;
        TrailerPlaces places; /* of the first event's */
        PerfDataWriter *writer;
        RecordBuffer buffer;
        MergedCounts counts;
        RecordSet seen;
        uint64_t seen_from; /* what is older is in one recording only */
        const MergeWindow *window; /* NULL: none */
        uint64_t first, last; /* of the samples that were put; last 0: none has a time */
        MergeTotals totals;
        Diagnosis *diagnosis;
} Merge;

static void merge_done(Merge *m) {
        free(m->sources);
        merged_events_done(&m->events);
        perf_data_writer_free(m->writer);
        record_buffer_done(&m->buffer);
        merged_counts_done(&m->counts);
        record_set_done(&m->seen);
}

/* 0: none. */
static uint64_t time_of(PerfDataReader *reader, const struct perf_event_header *record) {
        const PerfDataEvent *e = perf_data_reader_event_of(reader, record), *first;
        const uint64_t *word;
        PerfSample s;

        if (record->type == PERF_RECORD_STAT_ROUND && !record_lacks_fields(record))
                return ((const PerfRecordStatRound *) record)->time;
        if (record->type >= PERF_RECORD_USER_TYPE_START)
                return 0;
        if (record->type == PERF_RECORD_SAMPLE)
                return e && sample_parse(&e->attr, record, &s) >= 0 ? s.time : 0;
        if (!e && perf_data_reader_events(reader, &first) > 0) /* nobody's */
                e = first;
        word = e ? record_word_from_end(record, trailer_places_of(&e->attr).time) : NULL;
        return word ? *word : 0;
}

/* The last record of a recording that is cut is not whole. */
static int next_record(PerfDataReader *reader, size_t *cursor, const struct perf_event_header **ret) {
        int r = perf_data_reader_next(reader, cursor, ret);

        return r == -EBADMSG && perf_data_reader_is_cut(reader) ? 0 : r;
}

static int fail(const Merge *m, const Source *s, int r) {
        return r == -EBADMSG ? diagnosis_set(m->diagnosis, r, "Recording %zu is broken", s->number) : r;
}

static int read_times(Merge *m, Source *s) {
        const struct perf_event_header *record;
        size_t cursor = 0;
        int r;

        s->begin = s->first = UINT64_MAX;
        while ((r = next_record(s->reader, &cursor, &record)) > 0) {
                uint64_t time = time_of(s->reader, record);

                if (record->type == PERF_RECORD_AUXTRACE)
                        return diagnosis_set(m->diagnosis, -EOPNOTSUPP, "Recording %zu has a processor's trace", s->number);
                s->counts = s->counts || record->type == PERF_RECORD_STAT_CONFIG;
                if (time == 0)
                        continue;
                s->begin = MIN_OF(s->begin, time);
                s->end = MAX_OF(s->end, time);
                if (record->type != PERF_RECORD_SAMPLE && record->type != PERF_RECORD_STAT_ROUND)
                        continue;
                s->first = MIN_OF(s->first, time);
                s->last = MAX_OF(s->last, time);
        }
        return fail(m, s, r);
}

/* Reads the wall clock's and the samples' time of the same moment, which CLOCK_DATA has after its version and the
 * clock's number. */
static int read_clock_data(PerfDataReader *reader, uint64_t *ret_offset) {
        uint64_t times[2];
        const void *data;
        size_t size;

        if (perf_data_reader_feature(reader, PERF_FEATURE_CLOCK_DATA, &data, &size) < 0 || size < 8 + sizeof(times))
                return -ENODATA;
        memcpy(times, (const uint8_t *) data + 8, sizeof(times));
        *ret_offset = times[0] - times[1];
        return 0;
}

static int find_offset(Merge *m, Source *s) {
        uint64_t first = m->window->first[s->number - 1];

        if (s->last == 0)
                return 0;
        if (first > 0)
                s->offset = first - s->first;
        else if (read_clock_data(s->reader, &s->offset) < 0)
                return diagnosis_set(m->diagnosis, -EOPNOTSUPP, "Recording %zu does not say which time its samples are of",
                                     s->number);
        return 0;
}

static int compare_sources(const void *a, const void *b) {
        const Source *x = a, *y = b;

        if (x->first != y->first)
                return x->first < y->first ? -1 : 1;
        return x->number < y->number ? -1 : x->number > y->number;
}

static int read_all_times(Merge *m) {
        uint64_t end = 0;
        int r = 0;

        for (size_t i = 0; i < m->n && r >= 0; i++) {
                r = read_times(m, &m->sources[i]);
                if (r >= 0 && m->window)
                        r = find_offset(m, &m->sources[i]);
        }
        if (r < 0)
                return r;
        qsort(m->sources, m->n, sizeof(*m->sources), compare_sources);
        m->seen_from = UINT64_MAX;
        for (size_t i = 0; i < m->n; i++) {
                if (m->sources[i].counts != m->sources[0].counts)
                        return diagnosis_set(m->diagnosis, -EOPNOTSUPP, "Samples and counts can't be in one recording");
                if (i > 0 && m->sources[i].begin <= end)
                        m->seen_from = MIN_OF(m->seen_from, m->sources[i].begin);
                end = MAX_OF(end, m->sources[i].end);
        }
        return 0;
}

static int flush(Merge *m) {
        struct iovec segment = record_buffer_iovec(&m->buffer);
        int r = m->buffer.error < 0 ? m->buffer.error : perf_data_writer_append(m->writer, &segment, 1);

        record_buffer_reset(&m->buffer);
        return r;
}

static int put(Merge *m, const struct perf_event_header *record) {
        byte_buffer_put(&m->buffer, record, record->size);
        return m->buffer.size >= FLUSH_SIZE || m->buffer.error < 0 ? flush(m) : 0;
}

/* Returns true for records that only have a meaning in their own file: the frame of a stream, and rounds. */
static bool is_frame(const struct perf_event_header *record) {
        switch (record->type) {
        case PERF_RECORD_HEADER_ATTR:
        case PERF_RECORD_HEADER_EVENT_TYPE:
        case PERF_RECORD_HEADER_TRACING_DATA:
        case PERF_RECORD_HEADER_BUILD_ID:
        case PERF_RECORD_HEADER_FEATURE:
        case PERF_RECORD_FINISHED_ROUND:
                return true;
        default:
                return false;
        }
}

/* Puts a record without a time of its own. Only descriptions of the kernel are left out the second time: a process may
 * have mapped something else in the meantime. */
static int put_state(Merge *m, const Source *s, const struct perf_event_header *record) {
        uint64_t copy[(UINT16_MAX + 1) / sizeof(uint64_t)];
        struct perf_event_header *h = (struct perf_event_header *) copy;
        uint64_t *time, *id;
        bool first = s == m->sources;

        if (record->type >= PERF_RECORD_USER_TYPE_START ||
            (record->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL) {
                int r = record_set_put(&m->seen, record, record->size);

                if (r > 0 && record->type == PERF_RECORD_THREAD_MAP && s->counts && !first)
                        return diagnosis_set(m->diagnosis, -EOPNOTSUPP, "Their counts are of different threads");
                if (r <= 0)
                        return r;
        }
        if (first || record->type >= PERF_RECORD_USER_TYPE_START || s->begin == UINT64_MAX)
                return put(m, record);
        memcpy(copy, record, record->size);
        time = record_word_from_end(h, m->places.time);
        id = record_word_from_end(h, m->places.id);
        if (time)
                *time = s->begin;
        if (time && id && m->events.events[0].n_ids > 0)
                *id = m->events.events[0].ids[0];
        return put(m, h);
}

/* Returns true for records that only concern their own time, while a map is valid for the time after it. */
static bool is_of_moment(const struct perf_event_header *record) {
        return record->type == PERF_RECORD_SAMPLE || record->type == PERF_RECORD_LOST || record->type == PERF_RECORD_THROTTLE ||
               record->type == PERF_RECORD_UNTHROTTLE;
}

static void count_sample(Merge *m, const Source *s, uint64_t time, bool put) {
        m->totals.samples += put;
        m->totals.duplicates += !put;
        m->first = m->last == 0 ? time : MIN_OF(m->first, time);
        m->last = MAX_OF(m->last, time);
        if (!m->window)
                return;
        m->totals.first = m->totals.last == 0 ? time + s->offset : MIN_OF(m->totals.first, time + s->offset);
        m->totals.last = MAX_OF(m->totals.last, time + s->offset);
}

static int put_counts(Merge *m, const Source *s, const struct perf_event_header *record, bool within) {
        const PerfRecordStatRound *round = (const PerfRecordStatRound *) record;
        int r;

        if (record_lacks_fields(record))
                return -EBADMSG;
        if (record->type == PERF_RECORD_STAT)
                return merged_counts_take(&m->counts, (const PerfRecordStat *) record, m->diagnosis);
        r = merged_counts_end_round(&m->counts, round, within, &m->buffer, m->diagnosis);
        if (r >= 0 && within)
                count_sample(m, s, round->time, r > 0);
        return r < 0 || m->buffer.size < FLUSH_SIZE ? r : flush(m);
}

static int put_record(Merge *m, const Source *s, const struct perf_event_header *record) {
        uint64_t time = time_of(s->reader, record), wall = time + s->offset;
        bool sample = record->type == PERF_RECORD_SAMPLE;
        bool within = !m->window || (wall >= m->window->since && wall <= m->window->until);
        int r = 1;

        if (record->type == PERF_RECORD_STAT || record->type == PERF_RECORD_STAT_ROUND)
                return put_counts(m, s, record, within);
        if (is_frame(record) || (is_of_moment(record) && !within))
                return 0;
        if (!sample && time == 0)
                return put_state(m, s, record);
        if (time >= m->seen_from)
                r = record_set_put(&m->seen, record, record->size);
        if (r < 0)
                return r;
        if (sample)
                count_sample(m, s, time, r > 0);
        return r > 0 ? put(m, record) : 0;
}

/* Returns true if all later recordings are newer than the first n. */
static bool is_complete(const Merge *m, size_t n) {
        uint64_t end = 0;

        for (size_t i = 0; i < n; i++)
                end = MAX_OF(end, m->sources[i].end);
        for (size_t i = n; i < m->n; i++)
                if (m->sources[i].begin <= end)
                        return false;
        return true;
}

static int put_all(Merge *m) {
        int r = 0;

        for (size_t i = 0; i < m->n && r >= 0; i++) {
                const struct perf_event_header *record;
                size_t cursor = 0;

                merged_counts_begin(&m->counts);
                while (r >= 0 && (r = next_record(m->sources[i].reader, &cursor, &record)) > 0)
                        r = put_record(m, &m->sources[i], record);
                if (r < 0)
                        return fail(m, &m->sources[i], r);
                if (is_complete(m, i + 1))
                        r = record_put_finished_round(&m->buffer);
        }
        return r < 0 ? r : flush(m);
}

static int prepare(Merge *m, PerfDataReader *const *readers) {
        int r;

        m->sources = calloc(m->n, sizeof(*m->sources));
        if (!m->sources)
                return -ENOMEM;
        for (size_t i = 0; i < m->n; i++)
                m->sources[i] = (Source) { .reader = readers[i], .number = i + 1 };
        r = merged_events_init(&m->events, readers, m->n, m->diagnosis);
        if (r < 0)
                return r;
        m->places = trailer_places_of(&m->events.events[0].attr);
        return read_all_times(m);
}

/* Returns the span of all samples by the wall clock. */
static void find_span(const Merge *m, MergeTotals *ret) {
        uint64_t first = UINT64_MAX, last = 0;

        for (size_t i = 0; i < m->n; i++) {
                const Source *s = &m->sources[i];

                if (s->last == 0)
                        continue;
                first = MIN_OF(first, s->first + s->offset);
                last = MAX_OF(last, s->last + s->offset);
        }
        *ret = (MergeTotals) { .first = last > 0 ? first : 0, .last = last };
}

int perf_data_merge(PerfDataReader *const *readers, size_t n, const MergeWindow *window, int dir_fd, const char *path,
                    MergeTotals *ret, Diagnosis *d) {
        _cleanup_(merge_done) Merge m = { .n = n, .window = window, .diagnosis = d };
        _cleanup_feature_table_free_ FeatureTable *features = NULL;
        int r = n > 0 ? prepare(&m, readers) : -EINVAL;

        if (r >= 0)
                r = perf_data_writer_new(dir_fd, path,
                                         &(PerfDataWriterOptions) { .events = m.events.events, .n_events = m.events.n },
                                         &m.writer);
        if (r >= 0)
                r = put_all(&m);
        if (r >= 0 && window && m.totals.samples == 0) {
                if (ret)
                        find_span(&m, ret);
                return -ENODATA;
        }
        if (r >= 0)
                r = merge_features(readers, m.n, &m.events, m.last > 0 ? m.first : UINT64_MAX, m.last, &features);
        if (r >= 0)
                r = perf_data_writer_finish(m.writer, features, NULL, NULL);
        if (r >= 0 && ret)
                *ret = m.totals;
        return r;
}
