/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"
#include "reader.h"

/* Merges several recordings of one machine and boot, such as a session's dumps: events of the same attribute and name
 * become one with the ids of all, records that are in two recordings are put once, and the records that a recording
 * begins with (processes and their maps) get the time at which it begins, so that earlier samples keep the earlier
 * mappings. */
typedef struct MergeTotals {
        uint64_t samples;
        uint64_t duplicates; /* samples that were in more than one */
        uint64_t first, last; /* times of the samples by the wall clock, in ns, if there is a window; 0: there is no sample */
} MergeTotals;

/* Chooses samples of a window by the wall clock, both ends included, in ns since the epoch. A recording's own clock is
 * related to it by its oldest sample, whose time by the wall clock is in first, for each reader; if that is 0, by its
 * header (CLOCK_DATA). */
typedef struct MergeWindow {
        uint64_t since, until; /* 0, UINT64_MAX: no limit */
        const uint64_t *first;
} MergeWindow;

/* Writes the file path beside dir_fd, as perf_data_writer_new() does: whole or not at all. The readers may be in any
 * order; they are walked. What is missing in those that are cut (perf_data_reader_is_cut()) is missing in the file.
 * window, ret and d may be NULL. -EINVAL: there is no reader; -EOPNOTSUPP (d says why): they can't be in one file;
 * -EBADMSG: d names the first broken one by its number, from 1; -ENODATA: no sample lies in the window, and the times in
 * ret are those of all samples, 0 if there is none; -ENOMEM, and the errors of writing. */
int perf_data_merge(PerfDataReader *const *readers, size_t n, const MergeWindow *window, int dir_fd, const char *path,
                    MergeTotals *ret, Diagnosis *d);
