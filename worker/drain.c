/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* From rings to file. One round reads every ring once and writes what was found with few large writes, straight out of
 * the rings' memory; a FINISHED_ROUND behind it tells readers that everything older has been seen, so that they can sort
 * round by round (perf.data-file-format.txt). Samples are counted by walking the records' headers. What the output
 * dropped for lack of space is consumed all the same: the kernel must find room. */

#include "drain.h"

#include "event-reading.h"
#include "record-overlong.h"
#include "record.h"

#define BATCH_RINGS 64u /* rings of one write */

static const struct perf_event_header finished_round = {
        .type = PERF_RECORD_FINISHED_ROUND,
        .size = sizeof(struct perf_event_header),
};

static struct iovec round_end(void) {
        return (struct iovec) { .iov_base = (void *) &finished_round, .iov_len = sizeof(finished_round) };
}

typedef struct Batch {
        struct iovec segments[2 * BATCH_RINGS + 1];
        unsigned n_segments;
        size_t bytes[BATCH_RINGS]; /* of each ring, to consume */
        void *copies[BATCH_RINGS];   /* what was repaired of it, or NULL */
        size_t first, n_rings;
        OutputCounts counts;
} Batch;

static void batch_done(Batch *b) {
        for (size_t i = 0; i < b->n_rings; i++)
                free(b->copies[i]);
}

static bool asks_for_build_ids(const EventSet *set) {
        for (size_t i = 0; i < set->n_members; i++)
                if (set->members[i].attr.build_id)
                        return true;
        return false;
}

static void copy_segments(const struct iovec *segments, unsigned n, uint8_t *to) {
        for (unsigned i = 0; i < n; i++)
                to = mempcpy(to, segments[i].iov_base, segments[i].iov_len);
}

/* Of the event that tells of the kernel's symbols and programs. */
static size_t trailer_size(const EventSet *set) {
        for (size_t i = 0; i < set->n_members; i++) {
                const struct perf_event_attr *attr = &set->members[i].attr;

                if (attr->ksymbol || attr->bpf_event || attr->text_poke)
                        return attr->sample_id_all ? record_trailer_size(attr->sample_type) : 0;
        }
        return 0;
}

/* Replaces the segments by a copy if the kernel made mistakes, which is rare: marks of build ids that nobody asked for,
 * records of kernel symbols that are too long. *copy is the caller's to free. */
static void repair(const EventSet *set, const RingCounts *counts, size_t bytes, struct iovec *segments, unsigned *n, void **copy) {
        bool marked = counts->build_ids > 0 && !asks_for_build_ids(set);

        if (!marked && counts->symbols == 0)
                return;
        *copy = malloc(bytes);
        if (!*copy) /* then it is as wrong as any other recorder's */
                return;
        if (marked)
                ring_copy_unmarked(segments, *n, *copy);
        else
                copy_segments(segments, *n, *copy);
        record_mend_trailers(*copy, bytes, trailer_size(set));
        segments[0] = (struct iovec) { .iov_base = *copy, .iov_len = bytes };
        *n = 1;
}

static void batch_add(Batch *b, const EventSet *set, Ring *ring) {
        struct iovec segments[2];
        RingCounts counts = {};
        unsigned n = 0;
        size_t bytes = ring->overwrite || ring->sideband ? 0 : ring_read_begin(ring, segments, &n);

        b->bytes[b->n_rings++] = bytes;
        if (bytes == 0)
                return;
        ring_counts_add(&counts, segments, n);
        repair(set, &counts, bytes, segments, &n, &b->copies[b->n_rings - 1]);
        b->counts.samples += counts.samples;
        b->counts.lost += counts.lost;
        b->counts.throttled += counts.throttled;
        memcpy(b->segments + b->n_segments, segments, n * sizeof(struct iovec));
        b->n_segments += n;
}

static int batch_write(const Batch *b, EventSet *set, Output *output) {
        int r;

        if (b->n_segments == 0)
                return 0;
        r = output_append(output, b->segments, b->n_segments, &b->counts, NULL);
        if (r < 0)
                return r;
        for (size_t i = 0; i < b->n_rings; i++)
                if (b->bytes[i] > 0)
                        ring_consume(&set->rings[b->first + i], b->bytes[i]);
        output_keep_up(output); /* only now: the kernel has room again */
        return 0;
}

int drain_rings(EventSet *set, Output *output) {
        bool any = false;

        for (size_t i = 0; i < set->n_rings;) {
                _cleanup_(batch_done) Batch b = { .first = i };
                int r;

                for (; i < set->n_rings && b.n_rings < BATCH_RINGS; i++)
                        batch_add(&b, set, &set->rings[i]);
                any = any || b.n_segments > 0;
                if (i == set->n_rings && any)
                        b.segments[b.n_segments++] = round_end();
                r = batch_write(&b, set, output);
                if (r < 0)
                        return r;
        }
        return 0;
}

static int drain_overwrite_ring(EventSet *set, size_t i, Output *output) {
        _cleanup_free_ void *copy = NULL;
        struct iovec segments[3];
        RingCounts counts = {};
        unsigned n = 0;
        size_t bytes;
        int r = event_set_pause(set, i, true), resumed;

        if (r < 0)
                return r;
        bytes = ring_snapshot(&set->rings[i], true, segments, &n);
        if (bytes > 0) {
                ring_counts_add(&counts, segments, n);
                repair(set, &counts, bytes, segments, &n, &copy);
                segments[n++] = round_end();
                r = output_append(output, segments, n, &(OutputCounts) { counts.samples, counts.lost, counts.throttled }, NULL);
        }
        resumed = event_set_pause(set, i, false);
        return r < 0 ? r : resumed;
}

int drain_overwrite_rings(EventSet *set, Output *output) {
        int r = 0;

        for (size_t i = 0; i < set->n_rings && r >= 0; i++)
                if (set->rings[i].overwrite)
                        r = drain_overwrite_ring(set, i, output);
        return r;
}

static uint64_t read_lost(const Event *e, uint64_t format) {
        EventReading reading;

        return (format & PERF_FORMAT_LOST) && event_read(e, format, &reading) >= 0 ? reading.lost : 0;
}

int drain_lost_samples(const EventSet *set, Output *output, uint64_t *ret_lost) {
        RecordBuffer b = {};
        uint64_t sum = 0;
        int r = 0;

        for (size_t i = 0; i < set->n_events && r >= 0; i++) {
                const Event *e = &set->events[i];
                const struct perf_event_attr *attr = &set->members[e->member].attr;
                uint64_t lost = read_lost(e, attr->read_format);

                if (lost == 0)
                        continue;
                sum += lost;
                r = record_put_lost_samples(&b, lost,
                                            &(RecordTrailer) {
                                                    .sample_type = attr->sample_id_all ? attr->sample_type : 0,
                                                    .id = e->id,
                                            });
        }
        if (r >= 0 && b.size > 0) {
                struct iovec segment = record_buffer_iovec(&b);

                r = output_append(output, &segment, 1, &(OutputCounts) {}, NULL);
        }
        record_buffer_done(&b);
        if (r >= 0)
                *ret_lost = sum;
        return r;
}
