/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "record-layout.h"

/* Brings the records of a recording into the order of time, as far as its rounds show it. Samples are kept as the few
 * numbers that are counted. */
typedef struct QueuedSample {
        uint64_t time, number; /* number: its position in the file */
        uint64_t ip, period;
        uint32_t pid, tid, cpu;
        uint32_t chain;        /* a number of the user's */
        uint16_t event;        /* likewise */
        uint8_t cpumode;
        uint8_t end;           /* likewise */
        uint32_t counter;      /* likewise */
        uint32_t cgroup;       /* likewise */
        uint32_t stack;        /* likewise */
        uint32_t label;        /* likewise */
        uint32_t facets;       /* likewise */
} QueuedSample;

/* Both are called in the order of time, except that samples between two records come in the order of the file. 0, or a
 * negative errno that ends it all. restart: the user forgets all records, since they come again from the first on. */
typedef struct SampleQueueUser {
        int (*sample)(void *userdata, const QueuedSample *s);
        int (*record)(void *userdata, const struct perf_event_header *record);
        void (*restart)(void *userdata);
        void *userdata;
        bool ordered; /* samples between two records come in the order of time, too */
} SampleQueueUser;

typedef struct SampleQueue SampleQueue;

int sample_queue_new(const SampleQueueUser *user, SampleQueue **ret);
SampleQueue *sample_queue_free(SampleQueue *q);
DEFINE_CLEANUP(SampleQueue *, sample_queue_free);

/* Time 0 means that it is not known: as in perf, such a record counts from its place in the file. All return 0,
 * -ENOMEM, or the user's error. The number of the sample is set here. */
int sample_queue_put_sample(SampleQueue *q, const QueuedSample *s);
int sample_queue_put_record(SampleQueue *q, uint64_t time, const struct perf_event_header *record); /* copied */
int sample_queue_make_room(SampleQueue *q);    /* hands on the older half of the samples, or all */
int sample_queue_finish_round(SampleQueue *q); /* FINISHED_ROUND */
int sample_queue_finish(SampleQueue *q);       /* everything that is left */
