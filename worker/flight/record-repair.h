/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-set.h"
#include "record-counts.h"

/* Mends two mistakes that kernels make in records, in copies of them: the ring's own memory is the kernel's to write.
 *
 * As soon as any event of the machine asks for build ids in records of maps, the kernel marks the MMAP2 records of all
 * events as those with a build id (Linux 5.12 to 6.18 at least: perf_event_mmap_output() restores the record's size
 * after each event, but not its misc), and readers take device and inode for a build id. Also, some records are too
 * long (record-overlong.h). */
typedef struct RecordRepair {
        bool unmarks;        /* no event of the set asked for build ids */
        size_t trailer_size; /* of the records that may be too long; 0: there are none */
} RecordRepair;

RecordRepair record_repair_of(const EventSet *set);

/* True if records with these counts may need a repair, which is rare. */
bool record_repair_is_due(const RecordRepair *x, const RecordCounts *counts);

/* Mends whole records; records is aligned to 8. */
void record_repair(const RecordRepair *x, void *records, size_t size);

/* Replaces the n segments by one mended copy, if a repair is due. *copy is the caller's to free. -ENOMEM: they stay. */
int record_repair_segments(const RecordRepair *x, const RecordCounts *counts, struct iovec *segments, unsigned *n, void **copy);
