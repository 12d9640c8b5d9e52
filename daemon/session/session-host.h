/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base-directory.h"
#include "caller.h"
#include "control.h"
#include "dump-store.h"
#include "load.h"
#include "notify.h"
#include "output-tail.h"
#include "scope.h"
#include "session.h"

/* The host is what the sessions of a daemon share, and what they report to. Sessions know nothing of each other: what
 * one has to know of the others it asks here. */

typedef uint64_t (*SessionFigure)(const Session *s);

typedef struct SessionHostCalls {
        void (*changed)(Session *s, SessionChange mask, void *userdata);
        void (*left)(void *userdata);         /* a session is gone, and to be freed in another turn */
        void (*files_changed)(void *userdata); /* in sessions' directories: limits may be exceeded, or something left over */
        void (*rings_kept)(void *userdata); /* of a session: how far they reach is to be followed */
        void (*lent)(void *userdata);       /* a recorder answered a word of what is lent */
        Session *(*find)(const char *name, void *userdata); /* NULL: there is none */
        uint64_t (*sum)(SessionFigure figure, const Session *but, void *userdata); /* of all the others */
} SessionHostCalls;

struct SessionHost {
        sd_event *event;
        bool exiting;
        const char *end_reason; /* why all end, for their last dumps; NULL: no other than that the daemon ends */
        BaseDirectory base;
        DaemonSettings settings;
        char *worker; /* path of our recorder */
        ScopeClient *scopes;
        NotifySocket *notify;
        ControlAcks *acks;
        OutputTails *tails;
        DumpStore *dumps;
        const char *lent_to[_COUNTER_KIND_MAX]; /* who has borrowed each kind of counters from all sessions; NULL: nobody */
        const Caller *caller;   /* on whose behalf something is asked; NULL: the daemon acts by itself */
        usec_t start_timestamp; /* of this daemon process, µs since the epoch */
        usec_t stop_silence;    /* how long a recorder that ends may make no progress */
        uint64_t last_store_id, last_trigger_id;
        const SessionHostCalls *calls;
        void *userdata; /* of the calls */
};
