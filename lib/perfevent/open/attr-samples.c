/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The contents of samples: fields, call chains, registers, branch stacks, and the event's terms that overrule these.
 * The bits are those of perf record 6.1's evsel__config(), with two exceptions. An event's own call graph fully
 * replaces that of all events, while perf keeps exclude_callchain_user, so that the frames of programs are missing;
 * and stack-size= only sets a size, while perf records no call chains at all with it unless call-graph= is given
 * too. */

#include "attr-building.h"
#include "sample-registers.h"

/* perf has an exception for the function tracer's event: walking user stacks from there may fault. */
static bool is_function(const EventSpec *spec) {
        return streq_ptr(spec->tracepoint_system, "ftrace") && streq_ptr(spec->tracepoint_name, "function");
}

static void set_dwarf(struct perf_event_attr *a, unsigned dump_size, const AttrOptions *o) {
        uint64_t registers = SAMPLE_REGISTERS_ALL;

        /* To registers that the user chose, only those are added that unwinding requires. */
        if (o->user_registers > 0 && o->user_registers != SAMPLE_REGISTERS_ALL)
                registers = SAMPLE_REGISTERS_UNWIND;
        a->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
        a->sample_regs_user |= registers;
        a->sample_stack_user = dump_size;
        a->exclude_callchain_user = true;
}

static void set_call_graph(struct perf_event_attr *a, const EventSpec *spec, const CallGraph *g, const AttrOptions *o) {
        if (g->mode == CALL_GRAPH_NONE)
                return;
        a->sample_type |= PERF_SAMPLE_CALLCHAIN;
        a->sample_max_stack = (uint16_t) g->max_stack;
        if (o->kernel_callchains)
                a->exclude_callchain_user = true;
        if (o->user_callchains)
                a->exclude_callchain_kernel = true;
        /* if branch records are in use, or of user level only, frame pointers are instead */
        if (g->mode == CALL_GRAPH_LBR && o->branch_type == 0 && !a->exclude_user) {
                a->sample_type |= PERF_SAMPLE_BRANCH_STACK;
                a->branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK | PERF_SAMPLE_BRANCH_NO_CYCLES |
                                        PERF_SAMPLE_BRANCH_NO_FLAGS | PERF_SAMPLE_BRANCH_HW_INDEX;
        }
        if (g->mode == CALL_GRAPH_DWARF && !is_function(spec))
                set_dwarf(a, g->dump_size, o);
        if (is_function(spec))
                a->exclude_callchain_user = true;
}

static void clear_call_graph(struct perf_event_attr *a, const CallGraph *g, const AttrOptions *o) {
        a->sample_type &= ~(uint64_t) PERF_SAMPLE_CALLCHAIN;
        a->sample_max_stack = 0;
        a->exclude_callchain_user = a->exclude_callchain_kernel = false;
        if (g->mode == CALL_GRAPH_LBR && o->branch_type == 0) {
                a->sample_type &= ~(uint64_t) PERF_SAMPLE_BRANCH_STACK;
                a->branch_sample_type = 0;
        }
        if (g->mode == CALL_GRAPH_DWARF) {
                a->sample_type &= ~(uint64_t) (PERF_SAMPLE_STACK_USER | (o->user_registers > 0 ? 0 : PERF_SAMPLE_REGS_USER));
                a->sample_regs_user = o->user_registers;
                a->sample_stack_user = 0;
        }
}

static void set_registers(struct perf_event_attr *a, const AttrOptions *o) {
        if (attr_is_dummy(a))
                return;
        if (o->intr_registers > 0) {
                a->sample_type |= PERF_SAMPLE_REGS_INTR;
                a->sample_regs_intr = o->intr_registers;
        }
        if (o->user_registers > 0) {
                a->sample_type |= PERF_SAMPLE_REGS_USER;
                a->sample_regs_user |= o->user_registers;
        }
}

