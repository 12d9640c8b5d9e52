/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/perf_event.h>
#include "cleanup.h"

/* Kernels (5.1 to 6.18 at least) write KSYMBOL, BPF_EVENT and TEXT_POKE records that are longer than their content if
 * they go to several events of the machine, of any recorder: perf_event_bpf_output() and its like add the trailer's
 * size to the record's for each event, and do not restore it as those of other records do. The bytes after the trailer
 * are old content of the ring, and readers, which look for time and id from the end, reject the whole file. */

static inline bool record_may_be_overlong(const struct perf_event_header *record) {
        return record->type == PERF_RECORD_KSYMBOL || record->type == PERF_RECORD_BPF_EVENT ||
               record->type == PERF_RECORD_TEXT_POKE;
}

/* Returns the size that the record should have, with trailers of that size (record_trailer_size()); its own if that is
 * right, or if the record is broken. */
uint16_t record_true_size(const struct perf_event_header *record, size_t trailer_size);

/* Moves the trailers of overlong records to their ends, where readers look for them, and fills the gaps with zeros. The memory
 * must be aligned to 8. Stops at bytes that are no record. */
void record_mend_trailers(void *records, size_t size, size_t trailer_size);
