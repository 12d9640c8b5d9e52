/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"
#include "format.h"

/* The records of a recording one after the other, compressed ones in their place as what is in them. They may lie at any
 * address; what is answered is aligned. Payloads that follow a record uncounted (tracing data, AUX areas) are passed over. */
typedef struct RecordWalk RecordWalk;

/* Over memory, which stays the caller's and is needed until the end. -ENOMEM. */
int record_walk_new(const void *data, size_t size, RecordWalk **ret);
RecordWalk *record_walk_free(RecordWalk *w);
DEFINE_CLEANUP(RecordWalk *, record_walk_free);

/* 1: *ret is a whole record, valid until the next call; 0: the end. -EBADMSG: what is there is no record, does not fit, or
 * can't be decompressed; -ENOMEM. */
int record_walk_next(RecordWalk *w, const struct perf_event_header **ret);

/* How far into the data it is: behind the record that was answered last, or the compressed one that this was in. */
uint64_t record_walk_position(const RecordWalk *w);

void record_walk_rewind(RecordWalk *w);

/* Bytes from this record to the one behind it, payload included; 0: it is none, or is more than size bytes. */
uint64_t record_walk_span(const void *record, uint64_t size);
