/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/perf_event.h>
#include <sys/uio.h>

/* Answers 0, or an error, which ends the walk. The record is whole, and valid until it returns. */
typedef int (*RecordVisitor)(void *userdata, const struct perf_event_header *record);

/* Visits records that follow each other in memory, one perhaps from the end of a segment to the begin of the next one, as a
 * ring has them. 0, what the visitor answered, -EBADMSG (what is there is no record; those before it were visited). */
int record_segments_each(const struct iovec *segments, size_t n_segments, RecordVisitor visit, void *userdata);
