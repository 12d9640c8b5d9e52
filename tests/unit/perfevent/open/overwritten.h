/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <check.h>
#include "record-counts.h"
#include "ring-copy.h"

/* Counts the new records of an overwrite ring since the last call, and moves its position. */
static inline void count_overwritten(Ring *ring, RecordCounts *counts) {
        RingCopy copy = { .memory = malloc(ring->size) };

        ck_assert_ptr_nonnull(copy.memory);
        ring_copy_running(ring, ring_copy_mark(ring), ring->position, 0, &copy);
        record_counts_add_segments(counts, &(struct iovec) { .iov_base = copy.memory, .iov_len = copy.intact }, 1);
        ring->position = copy.head;
        free(copy.memory);
}
