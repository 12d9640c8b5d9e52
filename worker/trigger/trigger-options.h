/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-spec.h"
#include "trigger-pressure.h"
#include "trigger.h"

/* What causes dumps besides the control descriptor and SIGUSR2, as the command line says it. */
typedef struct TriggerOptions {
        EventSpecs events;
        char **bpf;         /* "FILE[:MAP]" */
        PressureSpec *pressures;
        size_t n_pressures;
        int signal;         /* besides SIGUSR2; 0: none */
        usec_t delay;
        TriggerLimit limit;
        bool announce;      /* the daemon is told when a dump begins */
        bool overlap;       /* dumps that nobody asked for have all that is in memory */
        bool shutdown;      /* what is in memory at the end is written */
} TriggerOptions;

void trigger_options_done(TriggerOptions *t);
