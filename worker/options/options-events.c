/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Options for what is recorded: events and their rates, the content of samples, processes and CPUs, the time when recording begins.
 * lib/perfevent has the grammar of events and the meaning of fields; options that only set one have no function. */

#include "branch-filter.h"
#include "clock-name.h"
#include "option-parsers.h"
#include "parse-number.h"
#include "pfm-event.h"
#include "sample-registers.h"

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

int option_stacks(Options *o, const char *value, bool unset, Diagnosis *d) {
        o->attr.call_graph = (CallGraph) { .mode = unset ? CALL_GRAPH_NONE : CALL_GRAPH_FP };
        return 0;
}

int option_call_graph(Options *o, const char *value, bool unset, Diagnosis *d) {
        return call_graph_parse(unset ? "no" : value, &o->attr.call_graph, d);
}

static int refuse_second_filter(Diagnosis *d) {
        return diagnosis_set(d, -EINVAL, "Can't use --branch-any (-b) with --branch-filter (-j).");
}

int option_branch_any(Options *o, const char *value, bool unset, Diagnosis *d) {
        if (!unset && o->attr.branch_type > 0)
                return refuse_second_filter(d);
        o->attr.branch_type = unset ? 0 : PERF_SAMPLE_BRANCH_ANY;
        return 0;
}

int option_branch_filter(Options *o, const char *value, bool unset, Diagnosis *d) {
        if (o->attr.branch_type > 0)
                return refuse_second_filter(d);
        return branch_filter_parse(value, &o->attr.branch_type, d);
}

/* Without a list, all registers are recorded; "?" lists them. */
static int parse_registers(Options *o, SampleRegistersKind kind, const char *value, bool unset, uint64_t *mask, Diagnosis *d) {
        uint64_t available = unset ? 0 : sample_registers_available(kind, NULL);

        if (!unset && available == 0)
                return diagnosis_set(d, -EOPNOTSUPP, "samples have no registers on this kind of machine");
        if (!streq_ptr(value, "?")) {
                *mask = available;
                return value ? sample_registers_parse(value, available, mask, d) : 0;
        }
        free(o->registers);
        o->registers = sample_registers_list(available);
        return o->registers ? 0 : -ENOMEM;
}

int option_user_regs(Options *o, const char *value, bool unset, Diagnosis *d) {
        return parse_registers(o, SAMPLE_REGISTERS_USER, value, unset, &o->attr.user_registers, d);
}

int option_intr_regs(Options *o, const char *value, bool unset, Diagnosis *d) {
        return parse_registers(o, SAMPLE_REGISTERS_INTR, value, unset, &o->attr.intr_registers, d);
}

int option_clockid(Options *o, const char *value, bool unset, Diagnosis *d) {
        int r = clock_name_parse(value, &o->attr.clock, d);

        if (r >= 0)
                o->attr.use_clock = true;
        return r;
}

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

int option_for_each_unit(Options *o, const char *value, bool unset, Diagnosis *d) {
        return free_and_strdup(&o->each_unit, value);
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
