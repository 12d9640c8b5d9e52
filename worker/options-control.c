/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Options that say how the recorder itself is driven and what it says. */

#include "control-port.h"
#include "option-parsers.h"

int option_control(Options *o, const char *value, bool unset, Diagnosis *d) {
        int r = control_port_check_address(value, d);

        return r < 0 ? r : free_and_strdup(&o->control, value);
}

int option_verbose(Options *o, const char *value, bool unset, Diagnosis *d) {
        o->verbose = unset ? 0 : o->verbose + 1;
        return 0;
}

int option_quiet(Options *o, const char *value, bool unset, Diagnosis *d) {
        o->quiet = !unset;
        return 0;
}

int option_help(Options *o, const char *value, bool unset, Diagnosis *d) {
        o->help = true;
        return 0;
}
