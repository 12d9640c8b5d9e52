/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* From options to struct perf_event_attr. The attributes decide the contents of the file, so they are bit for bit
 * those of perf record 6.1 for the same words (its evsel__config() and evlist__config()): readers of perf's files can
 * read ours. The order of the steps matters, because later ones overrule earlier ones: the event's kind, the options
 * of all events, the event's terms, the group, then ids over all events.
 *
 * Two things differ from perf. An event's own call graph fully replaces that of all events, while perf keeps
 * exclude_callchain_user, so that the frames of programs are missing; and stack-size= only sets a size, while perf
 * records no call chains at all with it unless call-graph= is given too.
 *
 * Only the kernel's limits are read here (sysctl.h). The features that kernels may lack are in attr-missing.c, messages
 * about failures in attr-diagnose.c. */

#include "attr.h"

#include <inttypes.h>
#include "event-spec.h"
#include "ring.h"
#include "sample-registers.h"
#include "sysctl.h"

int attr_options_set_rate(AttrOptions *o, uint64_t frequency, uint64_t period, bool strict, char ***notes, Diagnosis *d) {
        int max = sysctl_read("kernel/perf_event_max_sample_rate", 0);
        uint64_t f = frequency;

        if (frequency > 0 && period > 0)
                return diagnosis_set(d, -EINVAL, "A frequency and a period exclude each other");
        o->user_rate = frequency > 0 || period > 0;
        o->period = period;
        o->frequency = 0;
        if (period > 0)
                return 0;

        if (f == 0)
                f = ATTR_DEFAULT_FREQUENCY;
        if (f == UINT64_MAX)
                f = max > 0 ? (uint64_t) max : ATTR_DEFAULT_FREQUENCY;
        if (max > 0 && f > (uint64_t) max) {
                int r;

                if (strict)
                        return diagnosis_set(d, -ERANGE, "Maximum frequency rate (%d Hz) exceeded: use -F with a lower value, or "
                                             "raise kernel.perf_event_max_sample_rate", max);
                if (frequency == 0)
                        r = strv_extendf(notes, "Lowering the default frequency from %" PRIu64 " to %d Hz, "
                                         "as kernel.perf_event_max_sample_rate says", f, max);
                else
                        r = strv_extendf(notes, "The frequency of %" PRIu64 " Hz is above the kernel's limit: lowered to %d Hz; "
                                         "kernel.perf_event_max_sample_rate raises it", f, max);
                if (r < 0)
                        return r;
                f = (uint64_t) max;
        }
        o->frequency = f;
        return 0;
}

static bool wants_address(const AttrOptions *o) {
        return o->address || o->call_graph.mode == CALL_GRAPH_DWARF;
}

static void set_rate(struct perf_event_attr *a, const AttrOptions *o) {
        if (a->sample_period == 0 || o->user_rate) {
                a->freq = o->period == 0;
                a->sample_period = o->period ?: o->frequency;
        }
        if (a->freq)
                a->sample_type |= PERF_SAMPLE_PERIOD;
        if (o->no_samples)
                a->sample_freq = 0;
}

static void set_tracking(struct perf_event_attr *a, const AttrOptions *o) {
        a->task = a->mmap = a->mmap2 = a->comm = a->comm_exec = a->ksymbol = true;
        a->mmap_data = wants_address(o);
        a->bpf_event = !o->no_bpf_event;
        a->build_id = o->build_ids;
        a->namespaces = o->namespaces;
        a->cgroup = o->cgroups;
        a->context_switch = o->switches;
}

#define TIMES (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)

static void set_levels(struct perf_event_attr *a, const AttrOptions *o) {
        if (o->all_user) {
                a->exclude_kernel = true;
                a->exclude_user = false;
        }
        if (o->all_kernel) {
                a->exclude_kernel = false;
                a->exclude_user = true;
        }
}

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

