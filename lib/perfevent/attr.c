/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* From options to struct perf_event_attr. What is set here decides what the file holds, so it is bit for bit what perf
 * record 6.1 sets for the same words (its evsel__config() and evlist__config()): readers that know perf's files know
 * ours. The order of the steps matters, because later ones overrule earlier ones: the event's own nature, the options of
 * all events, the event's terms, the group, then ids over all events.
 *
 * No system call here but for the one limit that perf lowers -F to. Texts about failures are in attr-diagnose.c, the
 * printed form in attr-describe.c. */

#include "attr.h"

#include <inttypes.h>
#include "event-spec.h"
#include "sysctl.h"

static int note_lowered(char ***notes, bool asked, uint64_t frequency, int max) {
        if (!asked)
                return strv_extendf(notes, "Lowering the default frequency from %" PRIu64 " to %d Hz, "
                                    "as kernel.perf_event_max_sample_rate says", frequency, max);
        return strv_extendf(notes, "The frequency of %" PRIu64 " Hz is above the kernel's limit: lowered to %d Hz; "
                            "kernel.perf_event_max_sample_rate raises it", frequency, max);
}

int attr_options_set_rate(AttrOptions *o, uint64_t frequency, uint64_t period, char ***notes, Diagnosis *d) {
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
                int r = note_lowered(notes, frequency > 0, f, max);

                if (r < 0)
                        return r;
                f = (uint64_t) max;
        }
        o->frequency = f;
        return 0;
}

static void set_rate(struct perf_event_attr *a, const AttrOptions *o) {
        if (a->sample_period == 0 || o->user_rate) {
                a->freq = o->period == 0;
                a->sample_period = o->period ?: o->frequency;
        }
        if (a->freq)
                a->sample_type |= PERF_SAMPLE_PERIOD;
}

static void set_sample_read(struct perf_event_attr *a, const EventSpec *spec) {
        a->sample_type |= PERF_SAMPLE_READ | PERF_SAMPLE_ID;
        if (spec->group_size > 1) {
                a->read_format |= PERF_FORMAT_GROUP;
                a->inherit = false; /* before 6.13 the kernel has no inherited group reads */
        }
}

static void set_call_graph(struct perf_event_attr *a, bool on, unsigned max_stack) {
        if (!on) {
                a->sample_type &= ~(uint64_t) PERF_SAMPLE_CALLCHAIN;
                return;
        }
        a->sample_type |= PERF_SAMPLE_CALLCHAIN;
        a->sample_max_stack = (uint16_t) MIN_OF(max_stack, 65535U);
}

static void set_tracking(struct perf_event_attr *a) {
        a->task = a->mmap = a->mmap2 = a->comm = a->comm_exec = a->ksymbol = a->bpf_event = true;
}

static void apply_terms(struct perf_event_attr *a, const EventTerms *t) {
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
        if (t->has_time)
                a->sample_type = (a->sample_type & ~(uint64_t) PERF_SAMPLE_TIME) | (t->time ? PERF_SAMPLE_TIME : 0);
        if (t->has_inherit)
                a->inherit = t->inherit;
        if (t->has_overwrite)
                a->write_backward = t->overwrite;
        if (t->has_call_graph || t->max_stack > 0)
                set_call_graph(a, !t->has_call_graph || t->call_graph, t->max_stack);
}

