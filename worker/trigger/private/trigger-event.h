/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-set.h"
#include "loop.h"

/* Events that are not recorded, but whose occurrence is a trigger (--switch-output-event, --trigger-event). */
typedef struct TriggerEvent TriggerEvent;

#define TRIGGER_EVENT_PAUSE (100 * USEC_PER_MSEC) /* after a sample; samples in the meantime are read at its end */

typedef struct TriggerEventOptions {
        const EventSpecs *specs;  /* borrowed */
        const Target *target;     /* after target_check(); only borrowed for trigger_event_new() */
        const Lendings *lendings; /* EventSetOptions.lendings */
        /* detail: the event and its process, for people. n: the samples since the last call. */
        int (*fired)(void *userdata, const char *detail, unsigned n);
        void *userdata;
} TriggerEventOptions;

/* Opens the events, disabled, and watches them. They sample every occurrence unless their own terms say otherwise. On
 * failure d says why. */
int trigger_event_new(const TriggerEventOptions *options, Loop *loop, TriggerEvent **ret, Diagnosis *d);
TriggerEvent *trigger_event_free(TriggerEvent *t); /* before its loop */
DEFINE_CLEANUP(TriggerEvent *, trigger_event_free);

int trigger_event_enable(TriggerEvent *t);

/* Close the events whose counters are lent now, and open them again, as event-set-lending.h does. */
bool trigger_event_lends(const TriggerEvent *t, CounterKind kind);
int trigger_event_close_lent(TriggerEvent *t);
int trigger_event_open_lent(TriggerEvent *t, CounterKind kind, Diagnosis *d);

/* Reads and discards what the rings have; calls fired() once if there was a sample. */
int trigger_event_look(TriggerEvent *t);
