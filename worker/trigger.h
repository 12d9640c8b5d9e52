/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dump-order.h"
#include "loop.h"
#include "notifier.h"

/* What causes dumps, from the moment it happens to the answer. Triggers that come while another one waits for its delay join
 * it; those that come while a dump is being made join it until it is settled up to which moment that one goes, and then the
 * next: the dump that answers a trigger has its moment. */
typedef struct Triggers Triggers;

typedef struct Trigger {     /* strings are borrowed for the call */
        const char *word;    /* PR_TRIGGER_* */
        const char *detail;  /* one line for people; NULL: none */
        const char *id;      /* who waits for the answer (notify-fields.h); NULL: nobody */
        usec_t delay;        /* goes on recording so long first; USEC_INFINITY: what the options say */
        usec_t since;        /* only samples from so long before it on; USEC_INFINITY: all that are new */
        bool overlap;
        unsigned n;          /* how often it happened, 0 is 1 */
        bool by_itself;      /* nobody asked for it, so it may come any number of times */
} Trigger;

#define TRIGGER(word_) { .word = (word_), .delay = USEC_INFINITY, .since = USEC_INFINITY }

/* At most burst dumps in each interval. Not set: TRIGGER_LIMIT_DEFAULT for triggers that come by themselves, none for
 * others. One of both 0: no limit at all. */
typedef struct TriggerLimit {
        bool set;
        usec_t interval;
        unsigned burst;
} TriggerLimit;

#define TRIGGER_LIMIT_DEFAULT { .interval = USEC_PER_MINUTE, .burst = 5 }

#define TRIGGER_DELAY_MAX (60 * USEC_PER_MINUTE)

typedef struct TriggersOptions {
        /* Begins a dump, whose end triggers_dump_done() is to be told, within the call or later. A negative errno ends the
         * recording. Not called again until then. */
        int (*dump)(void *userdata, const DumpOrder *order);

        /* Looks now for what would else be seen in the loop's next turn, and fires it. */
        int (*collect)(void *userdata);
        void *userdata;
        Notifier *notifier;  /* for answers */
        usec_t delay;        /* of triggers that say none */
        TriggerLimit limit;
} TriggersOptions;

int triggers_new(const TriggersOptions *options, Loop *loop, Triggers **ret);
Triggers *triggers_free(Triggers *t); /* before its loop; who waits gets no answer any more */
DEFINE_CLEANUP(Triggers *, triggers_free);

/* Takes a trigger. Its dump begins at the next triggers_run(), or with its delay. One that the rate limit refuses is
 * answered with -EBUSY; that is no failure. 0 or -ENOMEM. */
int triggers_fire(Triggers *t, const Trigger *trigger);

/* Answers somebody whose trigger can't be taken. */
void triggers_refuse(Triggers *t, const char *id, int error, const char *sentence);

/* To be called after whatever may have fired or finished: begins the dump that is due, if none is being made. */
int triggers_run(Triggers *t);

/* The dump that is due next is due now, whatever its delay. Does not begin it. */
void triggers_hurry(Triggers *t);

bool triggers_is_dumping(const Triggers *t); /* a dump was begun and is not finished */
bool triggers_is_waiting(const Triggers *t); /* one is to begin */

/* To be called by the dump, in the loop's thread, right after it was settled up to which moment its samples go. What has
 * triggered before that moment, and was not seen yet, is taken into the dump. 1: it stays so, and what comes now is for the
 * next dump. 0: something was taken in that may be later, so the moment must be settled anew. Without it no dump goes wrong,
 * but a trigger of that moment may be answered by the dump after the one that has it. n_triggers may be NULL. */
int triggers_settle(Triggers *t, unsigned *n_triggers);

void triggers_dump_done(Triggers *t, const DumpResult *result);
