/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The counts of a ring's records, which are needed anyway, show whether any record may be wrong; only then are they
 * copied and walked again. */

#include "record-repair.h"

#include "record-overlong.h"
#include "record-trailer.h"

RecordRepair record_repair_of(const EventSet *set) {
        RecordRepair x = { .unmarks = true };

        for (size_t i = 0; i < set->n_members; i++) {
                const struct perf_event_attr *attr = &set->members[i].attr;

                if (attr->build_id)
                        x.unmarks = false;
                if (x.trailer_size == 0 && (attr->ksymbol || attr->bpf_event || attr->text_poke))
                        x.trailer_size = record_trailer_size(attr->sample_type);
        }
        return x;
}

bool record_repair_is_due(const RecordRepair *x, const RecordCounts *counts) {
        return (counts->build_ids > 0 && x->unmarks) || counts->symbols > 0;
}

static void record_repair_unmark(void *records, size_t size) {
        for (size_t at = 0; size - at >= sizeof(struct perf_event_header);) {
                struct perf_event_header *h = (void *) ((uint8_t *) records + at);

                if (h->size < sizeof(*h) || h->size > size - at)
                        return;
                if (h->type == PERF_RECORD_MMAP2)
                        h->misc &= (uint16_t) ~PERF_RECORD_MISC_MMAP_BUILD_ID;
                at += h->size;
        }
}

void record_repair(const RecordRepair *x, void *records, size_t size) {
        if (x->unmarks)
                record_repair_unmark(records, size);
        record_mend_trailers(records, size, x->trailer_size);
}

int record_repair_segments(const RecordRepair *x, const RecordCounts *counts, struct iovec *segments, unsigned *n, void **copy) {
        size_t size = 0;
        uint8_t *to;

        if (!record_repair_is_due(x, counts))
                return 0;
        for (unsigned i = 0; i < *n; i++)
                size += segments[i].iov_len;
        *copy = to = malloc(size);
        if (!to)
                return -ENOMEM;
        for (unsigned i = 0; i < *n; i++)
                to = mempcpy(to, segments[i].iov_base, segments[i].iov_len);
        record_repair(x, *copy, size);
        segments[0] = (struct iovec) { .iov_base = *copy, .iov_len = size };
        *n = 1;
        return 0;
}
