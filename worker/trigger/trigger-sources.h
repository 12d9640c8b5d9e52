/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "target.h"
#include "trigger.h"
#include "trigger-options.h"

/* What was named on the command line to cause dumps: events, pressure, programs of the kernel's. */
typedef struct TriggerSources TriggerSources;

/* Opens all of them; events do not count yet. switch_events: those of --switch-output-event. What is passed must outlive it.
 * What is wrong is in d, whose key is the option. */
int trigger_sources_new(const TriggerOptions *o, const EventSpecs *switch_events, const Target *target, Triggers *triggers,
                        Loop *loop, TriggerSources **ret, Diagnosis *d);
TriggerSources *trigger_sources_free(TriggerSources *s); /* before triggers and loop */
DEFINE_CLEANUP(TriggerSources *, trigger_sources_free);

/* Fires what has come by now, without waiting for the loop's turn. */
int trigger_sources_look(TriggerSources *s);

int trigger_sources_enable(TriggerSources *s);
