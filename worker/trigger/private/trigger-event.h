/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-set.h"
#include "loop.h"

/* Events that are not recorded: that one of them happens causes a dump (--switch-output-event, --trigger-event). */
typedef struct TriggerEvent TriggerEvent;

#define TRIGGER_EVENT_PAUSE (100 * USEC_PER_MSEC) /* after something has come; what comes meanwhile is seen then */

typedef struct TriggerEventOptions {
        const EventSpecs *specs;  /* borrowed */
        const Target *target;     /* after target_check(); borrowed during the opening */
        /* detail: which event, and who it happened to, for people. n: how often something happened since the last call. */
        int (*fired)(void *userdata, const char *detail, unsigned n);
        void *userdata;
} TriggerEventOptions;

/* Opens them for every occurrence, or as rarely as their own terms say, disabled, and watches them. On failure d says why. */
int trigger_event_new(const TriggerEventOptions *options, Loop *loop, TriggerEvent **ret, Diagnosis *d);
TriggerEvent *trigger_event_free(TriggerEvent *t); /* before its loop */
DEFINE_CLEANUP(TriggerEvent *, trigger_event_free);

int trigger_event_enable(TriggerEvent *t);

/* Looks into the rings and throws away what is there; calls fired() once if it was an event. */
int trigger_event_look(TriggerEvent *t);
