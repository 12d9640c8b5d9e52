/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "count-layout.h"

/* Counts as records of a perf.data file, as perf stat record writes it and perf stat report reads it.
 *
 *   count_records_events()       the events, for the file's header and for its features (perf_data_writer_new(),
 *                                feature_table_add_events())
 *   count_records_put_layout()   the first records: units of events, threads, CPUs, and how counts are shown
 *   count_records_put_round()    all counts, and the time up to which they count, as often as one likes
 *
 * The file needs the feature PERF_FEATURE_STAT, an empty block, by which readers know it. With an interval, each round is shown as
 * one, with what came since the previous round, and no round is final. Without one there is a single round, which is final. */

/* Returns the events with their ids as a new block, which free(3) frees; names and groups are borrowed of the layout. ids are
 * numbers of this recording, one for each event: nobody has to ask the kernel for its own. -ENOMEM. */
int count_records_events(const CountLayout *l, PerfDataEvent **ret);

/* names: put the events' names, too, which a file has in its features. -ENOMEM, the error of the buffer's drain; -E2BIG: a record
 * cannot hold so many threads (2,729). */
int count_records_put_layout(RecordBuffer *b, const CountLayout *l, const CountConfig *config, bool names);

/* Puts all counts, which are those since the beginning, by their place in the layout, and the round that ends at this time, in ns
 * from the beginning. Events that are not supported have no record, nor has an event on CPUs that it is not counted on. Errors are
 * -ENOMEM and those of the buffer's drain. */
int count_records_put_round(RecordBuffer *b, const CountLayout *l, const Count *counts, bool final, uint64_t time);
