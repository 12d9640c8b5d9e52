/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "parse-time.h"

/* The order for a dump, from the triggers to the recording, and its result.
 *
 * A Trigger is one cause. Its DumpWish (pending-dump.h) is the part that decides which triggers share a dump, a PendingDump
 * what they share until its cut-off is fixed. The DumpOrder is what the recording may know of that. FlightDump (flight.c)
 * keeps a copy while it is made, and FlightWish has its window by the samples' clock, for those who read samples. */

/* The samples in memory that a dump has; a later value includes the earlier ones. Samples of a dump without a window of time
 * count as dumped from then on, and as dumped automatically if the dump is automatic. */
typedef enum DumpContent {
        DUMP_CONTENT_AUTOMATIC,     /* those that no automatic dump has yet */
        DUMP_CONTENT_NEW,           /* those that no dump has yet */
        DUMP_CONTENT_ALL,
        _DUMP_CONTENT_MAX,
} DumpContent;

typedef struct DumpOrder {          /* strings are borrowed for the call that takes the order */
        const char *trigger;        /* PR_TRIGGER_* word of the first trigger */
        const char *detail;         /* for people, may be "" */
        usec_t timestamp;           /* CLOCK_REALTIME of the first trigger */
        unsigned n_triggers;        /* that it answers, 1 and above */
        DumpContent content;
        bool automatic;             /* it answers a trigger that is no request, so it counts as an automatic dump */
        bool requested;             /* it answers a request: if it is to have all, it is made even without samples */
        const char *incident;       /* PR_DUMP_XATTR_INCIDENT; "" or NULL: none */
        usec_t since, until;        /* CLOCK_REALTIME: only samples of that window, both ends included; 0: no limit */
} DumpOrder;

typedef struct DumpResult {         /* strings are borrowed for the call */
        int error;                  /* 0, or a negative errno: then sentence is the reason */
        const char *sentence;
        const char *trigger, *detail; /* of a dump that failed; NULL: not known */
        const char *name;           /* of the finished file, in the output's directory */
        uint64_t samples, lost, throttled;
        uint64_t lost_records;      /* of tasks and maps; PR_COUNTERS_UNKNOWN: not told from lost samples */
        usec_t first, last;         /* CLOCK_REALTIME of oldest and newest sample; 0: none, or not known */
        const char *lent;           /* when counters were lent, as PR_DUMP_XATTR_LENT has it; "" or NULL: never */
} DumpResult;

typedef void (*DumpDone)(void *userdata, const DumpResult *result);