void attr_set_samples(struct perf_event_attr *a, const EventSpec *spec, const AttrOptions *o) {
        const struct {
                bool wanted;
                uint64_t fields;
        } rows[] = {
                { true, PERF_SAMPLE_IP | PERF_SAMPLE_TID },
                { attr_options_wants_address(o), PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC },
                { o->has_cpu || o->sample_cpu, PERF_SAMPLE_CPU },
                { o->sample_time != 0 && (a->inherit || o->has_cpu || !o->per_thread || o->sample_time > 0), PERF_SAMPLE_TIME },
                { o->raw, PERF_SAMPLE_TIME | PERF_SAMPLE_RAW | PERF_SAMPLE_CPU },
                { o->physical_address, PERF_SAMPLE_PHYS_ADDR },
                { o->branch_type > 0, PERF_SAMPLE_BRANCH_STACK },
                { o->weight, SAMPLE_WEIGHT },
                { o->cgroups, PERF_SAMPLE_CGROUP },
                { o->data_page_size, PERF_SAMPLE_DATA_PAGE_SIZE },
                { o->code_page_size, PERF_SAMPLE_CODE_PAGE_SIZE },
                { o->transaction, PERF_SAMPLE_TRANSACTION },
        };

        for (size_t i = 0; i < ELEMENTSOF(rows); i++)
                if (rows[i].wanted)
                        a->sample_type |= rows[i].fields;
        if (o->branch_type > 0)
                a->branch_sample_type = o->branch_type;
        if (is_function(spec))
                a->exclude_callchain_user = true;
        set_call_graph(a, spec, &o->call_graph, o);
        set_registers(a, o);
}

static void apply_call_graph(struct perf_event_attr *a, const EventSpec *spec, const AttrOptions *o, bool tracking) {
        const EventTerms *t = &spec->terms;
        CallGraph g = o->call_graph;

        if (t->has_call_graph)
                g = t->call_graph;
        else if (t->max_stack > 0)
                g = (CallGraph) { .mode = CALL_GRAPH_FP };
        if (t->max_stack > 0)
                g.max_stack = t->max_stack;
        if (t->stack_size > 0 && g.mode == CALL_GRAPH_DWARF)
                g.dump_size = t->stack_size;
        clear_call_graph(a, &o->call_graph, o);
        if (t->has_call_graph && g.mode == CALL_GRAPH_DWARF) {
                a->sample_type |= PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC;
                a->mmap_data = tracking;
        }
        set_call_graph(a, spec, &g, o);
}

static void apply_rate(struct perf_event_attr *a, const EventTerms *t) {
        if (t->has_period) {
                a->sample_period = t->period;
                a->freq = false;
                a->sample_type &= ~(uint64_t) PERF_SAMPLE_PERIOD;
        }
        if (t->has_frequency) {
                a->sample_freq = t->frequency;
                a->freq = true;
                a->sample_type |= PERF_SAMPLE_PERIOD;
        }
}

void attr_apply_terms(struct perf_event_attr *a, const EventSpec *spec, const AttrOptions *o, bool tracking) {
        const EventTerms *t = &spec->terms;

        apply_rate(a, t);
        if (t->has_time)
                a->sample_type = (a->sample_type & ~(uint64_t) PERF_SAMPLE_TIME) | (t->time ? PERF_SAMPLE_TIME : 0);
        if (t->has_inherit)
                a->inherit = t->inherit;
        if (t->has_overwrite)
                a->write_backward = t->overwrite;
        if (t->has_branch_type) {
                a->sample_type &= ~(uint64_t) PERF_SAMPLE_BRANCH_STACK;
                a->sample_type |= t->branch_type > 0 ? PERF_SAMPLE_BRANCH_STACK : 0;
                a->branch_sample_type = t->branch_type;
        }
        if (t->has_call_graph || t->max_stack > 0 || t->stack_size > 0)
                apply_call_graph(a, spec, o, tracking);
        if (o->sample_period >= 0)
                a->sample_type = (a->sample_type & ~(uint64_t) PERF_SAMPLE_PERIOD) | (o->sample_period ? PERF_SAMPLE_PERIOD : 0);
        /* A dummy has no samples, and the kernel refuses branch stacks of software events. */
        if (attr_is_dummy(a))
                a->sample_type &= ~(uint64_t) PERF_SAMPLE_BRANCH_STACK;
}
