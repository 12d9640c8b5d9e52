/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reader.h"

/* Counts of a recording's records, made in one pass. */
typedef struct RecordingCounts {
        uint64_t samples, lost, throttled;
        uint64_t lost_records; /* of tasks and maps; UINT64_MAX: they are not told from samples, and lost has both */
        uint64_t first, last;  /* times of samples in ns of the events' clock; 0: samples have no time */
        uint64_t *of_event;    /* samples of each of the reader's events */
        size_t n_events;
        bool counting;         /* samples are readings of counts, and of_event has what was counted up to the last one */
        int error;             /* -EBADMSG: the data is broken, and the counts end there */
} RecordingCounts;

/* 0 or -ENOMEM. */
int recording_counts_init(RecordingCounts *c, PerfDataReader *reader);
void recording_counts_done(RecordingCounts *c);
