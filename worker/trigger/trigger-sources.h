/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "target.h"
#include "trigger.h"
#include "trigger-options.h"

/* The sources of triggers that the command line names: events, pressure, BPF programs. */
typedef struct TriggerSources TriggerSources;

/* Opens all sources; events do not count yet. switch_events: those of --switch-output-event. All arguments must
 * outlive it. On failure d says why, and its key is the option. */
int trigger_sources_new(const TriggerOptions *o, const EventSpecs *switch_events, const Target *target, Triggers *triggers,
                        Loop *loop, TriggerSources **ret, Diagnosis *d);
TriggerSources *trigger_sources_free(TriggerSources *s); /* before triggers and loop */
DEFINE_CLEANUP(TriggerSources *, trigger_sources_free);

/* Fires triggers for what has happened by now, without waiting for the loop's turn. */
int trigger_sources_look(TriggerSources *s);

int trigger_sources_enable(TriggerSources *s);
