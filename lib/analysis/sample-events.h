/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "byte-pool.h"
#include "reader.h"
#include "unwinder.h"

/* The events of recordings, and what their samples add up to. Zero-initialise. */
typedef struct SampleEvent {
        char *name;                           /* one line of valid UTF-8 */
        uint64_t samples, period;             /* in all */
        uint64_t latency;                     /* with SAMPLE_BY_PARALLELISM: of all rows and of what is not selected */
        double squares;                       /* the sum of the squares of their periods */
        uint64_t selected, selected_period;   /* in rows */
        uint64_t idle, idle_period;           /* of idle CPUs, among those that are selected; with no_idle in no other number */
        bool tasks;                           /* its samples have the task that was hit */
        bool callchain;                       /* its samples have call chains */
        bool user_stack;                      /* they have copies of the stack */
        uint64_t unwound[UNWIND_END_MAX];     /* call chains that were made of copies of the stack, by how they end */
        bool tracepoint;
        uint32_t members;                     /* of the group that it leads, with those behind it; 0: it leads none */
        char *group;                          /* the group's name, as name is; NULL: it has none */
} SampleEvent;

#define SAMPLE_GROUP_MAX 64u /* events of a group; those of a larger one are none */

typedef struct SampleEvents {
        SampleEvent *events;
        size_t n;
        BytePool names; /* as recorded: the number of a name is the event's, + 1 */
} SampleEvents;

void sample_events_done(SampleEvents *x);

/* Adds these. *ret: their numbers, to be freed. 0, -E2BIG: more than 65536; -ENOMEM. */
int sample_events_add_all(SampleEvents *x, const PerfDataEvent *events, size_t n, uint16_t **ret);

/* Adds those of a recording, and their groups. *ret: their numbers, to be freed. 0, -E2BIG: more than 65536; -ENOMEM. */
int sample_events_add(SampleEvents *x, PerfDataReader *reader, uint16_t **ret);
