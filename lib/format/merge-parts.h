/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "feature.h"
#include "merge.h"
#include "record.h"

/* The parts of merge.c. */

/* The events of all recordings. It owns names and ids; zero-initialise. */
typedef struct MergedEvents {
        PerfDataEvent *events;
        size_t n;
        bool same; /* as the first recording's, so that features that number events stay right */
} MergedEvents;

/* -EOPNOTSUPP, -ENOMEM. */
int merged_events_init(MergedEvents *m, PerfDataReader *const *readers, size_t n, Diagnosis *d);
void merged_events_done(MergedEvents *m);

/* Makes the features of the merged file: those of the first recording that has them, except those that are merged of
 * all. -ENOMEM. */
int merge_features(PerfDataReader *const *readers, size_t n, const MergedEvents *events, uint64_t first, uint64_t last,
                   FeatureTable **ret);
