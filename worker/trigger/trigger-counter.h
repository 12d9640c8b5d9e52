/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-set.h"
#include "grammar.h"
#include "loop.h"

/* A trigger by a counter: an event that happens more often than a threshold within a window of time. This header is not private, as
 * those of the other sources are, since the options parse CounterSpecs. */

typedef struct CounterSpec {
        EventSpecs event;    /* a single one; with its control group, if it has one */
        uint64_t threshold;
        usec_t window;
} CounterSpec;

/* "EVENT>NUMBER/TIME[:CGROUP]"; sources: of event_specs_parse(), whose errors are returned, too. -EINVAL: d says why. */
int counter_spec_parse(const char *s, const GrammarSources *sources, CounterSpec *ret, Diagnosis *d);
void counter_spec_done(CounterSpec *c);

typedef struct TriggerCounter TriggerCounter;

typedef struct TriggerCounterOptions {
        const CounterSpec *spec;  /* borrowed, as is target */
        const Target *target;     /* after target_check() */
        const Lendings *lendings; /* EventSetOptions.lendings */
        bool group_may_be_gone;   /* a control group that does not exist counts nothing; otherwise that is an error */
        int (*fired)(void *userdata, const char *detail);
        void *userdata;
} TriggerCounterOptions;

/* Opens the event, disabled. On failure d says why. */
int trigger_counter_new(const TriggerCounterOptions *options, Loop *loop, TriggerCounter **ret, Diagnosis *d);
TriggerCounter *trigger_counter_free(TriggerCounter *t); /* before its loop */
DEFINE_CLEANUP(TriggerCounter *, trigger_counter_free);

int trigger_counter_enable(TriggerCounter *t); /* and begins to read */

/* The event, to be closed while its counters are lent, and opened again (event-set-lending.h). NULL: there is none. */
EventSet *trigger_counter_set(const TriggerCounter *t);