void attr_build(const EventSpec *spec, const AttrOptions *o, bool tracking, struct perf_event_attr *ret) {
        struct perf_event_attr a = spec->attr;

        a.size = sizeof(a);
        a.sample_id_all = true;
        a.inherit = o->inherit;
        a.write_backward = o->overwrite;
        a.read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST;
        a.sample_type |= PERF_SAMPLE_IP | PERF_SAMPLE_TID;
        if (spec->sample_read)
                set_sample_read(&a, spec);
        set_rate(&a, o);
        if (o->call_graph)
                set_call_graph(&a, true, o->max_stack);
        if (o->has_cpu)
                a.sample_type |= PERF_SAMPLE_CPU;
        if (a.inherit || o->has_cpu || !o->per_thread)
                a.sample_type |= PERF_SAMPLE_TIME;
        if (tracking)
                set_tracking(&a);
        a.disabled = spec->leader;
        a.enable_on_exec = spec->leader && o->enable_on_exec;
        if (spec->precise_max)
                a.precise_ip = 3;
        apply_terms(&a, &spec->terms);
        /* perf has this for the function tracer's event: walking user stacks from there may fault. */
        if (streq_ptr(spec->tracepoint_system, "ftrace") && streq_ptr(spec->tracepoint_name, "function"))
                a.exclude_callchain_user = true;
        *ret = a;
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

void attr_unify(struct perf_event_attr *const attrs[], size_t n) {
        bool identifier = false;

        if (n < 2)
                return;
        for (size_t i = 1; i < n; i++)
                identifier = identifier || attrs[i]->sample_type != attrs[0]->sample_type;
        for (size_t i = 0; i < n; i++) {
                attrs[i]->read_format |= PERF_FORMAT_ID;
                attrs[i]->sample_type &= ~(uint64_t) PERF_SAMPLE_ID;
                attrs[i]->sample_type |= identifier ? PERF_SAMPLE_IDENTIFIER : PERF_SAMPLE_ID;
        }
}

void attr_drop_missing(struct perf_event_attr *attr, unsigned long *flags, const AttrMissing *missing) {
        if (missing->read_lost)
                attr->read_format &= ~(uint64_t) PERF_FORMAT_LOST;
        if (missing->bpf_event)
                attr->bpf_event = false;
        if (missing->ksymbol)
                attr->ksymbol = false;
        if (missing->cloexec)
                *flags &= ~(unsigned long) PERF_FLAG_FD_CLOEXEC;
        if (missing->mmap2)
                attr->mmap2 = false;
        if (missing->exclude_guest)
                attr->exclude_guest = attr->exclude_host = false;
        if (missing->sample_id_all)
                attr->sample_id_all = false;
        if (missing->group_read && attr->inherit)
                attr->read_format &= ~(uint64_t) (PERF_FORMAT_GROUP | PERF_FORMAT_ID);
}

bool attr_give_up_feature(AttrMissing *missing, const struct perf_event_attr *attr, unsigned long flags, bool keep_guest,
                          const char **ret_why) {
        /* The order is the reverse of that in which kernels got these: 6.0, 5.1, 5.1, 4.7, 3.14, 3.12, 3.2, 2.6.38. */
        if (!missing->read_lost && (attr->read_format & PERF_FORMAT_LOST))
                missing->read_lost = true;
        else if (!missing->bpf_event && attr->bpf_event)
                missing->bpf_event = true;
        else if (!missing->ksymbol && attr->ksymbol)
                missing->ksymbol = true;
        else if (!missing->write_backward && attr->write_backward) {
                missing->write_backward = true;
                *ret_why = "this kernel has no overwrite rings (they came with 4.7)";
                return false;
        } else if (!missing->cloexec && (flags & PERF_FLAG_FD_CLOEXEC))
                missing->cloexec = true;
        else if (!missing->mmap2 && attr->mmap2)
                missing->mmap2 = true;
        else if (!missing->exclude_guest && (attr->exclude_guest || attr->exclude_host)) {
                if (keep_guest) {
                        *ret_why = "this counter can't tell guest from host (modifiers G and H)";
                        return false;
                }
                missing->exclude_guest = true;
        } else if (!missing->sample_id_all && attr->sample_id_all)
                missing->sample_id_all = true;
        else if (!missing->group_read && attr->inherit && (attr->read_format & PERF_FORMAT_GROUP))
                missing->group_read = true;
        else
                return false;
        return true;
}
