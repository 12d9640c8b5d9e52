/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* From rings to file. One round reads every ring once and writes what it found with few large writes, straight out of
 * the rings' memory. A FINISHED_ROUND record ends it: after that no older records come, so readers can sort round by
 * round (perf.data-file-format.txt). Samples are counted by walking the records' headers. A LOST record has the number of
 * all records that found no room in the ring, also of those about tasks and maps; the events' own counts tell these
 * apart. Records that the output dropped for lack of space are consumed all the same, since the kernel must find room.
 *
 * Overwrite rings are not read this way: they are copied while they run (snapshot.c), and the copy is written. */

#include "drain.h"

#include "event-reading.h"
#include "record-counts.h"
#include "record.h"
#include "record-repair.h"

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
        void *copies[BATCH_RINGS]; /* repaired records of each ring, or NULL */
        size_t first, n_rings;
        OutputCounts counts;
        uint64_t lost; /* of any kind */
} Batch;

static void batch_done(Batch *b) {
        for (size_t i = 0; i < b->n_rings; i++)
                free(b->copies[i]);
}

static void batch_add(Batch *b, const RecordRepair *repair, Ring *ring) {
        struct iovec segments[2];
        RecordCounts counts = {};
        unsigned n = 0;
        size_t bytes = ring->overwrite || ring->sideband ? 0 : ring_read_begin(ring, segments, &n);

        b->bytes[b->n_rings++] = bytes;
        if (bytes == 0)
                return;
        record_counts_add_segments(&counts, segments, n);
        /* Without memory for a copy the records are written as the kernel made them. */
        (void) record_repair_segments(repair, &counts, segments, &n, &b->copies[b->n_rings - 1]);
        b->counts.samples += counts.samples;
        b->counts.lost += counts.lost_samples;
        b->lost += counts.lost - counts.lost_samples;
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

int drain_rings(EventSet *set, Output *output, uint64_t *lost) {
        const RecordRepair repair = record_repair_of(set);
        bool any = false;

        for (size_t i = 0; i < set->n_rings;) {
                _cleanup_(batch_done) Batch b = { .first = i };
                int r;

                for (; i < set->n_rings && b.n_rings < BATCH_RINGS; i++)
                        batch_add(&b, &repair, &set->rings[i]);
                any = any || b.n_segments > 0;
                if (i == set->n_rings && any)
                        b.segments[b.n_segments++] = round_end();
                *lost += b.lost;
                r = batch_write(&b, set, output);
                if (r < 0)
                        return r;
        }
        return 0;
}

typedef struct Pieces {
        Output *output;
        uint64_t *lost;
} Pieces;

static int drain_append_piece(void *userdata, const struct iovec *records) {
        const Pieces *p = userdata;
        const struct iovec segments[] = { *records, round_end() };
        RecordCounts counts = {};

        record_counts_add_segments(&counts, records, 1);
        *p->lost += counts.lost - counts.lost_samples;
        return output_append(p->output, segments, ELEMENTSOF(segments),
                             &(OutputCounts) { counts.samples, counts.lost_samples, counts.throttled }, NULL);
}

int drain_overwrite_rings(const FlightSamples *samples, Output *output, uint64_t *lost) {
        static const FlightWish fresh = { .content = DUMP_CONTENT_AUTOMATIC, .automatic = true };
        Pieces pieces = { output, lost };
        FlightTaken taken = {};
        int r = samples->take(samples->userdata, &fresh, &taken);

        if (r < 0)
                return r;
        flight_taken_done(&taken);
        samples->about_to_name(samples->userdata, ""); /* no successor looks for the file */
        r = samples->each(samples->userdata, drain_append_piece, &pieces);
        samples->settle(samples->userdata, true);
        return r;
}

int drain_read_lost(const EventSet *set, Output *output, DrainLost *ret) {
        RecordBuffer b = {};
        DrainLost sum = {};
        int r = 0;

        for (size_t i = 0; i < set->n_events && r >= 0; i++) {
                const Event *e = &set->events[i];
                const struct perf_event_attr *attr = &set->members[e->member].attr;
                uint64_t lost = 0;
                EventReading reading;

                if ((attr->read_format & PERF_FORMAT_LOST) && event_read(e, attr->read_format, &reading) >= 0)
                        lost = reading.lost;
                *(attr_is_dummy(attr) ? &sum.records : &sum.samples) += lost;
                if (lost > 0 && output)
                        r = record_put_lost_samples(&b, lost, &(RecordTrailer) { .sample_type = attr->sample_type, .id = e->id });
        }
        if (r >= 0 && b.size > 0) {
                struct iovec segment = record_buffer_iovec(&b);

                r = output_append(output, &segment, 1, &(OutputCounts) {}, NULL);
        }
        record_buffer_done(&b);
        if (r >= 0)
                *ret = sum;
        return r;
}
