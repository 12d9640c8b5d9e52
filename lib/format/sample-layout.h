/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/perf_event.h>
#include "cleanup.h"

/* The places of the few fields that say what a sample hit, in the samples of one event: a table that is made once, so
 * that millions of samples need no parsing. */
typedef struct SampleLayout {
        int ip, tid, time; /* in words of 8 bytes behind the record's header; -1: not in the sample */
        int id;            /* of IDENTIFIER, or of ID */
        int cpu, period;
        int callchain;     /* -1: none, or its place depends on the sample */
        bool callchain_floats; /* its place depends on the sample, which has a number of a group's counts before it */
        unsigned cgroup;       /* in words from the record's end, for record_word_from_end(); 0: not in the sample … */
        bool cgroup_floats;    /* … or its place depends on the sample, which has AUX data behind it */
        unsigned words;    /* of the shortest sample, up to the number of the call chain's entries */
} SampleLayout;

void sample_layout_init(SampleLayout *l, const struct perf_event_attr *attr);
