/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/uio.h>
#include "cleanup.h"

/* Where the samples of a flight recorder are between dumps: overwrite rings, or a history of blocks. What dumps are made
 * of sees this much of it. */

typedef struct FlightWish {
        bool overlap;       /* also what the last dump had */
        uint64_t from;      /* only samples of that time on (ns of their clock); 0: all */
        uint64_t now;       /* by that clock; 0: not known */
} FlightWish;

typedef struct FlightTaken {
        uint64_t samples, lost, throttled;
        uint64_t bytes;       /* of records */
        uint64_t first, last; /* time of the oldest and the newest sample; last 0: there is none, or they have no time */
        uint32_t *pids;       /* of processes that have samples in it, ascending; new; NULL: nobody looked, so all */
        size_t n_pids;
} FlightTaken;

static inline void flight_taken_done(FlightTaken *t) {
        free(t->pids);
        *t = (FlightTaken) {};
}

typedef int (*FlightRecords)(void *userdata, const struct iovec *records);

typedef struct FlightSamples {
        /* In the loop, right before take: what it may do alone, and settles up to which moment take goes. It may be called several
         * times. NULL: nothing. */
        int (*prepare)(void *userdata, const FlightWish *wish);

        /* Takes what there is now for a dump, or only to look at it, if nothing follows. In a thread, while the loop goes on. */
        int (*take)(void *userdata, const FlightWish *wish, FlightTaken *ret);

        /* Hands out the records that were taken, whole ones, piece by piece. In a thread; in two at once if it says so. A
         * negative answer ends it. */
        int (*each)(void *userdata, FlightRecords each, void *records_userdata);
        bool shared;

        /* The dump is about to have its name; then whether it came to that. If so, the next one does not have those samples
         * again; if not, it has them too. Each may be the last thing that this process does. */
        void (*announce)(void *userdata, const char *name);
        void (*settle)(void *userdata, bool named);
        void *userdata;
} FlightSamples;
