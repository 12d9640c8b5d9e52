/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The command line as a whole: what the options together mean once all of them were read. Nothing here opens or prints. */

#include "options.h"

#define COMMAND_TO_COME ((pid_t) INT32_MAX) /* a target all the same; it is forked when the rest is known to be right */

static int settle_events(Options *o) {
        if (o->events.n_specs > 0)
                return 0;
        return event_specs_add_default(&o->events);
}

static int settle_target(Options *o, char ***notes, Diagnosis *d) {
        if (o->cgroup && !target_has_cpu(&o->target))
                return diagnosis_set(d, -EINVAL, "cgroup monitoring only available in system-wide mode");
        /* As perf: threads named by -t are recorded without those they start, unless --inherit says otherwise. */
        if (o->target.n_tids > 0 && !o->inherit_set)
                o->attr.inherit = false;
        if (o->command)
                o->target.command = COMMAND_TO_COME;
        return target_check(&o->target, notes);
}

static int settle_rate(Options *o, char ***notes, Diagnosis *d) {
        if (o->frequency_given && o->frequency == 0 && o->period == 0)
                return diagnosis_set(d, -EINVAL, "frequency and count are zero, aborting");
        return attr_options_set_rate(&o->attr, o->frequency, o->period, notes, d);
}

int options_settle(Options *o, char ***notes, Diagnosis *d) {
        int r = settle_rate(o, notes, d);

        if (r >= 0)
                r = settle_target(o, notes, d);
        if (r >= 0)
                r = settle_events(o);
        if (r >= 0 && o->switch_output.enabled)
                o->timestamp_filename = true;
        return r;
}

void options_done(Options *o) {
        event_specs_done(&o->events);
        free(o->wrong_event);
        target_done(&o->target);
        enable_times_done(&o->enable_times);
        free(o->cgroup);
        free(o->output);
        free(o->control);
        strv_free(o->command);
        *o = (Options) OPTIONS_DEFAULT;
}
