/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/uio.h>
#include "record-layout.h"

/* Counts of records by kind. Zero-initialise. */
typedef struct RecordCounts {
        uint64_t records;
        uint64_t samples;   /* PERF_RECORD_SAMPLE */
        uint64_t lost;      /* samples and records that LOST and LOST_SAMPLES report as dropped */
        uint64_t lost_samples; /* the part of these that LOST_SAMPLES report: samples only */
        uint64_t throttled; /* PERF_RECORD_THROTTLE */
        uint64_t build_ids; /* PERF_RECORD_MMAP2 that are marked as those with a build id */
        uint64_t symbols;   /* KSYMBOL, BPF_EVENT and TEXT_POKE: few, and kernels write too long ones */
} RecordCounts;

/* Adds one whole record. */
void record_counts_add(RecordCounts *c, const struct perf_event_header *record);
/* Adds the records in memory, up to something that is no record. */
void record_counts_add_segments(RecordCounts *c, const struct iovec *segments, size_t n_segments);
/* Adds what was counted elsewhere. */
void record_counts_merge(RecordCounts *c, const RecordCounts *other);
