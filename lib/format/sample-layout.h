/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/perf_event.h>
#include "cleanup.h"

/* Where the few fields that tell what a sample hit stand in the samples of one event: a table made once, so that
 * millions of samples need no parsing. */
typedef struct SampleLayout {
        int ip, tid, time; /* in words of 8 bytes behind the record's header; -1: not in the sample */
        int id;            /* of IDENTIFIER, or of ID */
        int callchain;     /* -1: none, or a group's counts before it, whose number each sample says anew */
        bool callchain_floats; /* the latter */
        unsigned words;    /* that a sample has at least, up to the number of the call chain's entries */
} SampleLayout;

void sample_layout_init(SampleLayout *l, const struct perf_event_attr *attr);
