/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-spec.h"
#include "lendings.h"
#include "target.h"
#include "trigger-counter.h"
#include "trigger-pressure.h"
#include "trigger.h"

/* The command line's triggers, besides the control descriptor and SIGUSR2, and its rules for dumps. */
typedef struct TriggerCommandLine {
        EventSpecs events;
        char **bpf;         /* "FILE[:MAP]" */
        PressureSpec *pressures;
        size_t n_pressures;
        CounterSpec *counters;
        size_t n_counters;
        int signal;         /* besides SIGUSR2; 0: none */
        usec_t delay;
        TriggerLimit limit;
        bool announce;      /* notifies the daemon when a dump begins */
        bool overlap;       /* automatic dumps have all that is in memory */
        bool shutdown;      /* writes at the end what is in memory */
} TriggerCommandLine;

void trigger_options_done(TriggerCommandLine *t);

/* The sources of triggers that the command line names: events, counters, pressure, BPF programs. */
typedef struct TriggerSources TriggerSources;

typedef struct TriggerSourcesOptions {
        const TriggerCommandLine *command_line;
        const EventSpecs *switch_events; /* those of --switch-output-event */
        const Target *target;            /* borrowed for the call; all else must outlive the sources */
        const Lendings *lendings;        /* EventSetOptions.lendings */
        bool groups_may_be_gone;         /* a control group that does not exist is waited for */
} TriggerSourcesOptions;

/* Opens all sources; events do not count yet. When a CPU comes back, the same sources are opened beside the previous ones, which
 * are freed then. On failure d says why, and its key is the option. */
int trigger_sources_new(const TriggerSourcesOptions *o, Triggers *triggers, Loop *loop, TriggerSources **ret, Diagnosis *d);
TriggerSources *trigger_sources_free(TriggerSources *s); /* before triggers and loop */
DEFINE_CLEANUP(TriggerSources *, trigger_sources_free);

/* Fires triggers for what has happened by now, without waiting for the loop's turn. Pressure and counters are not among it: they
 * are known once a window, after the fact, so there is nothing to read that belongs to this moment. */
int trigger_sources_look(TriggerSources *s);

int trigger_sources_enable(TriggerSources *s);

/* Close the events whose counters are lent now, and open them again, as event-set-lending.h does. */
bool trigger_sources_lend(const TriggerSources *s, CounterKind kind); /* some of them need such counters */
int trigger_sources_close_lent(TriggerSources *s);
int trigger_sources_open_lent(TriggerSources *s, CounterKind kind, Diagnosis *d);
