/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Options for the control of the recorder itself, and for its messages. */

#include "control-port.h"
#include "option-parsers.h"
#include "parse-number.h"
#include "realtime.h"

int option_control(Options *o, const char *value, bool unset, Diagnosis *d) {
        int r = control_port_check_address(value, d);

        return r < 0 ? r : free_and_strdup(&o->control, value);
}

/* It can't be negated, since the options that follow are not trusted. */
int option_untrusted(Options *o, const char *value, bool unset, Diagnosis *d) {
        if (unset)
                return diagnosis_set(d, -EINVAL, "option `no-untrusted' isn't available");
        o->untrusted = true;
        return 0;
}

int option_realtime(Options *o, const char *value, bool unset, Diagnosis *d) {
        unsigned priority;
        int r;

        if (parse_uint(value, &priority) < 0)
                return diagnosis_set(d, -EINVAL, "`%s' is no real-time priority", value);
        r = realtime_check_priority(priority, d);
        if (r < 0)
                return r;
        o->realtime = priority;
        return 0;
}

int option_verbose(Options *o, const char *value, bool unset, Diagnosis *d) {
        o->verbose = unset ? 0 : o->verbose + 1;
        return 0;
}
