/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "hash-index.h"
#include "header.h"
#include "sample.h"

/* The counters that samples carry the values of (PERF_SAMPLE_READ: {a,b}:S). As in perf, each value counts as a sample of
 * its event, which weighs what was counted since the previous one. Zero-initialise. */
typedef struct SampleCounter {
        uint64_t id, value;
        size_t event; /* the number of its event */
} SampleCounter;

typedef struct SampleCounters {
        SampleCounter *counters;
        size_t n; /* 0: no event asks for values with ids */
        HashIndex index; /* of number + 1, by id */
} SampleCounters;

int sample_counters_init(SampleCounters *c, const PerfDataEvent *events, size_t n_events); /* 0, -ENOMEM */
void sample_counters_done(SampleCounters *c);

/* Returns how many values a sample carries, whose event has that read_format. */
size_t sample_counters_values(const PerfSample *s, uint64_t format);

/* Finds a value, of number i below sample_counters_values(), and its counter. Returns false if it is of no known counter. */
bool sample_counters_value(const SampleCounters *c, const PerfSample *s, uint64_t format, size_t i, size_t *ret_counter,
                           uint64_t *ret_value);

/* Sets a counter to its next value in the order of time. Returns how far it went; 0 if it went back, as in a broken recording. */
uint64_t sample_counters_advance(SampleCounters *c, size_t counter, uint64_t value);

/* Sets all of them to 0, as the recording is read from its beginning again. */
void sample_counters_restart(SampleCounters *c);
