/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/uio.h>
#include "cleanup.h"
#include "dump-order.h"

/* The samples of a flight recorder between dumps, as flight.c sees them. They lie in overwrite rings (snapshot.c) or in a
 * history of compressed blocks (history-samples.c). */

typedef struct FlightWish {
        DumpContent content;
        bool automatic;       /* the dump counts as an automatic one */
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
        uint32_t *pids;       /* processes that have samples or context switches in it, ascending, allocated; NULL: not
                               * known, so all */
        size_t n_pids;
        uint64_t begin;       /* of a window that memory does not reach back to: when it does; 0: it has all of it */
        uint64_t *cgroups;    /* ids of the control groups in its samples, likewise */
        size_t n_cgroups;
} FlightTaken;

static inline void flight_taken_done(FlightTaken *t) {
        free(t->pids);
        free(t->cgroups);
        *t = (FlightTaken) {};
}

/* Totals since this process began to follow the samples. */
typedef struct FlightCounts {
        uint64_t samples, lost, throttled;
} FlightCounts;

typedef int (*FlightRecords)(void *userdata, const struct iovec *records);

typedef struct FlightSamples {
        /* Prepares the first dump, in a thread. May be NULL. */
        void (*warm)(void *userdata);

        /* Marks where the samples end now. Runs in the loop, and may be called several times before take, which goes up to
         * the last mark. */
        int (*mark)(void *userdata);

        /* Takes the samples that wish asks for, up to the mark, for a dump or only to describe them. Runs in a thread, while
         * the loop goes on. */
        int (*take)(void *userdata, const FlightWish *wish, FlightTaken *ret);

        /* Hands out the records that were taken, whole ones, piece by piece. Runs in a thread, and in two at once if
         * shared is set. A negative result of each ends the walk. */
        int (*each)(void *userdata, FlightRecords each, void *records_userdata);
        bool shared;

        /* about_to_name: the dump is about to get its name. settle: it has got it, or failed to. If it has, and the wish
         * has no window, its samples count as dumped from now on; otherwise nothing changes. The process may be killed
         * during either. */
        void (*about_to_name)(void *userdata, const char *name);
        void (*settle)(void *userdata, bool named);

        /* Counts what was recorded so far, as far as it was read: each sample once, however many dumps have it. Runs in the
         * loop, and not during take. */
        void (*count)(void *userdata, FlightCounts *ret);
        void *userdata;
} FlightSamples;
