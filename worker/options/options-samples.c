/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Options for the content of samples, except those that only set a field of the attributes; lib/perfevent has their
 * meaning. */

#include "branch-filter.h"
#include "option-parsers.h"
#include "clock-name.h"
#include "sample-registers.h"

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
