/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "place-names.h"
#include "sample-table.h"
#include "sample-timeline.h"

/* An export has samples that were counted and named, and facts about them as a whole. All belongs to the caller.
 * Texts are lines of valid UTF-8. */
typedef struct ExportedSamples {
        SampleTable *table;
        const PlaceNames *names;
        const Timeline *timeline;  /* for formats with an axis of time, its marks sorted; NULL otherwise */
        const char *title;
        const char *loss;          /* what the samples lack; NULL: nothing */
        uint64_t interval;         /* nanoseconds between samples of the first event, for readers that draw them as wide as that */
        const uint64_t *triggers;  /* when the dumps were asked for, in microseconds since the epoch; 0: not known */
        size_t n_triggers;
} ExportedSamples;
