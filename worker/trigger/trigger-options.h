/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-spec.h"
#include "trigger-pressure.h"
#include "trigger.h"

/* The command line's triggers, besides the control descriptor and SIGUSR2, and its rules for dumps. */
typedef struct TriggerOptions {
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
} TriggerOptions;

void trigger_options_done(TriggerOptions *t);
