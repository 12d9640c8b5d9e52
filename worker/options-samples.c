/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Options that say what a sample carries, and what is told beside the samples. Most are one bit of the attributes; their
 * meaning is lib/perfevent's. */

#include "branch-filter.h"
#include "option-parsers.h"
#include "clock-name.h"
#include "sample-registers.h"

#define DEFINE_SWITCH(option, field)                                                      \
        int option_##option(Options *o, const char *value, bool unset, Diagnosis *d) {    \
                o->attr.field = !unset;                                                   \
                return 0;                                                                 \
        }                                                                                 \
        struct switch_needs_a_semicolon_##option

DEFINE_SWITCH(data, address);
DEFINE_SWITCH(phys_data, physical_address);
DEFINE_SWITCH(data_page_size, data_page_size);
DEFINE_SWITCH(code_page_size, code_page_size);
DEFINE_SWITCH(sample_cpu, sample_cpu);
DEFINE_SWITCH(sample_identifier, identifier);
DEFINE_SWITCH(raw_samples, raw);
DEFINE_SWITCH(weight, weight);
DEFINE_SWITCH(transaction, transaction);
DEFINE_SWITCH(no_samples, no_samples);
DEFINE_SWITCH(kernel_callchains, kernel_callchains);
DEFINE_SWITCH(user_callchains, user_callchains);
DEFINE_SWITCH(all_kernel, all_kernel);
DEFINE_SWITCH(all_user, all_user);
DEFINE_SWITCH(namespaces, namespaces);
DEFINE_SWITCH(all_cgroups, cgroups);
DEFINE_SWITCH(switch_events, switches);
DEFINE_SWITCH(no_bpf_event, no_bpf_event);
DEFINE_SWITCH(running_time, running_time);
DEFINE_SWITCH(timestamp, sample_time);
DEFINE_SWITCH(period, sample_period);

int option_strict_freq(Options *o, const char *value, bool unset, Diagnosis *d) {
        o->strict_frequency = !unset;
        return 0;
}

int option_group(Options *o, const char *value, bool unset, Diagnosis *d) {
        o->group = !unset;
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

/* Without a list all there are; "?" asks which those are. */
static int parse_registers(Options *o, SampleRegistersKind kind, const char *value, bool unset, uint64_t *mask, Diagnosis *d) {
        uint64_t available = unset ? 0 : sample_registers_available(kind, NULL);

        if (!unset && available == 0)
                return diagnosis_set(d, -EOPNOTSUPP, "samples carry no registers on this kind of machine");
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
