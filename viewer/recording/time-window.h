/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "parse-time.h"
#include "recording-input.h"
#include "sample-selection.h"

/* A part of a recording, by the time of day, by its end, or by what triggered it. All that are set apply. */
typedef struct TimeWindow {
        usec_t since, until;    /* since the epoch; 0: no limit */
        usec_t last;            /* a span before the last sample; 0: no limit; so with the next two */
        usec_t before_trigger;
        usec_t around_trigger;  /* as much before as behind it */
        usec_t earlier;         /* only what is that long before the trigger at least; all of a recording without one */
} TimeWindow;

static inline bool time_window_is_set(const TimeWindow *w) {
        return w->since > 0 || w->until > 0 || w->last > 0 || w->before_trigger > 0 || w->around_trigger > 0 ||
               w->earlier > 0;
}

/* Takes a point in time, as "14:03" or "-5min" (parse-timestamp.h), or a time span. option: its name, for the error that is
 * printed. 0, -EINVAL. */
int time_window_take_point(usec_t *ret, const char *option, const char *value);
int time_window_take_span(usec_t *ret, const char *option, const char *value);

/* Finds the span of the recording's clock. 0, or a negative errno after an error was printed. */
int time_window_find(const TimeWindow *w, const RecordingInput *in, SampleSpan *ret);

#define TIME_WINDOW_INCIDENT (10 * USEC_PER_SEC)

/* Returns how long before a trigger its cause is looked for, if nobody says: TIME_WINDOW_INCIDENT, or about a quarter of what a
 * shorter recording has before its trigger, so that there is more to compare it with. 0: it has no trigger, or too little before
 * it. *ret_trigger: the trigger, of the recording's clock; may be NULL. */
usec_t time_window_incident(const RecordingInput *in, uint64_t *ret_trigger);

/* Cuts spans down to one span. One that has nothing of it matches no time afterwards. */
void time_window_cut(SampleSpan *spans, size_t n, SampleSpan window);
