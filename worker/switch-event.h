/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-set.h"
#include "loop.h"

/* Events that are not recorded: that one of them happens is a reason to begin a new file (--switch-output-event). */
typedef struct SwitchEvent SwitchEvent;

typedef struct SwitchEventOptions {
        const EventSpecs *specs;  /* borrowed */
        const Target *target;     /* after target_check(); borrowed during the opening */
        void (*fired)(void *userdata);
        void *userdata;
} SwitchEventOptions;

/* Opens them for every occurrence, or as rarely as their own terms say, disabled, and watches them. On failure d says why. */
int switch_event_new(const SwitchEventOptions *options, Loop *loop, SwitchEvent **ret, Diagnosis *d);
SwitchEvent *switch_event_free(SwitchEvent *s);
DEFINE_CLEANUP(SwitchEvent *, switch_event_free);

int switch_event_enable(SwitchEvent *s);

/* Looks into the rings and throws away what is there; calls fired() once if it was an event. */
void switch_event_look(SwitchEvent *s);
