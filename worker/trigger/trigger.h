/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dump-order.h"
#include "loop.h"
#include "notifier.h"

/* What causes dumps, from the moment it happens to the answer. A dump waits until its delay is over and the previous one is
 * finished; what happens in the meantime joins it if it is to have the same samples and if neither has to wait longer for
 * the other. Triggers that come while a dump is being made join it until its cut-off is fixed, the moment up to which its
 * samples go, and are for the next dump from then on: the dump that answers a trigger has its moment. */
typedef struct Triggers Triggers;

typedef struct Trigger {     /* strings are borrowed for the call */
        const char *word;    /* PR_TRIGGER_* */
        const char *detail;  /* one line for people; NULL: none */
        const char *id;      /* who waits for the answer (notify-fields.h); NULL: nobody */
        usec_t delay;        /* goes on recording so long first; USEC_INFINITY: what the options say */
        const char *incident; /* that the dump is part of; NULL: none yet */
        usec_t since, until; /* CLOCK_REALTIME: only samples of that window; 0: no limit */
        bool all;            /* … or all that is in memory, as for a request */
        bool fresh;          /* only what no dump has yet */
        unsigned n;          /* how often it happened, 0 is 1 */
        bool as_perf;        /* the limit that is usual does not hold for it */
        bool force;          /* no limit does */
} Trigger;

#define TRIGGER(word_) { .word = (word_), .delay = USEC_INFINITY }

#define TRIGGER_DELAY_MAX (60 * USEC_PER_MINUTE)

/* At most burst dumps in each interval, for each kind of trigger by itself: a trigger that comes often leaves the others
 * their dumps. Not set: TRIGGER_LIMIT_DEFAULT, and none for dumps that people ask for by request or control word. One of both 0:
 * no limit at all. */
typedef struct TriggerLimit {
        bool set;
        usec_t interval;
        unsigned burst;
} TriggerLimit;

#define TRIGGER_LIMIT_DEFAULT { .interval = USEC_PER_MINUTE, .burst = 5 }

typedef struct TriggersOptions {
        /* Marks where the samples end now, as the cut-off of the dump to come. Called repeatedly before each dump, whose cut-off
         * is the last mark. 1: it is marked; 0: the recording is busy, and triggers_run() is called when it no longer is.
         * A negative errno is the dump's result; -ENOMEM ends the recording. */
        int (*mark)(void *userdata);

        /* Reads the sources now that the loop would read in its next turn, and fires what they have. NULL: there are none. */
        int (*collect)(void *userdata);

        /* Begins the dump of the samples up to the last mark. Its end is reported by triggers_dump_done(), within the call or
         * later; until then no other dump begins. A negative errno ends the recording. */
        int (*dump)(void *userdata, const DumpOrder *order);
        void *userdata;
        Notifier *notifier;  /* for answers */
        usec_t delay;        /* of triggers that say none */
        bool announce;       /* tells the daemon of dumps that begin because of triggers of our own (PR_NOTIFY_INCIDENT) */
        bool overlap;        /* dumps that nobody asked for, too, have all that is in memory */
        TriggerLimit limit;
} TriggersOptions;

int triggers_new(const TriggersOptions *options, Loop *loop, Triggers **ret);
Triggers *triggers_free(Triggers *t); /* before its loop; who waits gets no answer any more */
DEFINE_CLEANUP(Triggers *, triggers_free);

/* Takes a trigger. Its dump begins at the next triggers_run(), or with its delay. One that the rate limit refuses is
 * answered with -EBUSY and when the next is possible; that is no failure. 0 or -ENOMEM. */
int triggers_fire(Triggers *t, const Trigger *trigger);

/* Whoever gave a trigger that id does not want its dump any more: one that is to come for nobody else is not made. */
void triggers_withdraw(Triggers *t, const char *id);

/* Answers somebody whose trigger can't be taken. */
void triggers_refuse(Triggers *t, const char *id, int error, const char *sentence);

/* To be called after anything that may have fired, or has finished: begins the dump that is due, unless one is being made. */
int triggers_run(Triggers *t);

/* All dumps are due now, whatever their delays. Does not begin one. */
void triggers_hurry(Triggers *t);

bool triggers_is_waiting(const Triggers *t); /* a dump is to begin, or its cut-off is not fixed yet */
bool triggers_holds_file(const Triggers *t); /* one is to begin that waits for the options' delay, at most */
usec_t triggers_next(const Triggers *t);     /* when the next one is due, CLOCK_MONOTONIC; USEC_INFINITY: there is none */

/* The dump that was begun is finished: answers its triggers. */
void triggers_dump_done(Triggers *t, const DumpResult *result);
