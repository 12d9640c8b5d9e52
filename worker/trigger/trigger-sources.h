/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-spec.h"
#include "target.h"
#include "trigger-pressure.h"
#include "trigger.h"

/* The command line's triggers, besides the control descriptor and SIGUSR2, and its rules for dumps. */
typedef struct TriggerCommandLine {
        EventSpecs events;
        char **bpf;         /* "FILE[:MAP]" */
        PressureSpec *pressures;
        size_t n_pressures;
        int signal;         /* besides SIGUSR2; 0: none */
        usec_t delay;
        TriggerLimit limit;
        bool announce;      /* notifies the daemon when a dump begins */
        bool overlap;       /* automatic dumps have all that is in memory */
        bool shutdown;      /* writes at the end what is in memory */
} TriggerCommandLine;

void trigger_options_done(TriggerCommandLine *t);

/* The sources of triggers that the command line names: events, pressure, BPF programs. */
typedef struct TriggerSources TriggerSources;

/* Opens all sources; events do not count yet. switch_events: those of --switch-output-event. target is borrowed for the
 * call; o, switch_events, triggers and loop must outlive the sources. When a CPU comes back, the same sources are opened
 * beside the previous ones, which are freed then. groups_may_be_gone: a control group that does not exist is waited for.
 * On failure d says why, and its key is the option. */
int trigger_sources_new(const TriggerCommandLine *o, const EventSpecs *switch_events, const Target *target, bool groups_may_be_gone,
                        Triggers *triggers, Loop *loop, TriggerSources **ret, Diagnosis *d);
TriggerSources *trigger_sources_free(TriggerSources *s); /* before triggers and loop */
DEFINE_CLEANUP(TriggerSources *, trigger_sources_free);

/* Fires triggers for what has happened by now, without waiting for the loop's turn. Pressure is not among it: the kernel
 * reports it once a window, after the fact, so there is nothing to read that belongs to this moment. */
int trigger_sources_look(TriggerSources *s);

int trigger_sources_enable(TriggerSources *s);
