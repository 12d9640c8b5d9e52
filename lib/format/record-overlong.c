/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The length of a body follows from its contents: a name ends with zeros up to a multiple of 8, text has its lengths
 * before it. */

#include "record-overlong.h"

#include "record-layout.h"

/* Returns 0 if the size is not known. */
static size_t body_size(const struct perf_event_header *record) {
        const PerfRecordKsymbol *symbol = (const void *) record;
        const PerfRecordTextPoke *poke = (const void *) record;

        if (!record_is_whole(record, 0))
                return 0;
        switch (record->type) {
        case PERF_RECORD_KSYMBOL:
                return sizeof(*symbol) + PERF_ALIGN_UP(strlen(symbol->name) + 1, sizeof(uint64_t));
        case PERF_RECORD_BPF_EVENT:
                return sizeof(PerfRecordBpfEvent);
        case PERF_RECORD_TEXT_POKE:
                return PERF_ALIGN_UP(sizeof(*poke) + poke->old_length + poke->new_length, sizeof(uint64_t));
        default:
                return 0;
        }
}

uint16_t record_true_size(const struct perf_event_header *record, size_t trailer_size) {
        size_t body = record_may_be_overlong(record) ? body_size(record) : 0;

        return body > 0 && body + trailer_size < record->size ? (uint16_t) (body + trailer_size) : record->size;
}

static void record_mend_trailer(struct perf_event_header *record, size_t trailer_size) {
        size_t size = record_true_size(record, trailer_size), gap = record->size - size;
        uint8_t *trailer = (uint8_t *) record + size - trailer_size;

        if (gap == 0)
                return;
        memmove(trailer + gap, trailer, trailer_size);
        memset(trailer, 0, gap);
}

void record_mend_trailers(void *records, size_t size, size_t trailer_size) {
        for (size_t at = 0; size - at >= sizeof(struct perf_event_header);) {
                struct perf_event_header *h = (void *) ((uint8_t *) records + at);

                if (h->size < sizeof(*h) || h->size > size - at)
                        return;
                if (record_may_be_overlong(h))
                        record_mend_trailer(h, trailer_size);
                at += h->size;
        }
}
