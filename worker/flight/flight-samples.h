/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/uio.h>
#include "cleanup.h"
#include "dump-order.h"

/* Where the samples of a flight recorder are between dumps: overwrite rings, or a history of blocks. What dumps are made
 * of sees this much of it. */

typedef struct FlightWish {
        DumpContent content;
        bool automatic;       /* it counts as an automatic dump */
        uint64_t from, until; /* only samples of that window, ns of their clock, both ends included; 0: no limit */
        uint64_t now;         /* by that clock; 0: not known */
} FlightWish;

static inline bool flight_wish_has_window(const FlightWish *w) {
        return w->from > 0 || w->until > 0;
}

typedef struct FlightTaken {
        uint64_t samples, lost, throttled;
        uint64_t bytes;       /* of records */
        uint64_t first, last; /* time of the oldest and the newest sample; last 0: there is none, or they have no time */
        uint64_t oldest;      /* time of the oldest sample or context switch; 0: there is none, or they have no time */
        uint32_t *pids;       /* of processes that have samples or context switches in it, ascending; new; NULL: nobody
                               * looked, so all */
        size_t n_pids;
} FlightTaken;

static inline void flight_taken_done(FlightTaken *t) {
        free(t->pids);
        *t = (FlightTaken) {};
}

/* Since this process followed them. */
typedef struct FlightCounts {
        uint64_t samples, lost, throttled;
} FlightCounts;

typedef int (*FlightRecords)(void *userdata, const struct iovec *records);

typedef struct FlightSamples {
        /* What is worth doing before the first dump, in a thread. NULL: nothing is. */
        void (*warm)(void *userdata);

        /* Marks where the samples end now, in the loop. May be called several times before take, which goes up to the last mark. */
        int (*mark)(void *userdata);

        /* Takes what is wished of the samples up to the mark, for a dump, or only to look at it if nothing follows. In a thread,
         * while the loop goes on. */
        int (*take)(void *userdata, const FlightWish *wish, FlightTaken *ret);

        /* Hands out the records that were taken, whole ones, piece by piece. In a thread; in two at once if it says so. A
         * negative answer ends it. */
        int (*each)(void *userdata, FlightRecords each, void *records_userdata);
        bool shared;

        /* The dump is about to have its name; then whether it came to that. If so, and it has no window, its samples count as
         * dumped; otherwise nothing has changed. Each may be the last thing that this process does. */
        void (*announce)(void *userdata, const char *name);
        void (*settle)(void *userdata, bool named);

        /* What was recorded so far, as far as it has been looked at: each sample once, however many dumps have it. In the loop;
         * of overwrite rings not while samples are taken. */
        void (*count)(void *userdata, FlightCounts *ret);
        void *userdata;
} FlightSamples;
