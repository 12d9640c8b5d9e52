/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Options for the processes and CPUs to record, and for the time when recording begins. */

#include "option-parsers.h"
#include "parse-number.h"

int option_cpu(Options *o, const char *value, bool unset, Diagnosis *d) {
        return target_set_cpus(&o->target, value, d);
}

int option_pid(Options *o, const char *value, bool unset, Diagnosis *d) {
        return target_add_pids(&o->target, value, d);
}

int option_tid(Options *o, const char *value, bool unset, Diagnosis *d) {
        return target_add_tids(&o->target, value, d);
}

int option_uid(Options *o, const char *value, bool unset, Diagnosis *d) {
        return target_set_user(&o->target, value, d);
}

int option_cgroup(Options *o, const char *value, bool unset, Diagnosis *d) {
        int r = event_specs_set_cgroups(&o->events, value, d);

        return r < 0 ? r : free_and_strdup(&o->cgroup, value);
}

int option_delay(Options *o, const char *value, bool unset, Diagnosis *d) {
        return enable_times_parse(&o->enable_times, value, d);
}

int option_proc_map_timeout(Options *o, const char *value, bool unset, Diagnosis *d) {
        unsigned msec;

        if (parse_uint(value, &msec) < 0 || msec == 0)
                return diagnosis_set(d, -EINVAL, "`%s' is no number of milliseconds", value);
        o->map_timeout = msec * USEC_PER_MSEC;
        return 0;
}
