/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dump-order.h"
#include "dump-request.h"
#include "loop.h"
#include "notifier.h"

/* Triggers, the causes of dumps, from the time they fire to their answers. A dump waits until its delay is over and
 * the previous one is finished; triggers that fire in the meantime join it if they want the same samples and if
 * neither has to wait longer for the other. While a dump is being made, triggers join it until its cut-off is fixed,
 * the time up to which its samples go, and are for the next dump from then on: so the dump that answers a trigger has
 * the samples of its time. */
typedef struct Triggers Triggers;

typedef struct Trigger {     /* strings are borrowed for the call */
        DumpRequest request; /* its trigger is a PR_TRIGGER_* word; without a delay, it has that of the options */
        const char *id;      /* for the answer (notify-fields.h); NULL: nobody waits for one */
        unsigned n;          /* how often it happened, 0 is 1 */
        bool as_perf;        /* the default limit does not apply to it */
} Trigger;

#define TRIGGER(word) { .request.trigger = (word) }

/* At most burst dumps in each interval, counted for each kind of trigger separately, and for each unit that is the cause of
 * one, so that a frequent trigger leaves the others their dumps. Not set: TRIGGER_LIMIT_DEFAULT, and no limit for requests and
 * control words. If interval or burst is 0, there is no limit. */
typedef struct TriggerLimit {
        bool set;
        usec_t interval;
        unsigned burst;
} TriggerLimit;

#define TRIGGER_LIMIT_DEFAULT { .interval = USEC_PER_MINUTE, .burst = 5 }

typedef struct TriggersOptions {
        /* Marks where the samples end now, as the cut-off of the next dump. Called repeatedly before each dump, whose cut-off
         * is the last mark. Returns 1, or 0 if the recording is busy; then triggers_run() is called when it no longer is.
         * A negative errno is the dump's result, unless triggers_dump_done() has had one; -ENOMEM ends the recording. */
        int (*mark)(void *userdata);

        /* Reads the sources now that the loop would read in its next turn, and fires what they have. NULL: there are none. */
        int (*collect)(void *userdata);

        /* Begins the dump of the samples up to the last mark. Its end is reported by triggers_dump_done(), within the call or
         * later; until then no other dump begins. A negative errno ends the recording. */
        int (*dump)(void *userdata, const DumpOrder *order);
        void *userdata;
        Notifier *notifier;  /* for answers */
        usec_t delay;        /* of triggers that have none of their own */
        bool announce;       /* notifies the daemon of dumps that begin because of triggers of this session (PR_NOTIFY_INCIDENT) */
        bool overlap;        /* automatic dumps, too, have all that is in memory */
        TriggerLimit limit;
} TriggersOptions;

int triggers_new(const TriggersOptions *options, Loop *loop, Triggers **ret);
Triggers *triggers_free(Triggers *t); /* before its loop; triggers that wait are not answered any more */
DEFINE_CLEANUP(Triggers *, triggers_free);

/* Takes a trigger. Its dump begins at the next triggers_run(), or after its delay. One that the rate limit refuses is
 * answered with -EBUSY and the time when the next is possible; that is no failure. 0 or -ENOMEM. */
int triggers_fire(Triggers *t, const Trigger *trigger);

/* Withdraws the trigger of that id. Its dump is not made if it has not begun and no other trigger waits for it. */
void triggers_withdraw(Triggers *t, const char *id);

/* Answers a trigger that can't be taken. */
void triggers_refuse(Triggers *t, const char *id, int error, const char *sentence);

/* To be called after anything that may have fired, or has finished: begins the dump that is due, unless one is being made. */
int triggers_run(Triggers *t);

/* Makes all dumps due now, whatever their delays. Does not begin one. */
void triggers_hurry(Triggers *t);

bool triggers_is_waiting(const Triggers *t); /* a dump is to begin, or its cut-off is not fixed yet */
bool triggers_holds_file(const Triggers *t); /* a dump is to begin that waits for no delay of its own */
usec_t triggers_next(const Triggers *t);     /* time of the next dump, CLOCK_MONOTONIC; USEC_INFINITY: there is none */

/* To be called when the dump that was begun is finished: answers its triggers. */
void triggers_dump_done(Triggers *t, const DumpResult *result);
