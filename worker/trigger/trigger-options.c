/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The command line fills the options row by row (options-trigger.c); the sources are opened from them (trigger-sources.c). */

#include "trigger-options.h"

#include "strv.h"

void trigger_options_done(TriggerOptions *t) {
        event_specs_done(&t->events);
        strv_free(t->bpf);
        for (size_t i = 0; i < t->n_pressures; i++)
                pressure_spec_done(&t->pressures[i]);
        free(t->pressures);
        *t = (TriggerOptions) {};
}
