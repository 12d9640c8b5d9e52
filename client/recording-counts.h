/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reader.h"

/* What is in a recording, in figures: one walk over its records. */
typedef struct RecordingCounts {
        uint64_t samples, lost, throttled;
        uint64_t first, last;  /* times of samples, ns of the events' clock; 0: they have none */
        uint64_t *of_event;    /* samples of each of the reader's events */
        size_t n_events;
        int error;             /* -EBADMSG: the data is broken, and these are the figures up to there */
} RecordingCounts;

/* 0 or -ENOMEM. */
int recording_counts_init(RecordingCounts *c, PerfDataReader *reader);
void recording_counts_done(RecordingCounts *c);
