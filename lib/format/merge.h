/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"
#include "reader.h"

/* Several recordings of one machine and boot, such as a session's dumps, into one that holds what all of them do: events of
 * the same attribute and name become one with the ids of all, what is in two of them is there once, and what a recording
 * begins with (processes and their maps) counts from its own time on, so that what was mapped elsewhere before stays true of
 * samples from before. */
typedef struct MergeTotals {
        uint64_t samples;
        uint64_t duplicates; /* samples that more than one had */
        uint64_t first, last; /* times of them by the wall clock, in ns, where there is a window; 0: there is none */
} MergeTotals;

/* Only samples of a time by the wall clock, both ends included, in ns since the epoch. A recording's own clock is related to
 * that by its oldest sample, whose time by the wall clock first has for each reader; where that is 0, by what its header
 * says (CLOCK_DATA). */
typedef struct MergeWindow {
        uint64_t since, until; /* 0, UINT64_MAX: no limit */
        const uint64_t *first;
} MergeWindow;

/* Writes the file path beside dir_fd, as perf_data_writer_new() does: whole or not at all. In any order; the readers are
 * walked. window, *ret and d may be NULL. -EINVAL: none at all; -EOPNOTSUPP (d says why): they can't be in one file; -EBADMSG: d
 * names the first that is broken by its number, from 1; -ENOMEM, what writing answers. */
int perf_data_merge(PerfDataReader *const *readers, size_t n, const MergeWindow *window, int dir_fd, const char *path,
                    MergeTotals *ret, Diagnosis *d);
