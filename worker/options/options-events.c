/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Options for events and their rates. lib/perfevent has the grammar of events. */

#include "option-parsers.h"
#include "parse-number.h"
#include "pfm-event.h"

int option_parse_event(Options *o, EventSpecs *list, const char *value, Diagnosis *d) {
        const GrammarSources sources = { .no_files = o->untrusted };
        int r = event_specs_parse(list, value, &sources, d);

        if (r < 0)
                (void) free_and_strdup(&o->wrong_event, value);
        return r;
}

int option_event(Options *o, const char *value, bool unset, Diagnosis *d) {
        return option_parse_event(o, &o->events, value, d);
}

int option_pfm_events(Options *o, const char *value, bool unset, Diagnosis *d) {
        int r = event_specs_parse_pfm(&o->events, value, NULL, d);

        if (r < 0 && d && d->column > 0) /* otherwise the library is missing */
                (void) free_and_strdup(&o->wrong_event, value);
        return r;
}

int option_filter(Options *o, const char *value, bool unset, Diagnosis *d) {
        return event_specs_set_filter(&o->events, value, d);
}

int option_frequency(Options *o, const char *value, bool unset, Diagnosis *d) {
        uint64_t frequency;

        if (strcasecmp(value, "max") == 0)
                frequency = UINT64_MAX;
        else if (parse_uint64(value, &frequency) < 0 || frequency > UINT32_MAX)
                return diagnosis_set(d, -EINVAL, "`%s' is no frequency: samples per second, or max", value);
        o->frequency = frequency;
        o->frequency_given = true;
        return 0;
}

int option_count(Options *o, const char *value, bool unset, Diagnosis *d) {
        uint64_t period;

        if (parse_uint64(value, &period) < 0)
                return diagnosis_set(d, -EINVAL, "`%s' is no number of events", value);
        o->period = period;
        return 0;
}

int option_no_inherit(Options *o, const char *value, bool unset, Diagnosis *d) {
        o->attr.inherit = unset;
        o->inherit_set = true;
        return 0;
}

/* common_pid is a thread id: the few threads that the recorder starts have others and are not excluded. */
int option_exclude_perf(Options *o, const char *value, bool unset, Diagnosis *d) {
        char filter[64];

        if (unset)
                return diagnosis_set(d, -EINVAL, "option `no-exclude-perf' isn't available");
        (void) snprintf(filter, sizeof(filter), "common_pid != %d", (int) getpid());
        if (event_specs_set_filter(&o->events, filter, NULL) < 0)
                return diagnosis_set(d, -EINVAL, "--exclude-perf option should follow a -e tracepoint option");
        return 0;
}
