/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "parse-time.h"

/* What a dump is to be, from whoever decides that there is one to whoever makes it, and what became of it. */

typedef struct DumpOrder {          /* strings are borrowed for the call that takes the order */
        const char *trigger;        /* PR_TRIGGER_* word of the first trigger */
        const char *detail;         /* for people, may be "" */
        usec_t timestamp;           /* CLOCK_REALTIME of the first trigger */
        unsigned n_triggers;        /* that it answers, 1 and above */
        usec_t since;               /* only samples of the last so many µs before it is taken; USEC_INFINITY: all that are new */
        bool overlap;               /* also what the last dump had */
} DumpOrder;

typedef struct DumpResult {         /* strings are borrowed for the call */
        int error;                  /* 0, or a negative errno: sentence then says why there is no dump */
        const char *sentence;
        const char *name;           /* of the finished file, in the output's directory */
        uint64_t samples, lost, throttled;
        usec_t first, last;         /* CLOCK_REALTIME of oldest and newest sample; 0: none, or not known */
} DumpResult;

typedef void (*DumpDone)(void *userdata, const DumpResult *result);