/* Sets sample_type and the parameters of its fields, from the options of all events. */
static void set_samples(struct perf_event_attr *a, const EventSpec *spec, const AttrOptions *o) {
        const struct {
                bool wanted;
                uint64_t fields;
        } rows[] = {
                { true, PERF_SAMPLE_IP | PERF_SAMPLE_TID },
                { wants_address(o), PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC },
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

/* Applies the event's own terms, which overrule those options. */
static void apply_terms(struct perf_event_attr *a, const EventSpec *spec, const AttrOptions *o, bool tracking) {
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

static void set_start(struct perf_event_attr *a, const EventSpec *spec, const AttrOptions *o) {
        a->disabled = spec->leader;
        a->enable_on_exec = spec->leader && o->enable_on_exec;
        if (o->use_clock) {
                a->use_clockid = true;
                a->clockid = o->clock;
        }
}

/* A counter is read with its times. The sample type is that of perf stat record: its records have the event's id. */
static void attr_build_counter(const EventSpec *spec, const AttrOptions *o, struct perf_event_attr *ret) {
        struct perf_event_attr a = spec->attr;

        a.size = sizeof(a);
        a.sample_period = 0;
        a.freq = a.precise_ip = 0;
        a.sample_type = PERF_SAMPLE_IDENTIFIER;
        a.read_format = PERF_FORMAT_ID | TIMES;
        a.inherit = spec->terms.has_inherit ? spec->terms.inherit : o->inherit;
        set_start(&a, spec, o);
        set_levels(&a, o);
        *ret = a;
}

void attr_build(const EventSpec *spec, const AttrOptions *o, bool tracking, struct perf_event_attr *ret) {
        struct perf_event_attr a = spec->attr;

        if (o->counting) {
                attr_build_counter(spec, o, ret);
                return;
        }
        a.size = sizeof(a);
        a.sample_id_all = true;
        a.inherit = o->inherit;
        a.write_backward = o->overwrite;
        a.inherit_stat = o->stat;
        a.read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST | (o->stat || o->running_time ? TIMES : 0);
        if (spec->sample_read)
                a.sample_type |= PERF_SAMPLE_READ | PERF_SAMPLE_ID;
        if (spec->sample_read && spec->group_size > 1) {
                a.read_format |= PERF_FORMAT_GROUP;
                a.inherit = false; /* before 6.13 the kernel has no inherited group reads */
        }
        set_rate(&a, o);
        set_samples(&a, spec, o);
        if (o->sample_id) {
                a.sample_type |= PERF_SAMPLE_ID;
                a.read_format |= PERF_FORMAT_ID;
        }
        if (o->no_buffering) {
                a.watermark = false;
                a.wakeup_events = 1;
        }
        if (tracking)
                set_tracking(&a, o);
        set_start(&a, spec, o);
        if (spec->precise_max)
                a.precise_ip = 3;
        set_levels(&a, o);
        apply_terms(&a, spec, o, tracking);
        *ret = a;
}

void attr_ask_times(struct perf_event_attr *attr, const EventSpec *spec) {
        if ((attr_is_counter(attr) || spec->n_cpus > 0) && !spec->sample_read)
                attr->read_format |= TIMES;
}

void attr_fall_back_to_clock(struct perf_event_attr *attr, const AttrOptions *o) {
        attr->type = PERF_TYPE_SOFTWARE;
        attr->config = PERF_COUNT_SW_CPU_CLOCK;
        if (!o->stat && !o->running_time)
                attr->read_format &= ~(uint64_t) TIMES;
}

void attr_follow_leader(struct perf_event_attr *attr, const EventSpec *spec, const struct perf_event_attr *leader) {
        if (!spec->terms.has_period && !spec->terms.has_frequency) {
                attr->freq = false;
                attr->sample_period = 0;
        }
        if (!spec->terms.has_overwrite)
                attr->write_backward = false;
        attr->sample_type = leader->sample_type;
}

void attr_unify(struct perf_event_attr *const attrs[], size_t n, bool identifier) {
        if (n < 2 && !identifier)
                return;
        for (size_t i = 1; i < n; i++)
                identifier = identifier || attrs[i]->sample_type != attrs[0]->sample_type;
        for (size_t i = 0; i < n; i++) {
                attrs[i]->read_format |= PERF_FORMAT_ID;
                attrs[i]->sample_type &= ~(uint64_t) PERF_SAMPLE_ID;
                attrs[i]->sample_type |= identifier ? PERF_SAMPLE_IDENTIFIER : PERF_SAMPLE_ID;
        }
}

/* The largest record: the sum of the parts that samples may have, each at its largest (perf_event_open(2)). */

#define FIXED_MAX 256u       /* header, and fields of 8 bytes, of which there are fewer than 32 */
#define BRANCHES_MAX 64u     /* of any known CPU */
#define READ_MAX ((4u + 3u * 64u) * 8u)
#define PATH_RECORD_MAX (4096u + 256u)

static size_t callchain_max(const struct perf_event_attr *a) {
        int frames = a->sample_max_stack > 0 ? a->sample_max_stack : sysctl_read("kernel/perf_event_max_stack", 127);

        return 8 * (size_t) (1 + frames + sysctl_read("kernel/perf_event_max_contexts_per_stack", 8));
}

size_t attr_record_max(const struct perf_event_attr *a, size_t raw_max) {
        uint64_t type = a->sample_type;
        size_t size = FIXED_MAX;

        if (type & PERF_SAMPLE_READ)
                size += READ_MAX;
        if (type & PERF_SAMPLE_CALLCHAIN)
                size += callchain_max(a);
        if (type & PERF_SAMPLE_RAW)
                size += 8 + raw_max;
        if (type & PERF_SAMPLE_BRANCH_STACK)
                size += 16 + BRANCHES_MAX * (sizeof(struct perf_branch_entry) + 8);
        if (type & PERF_SAMPLE_REGS_USER)
                size += 8 + 8 * (size_t) __builtin_popcountll(a->sample_regs_user);
        if (type & PERF_SAMPLE_REGS_INTR)
                size += 8 + 8 * (size_t) __builtin_popcountll(a->sample_regs_intr);
        if (type & PERF_SAMPLE_STACK_USER)
                size += 16 + a->sample_stack_user;
        if (type & PERF_SAMPLE_AUX)
                size += 8 + a->aux_sample_size;
        if (a->mmap || a->comm || a->cgroup || a->ksymbol)
                size = MAX_OF(size, (size_t) PATH_RECORD_MAX);
        return MIN_OF(size, (size_t) RING_RECORD_MAX);
}
