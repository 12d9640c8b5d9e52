/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Options for the triggers of dumps besides SIGUSR2 and the control descriptor, and for the rate of dumps. perf record
 * has none of them. */

#include <perf-recorder/control-words.h>
#include <signal.h>
#include "array.h"
#include "option-parsers.h"
#include "parse-number.h"
#include "trigger.h"

#define PRESSURES_MAX 64u
#define COUNTERS_MAX 64u

/* True for signals that end the recorder, report its children, or can't be waited for. */
static bool signal_is_taken(int sig) {
        static const int taken[] = { SIGINT,  SIGTERM, SIGHUP, SIGKILL, SIGSTOP, SIGPIPE, SIGXFSZ, SIGCHLD,
                                     SIGSEGV, SIGBUS,  SIGILL, SIGFPE,  SIGTRAP, SIGABRT, SIGSYS };

        return ANY_OF(ELEMENTSOF(taken), i, taken[i] == sig);
}

int option_trigger_signal(Options *o, const char *value, bool unset, Diagnosis *d) {
        int sig = parse_signal(value);

        if (sig < 0)
                return diagnosis_set(d, -EINVAL, "`%s' is no signal", value);
        if (signal_is_taken(sig))
                return diagnosis_set(d, -EINVAL, "%s means something else to the recorder; USR1, USR2, WINCH or RTMIN+1 are free",
                                     value);
        o->triggers.signal = sig;
        return 0;
}

int option_trigger_event(Options *o, const char *value, bool unset, Diagnosis *d) {
        size_t n = strcspn(value, " "), blanks = strspn(value + n, " ");
        _cleanup_free_ char *event = strndup(value, n);
        int r;

        if (!event)
                return -ENOMEM;
        r = option_parse_event(o, &o->triggers.events, event, d);
        if (r < 0)
                return r;
        return value[n + blanks] ? event_specs_set_filter(&o->triggers.events, value + n + blanks, d) : 0;
}

/* The kernel checks the file's content when the recording begins. */
int option_trigger_bpf(Options *o, const char *value, bool unset, Diagnosis *d) {
        if (!*value)
                return diagnosis_set(d, -EINVAL, "`%s' is no file name", value);
        return strv_extend(&o->triggers.bpf, value);
}

int option_trigger_pressure(Options *o, const char *value, bool unset, Diagnosis *d) {
        TriggerCommandLine *t = &o->triggers;
        PressureSpec spec;
        int r;

        if (t->n_pressures == PRESSURES_MAX)
                return diagnosis_set(d, -E2BIG, "more than %u kinds of pressure", PRESSURES_MAX);
        r = pressure_spec_parse(value, &spec, d);
        if (r < 0)
                return r;
        if (ARRAY_RESERVE_NEXT(t->pressures, t->n_pressures) < 0) {
                pressure_spec_done(&spec);
                return -ENOMEM;
        }
        t->pressures[t->n_pressures++] = spec;
        return 0;
}

int option_trigger_counter(Options *o, const char *value, bool unset, Diagnosis *d) {
        const GrammarSources sources = { .no_files = o->untrusted };
        TriggerCommandLine *t = &o->triggers;
        CounterSpec spec;
        int r;

        if (t->n_counters == COUNTERS_MAX)
                return diagnosis_set(d, -E2BIG, "more than %u counters", COUNTERS_MAX);
        r = counter_spec_parse(value, &sources, &spec, d);
        if (r < 0)
                return r;
        if (ARRAY_RESERVE_NEXT(t->counters, t->n_counters) < 0) {
                counter_spec_done(&spec);
                return -ENOMEM;
        }
        t->counters[t->n_counters++] = spec;
        return 0;
}

int option_trigger_delay(Options *o, const char *value, bool unset, Diagnosis *d) {
        usec_t delay;

        if (parse_timespan(value, &delay) < 0 || delay > PR_SNAPSHOT_DELAY_MAX)
                return diagnosis_set(d, -EINVAL, "`%s' is no time up to an hour, such as 500ms or 5s", value);
        o->triggers.delay = delay;
        return 0;
}

int option_trigger_limit(Options *o, const char *value, bool unset, Diagnosis *d) {
        const char *slash = strchr(value, '/');
        _cleanup_free_ char *burst = slash ? strndup(value, (size_t) (slash - value)) : NULL;
        TriggerLimit limit = { .set = true };

        if (slash && !burst)
                return -ENOMEM;
        if (!slash || parse_uint(burst, &limit.burst) < 0 || parse_timespan(slash + 1, &limit.interval) < 0)
                return diagnosis_set(d, -EINVAL, "`%s' is no number of dumps and time for them, such as 5/1min", value);
        o->triggers.limit = limit;
        return 0;
}
