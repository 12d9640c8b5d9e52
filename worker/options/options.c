/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The part of the command line that takes all options: defaults and contradictions. Nothing here opens or prints. */

#include "options.h"
#include "array.h"
#include "privilege.h"
#include "sysctl.h"
#include "sample-registers.h"

#define COMMAND_TO_COME ((pid_t) INT32_MAX) /* makes it a target; the command is forked when the rest is right */

/* As in perf, the default event leaves the kernel out if the user may not see it. */
static int options_settle_events(Options *o, char ***notes) {
        bool sees_kernel = privilege_sees_kernel();
        int r;

        if (o->events.n_specs > 0)
                return 0;
        r = event_specs_add_default(&o->events, NULL);
        if (r < 0 || sees_kernel)
                return r;
        r = event_specs_leave_out_kernel(&o->events);
        if (r < 0)
                return r;
        return strv_extendf(notes, "kernel.perf_event_paranoid is %d: the kernel is left out",
                            sysctl_read("kernel/perf_event_paranoid", 2));
}

static int options_settle_target(Options *o, char ***notes, Diagnosis *d) {
        if (o->cgroup && !target_has_cpu(&o->target))
                return diagnosis_set(d, -EINVAL, "cgroup monitoring only available in system-wide mode");
        /* As in perf, threads named by -t are recorded without those that they start, unless --inherit is set. */
        if (o->target.n_tids > 0 && !o->inherit_set)
                o->attr.inherit = false;
        if (o->command)
                o->target.command = COMMAND_TO_COME;
        return target_check(&o->target, notes);
}

/* Rejects contradictions, and notes options that have another effect than they say. */
static int options_settle_samples(Options *o, char ***notes, Diagnosis *d) {
        const AttrOptions *a = &o->attr;

        if (a->kernel_callchains && a->user_callchains)
                return diagnosis_set(d, -EINVAL, "--kernel-callchains and --user-callchains exclude each other");
        if (a->call_graph.mode == CALL_GRAPH_DWARF && SAMPLE_REGISTERS_ALL == 0)
                return diagnosis_set(d, -EOPNOTSUPP, "--call-graph dwarf needs registers in samples, which this kind of machine "
                                     "does not have; --call-graph fp works");
        if (a->call_graph.mode == CALL_GRAPH_LBR && a->branch_type > 0)
                return strv_extend(notes, "Cannot use LBR callstack with branch stack. Falling back to framepointers.");
        if (a->call_graph.mode == CALL_GRAPH_DWARF && a->user_registers > 0 && a->user_registers != SAMPLE_REGISTERS_ALL)
                return strv_extend(notes, "The use of --call-graph=dwarf may require all the user registers; with a subset by "
                                   "--user-regs unwinding may be unreliable. The instruction and stack pointers are recorded in "
                                   "any case.");
        return 0;
}

/* A history is only written for triggers; options that write at other times contradict it. */
static int options_settle_history(Options *o, Diagnosis *d) {
        const EventSpec *s = o->events.specs;
        bool overwrite = ANY_OF(o->events.n_specs, i, s[i].terms.has_overwrite && s[i].terms.overwrite);
        const char *other = o->attr.overwrite || overwrite ? "--overwrite" :
                            o->preamble_last ? "--tail-synthesize" :
                            o->switch_output.size > 0 ? "a size for --switch-output" : NULL;

        if (o->unwind && o->history_size == 0)
                return diagnosis_set(d, -EINVAL, "--unwind is for a history ring, which -M SIZE asks for");
#ifndef __x86_64__
        if (o->unwind)
                return diagnosis_set(d, -EOPNOTSUPP, "--unwind is not supported on this kind of machine");
#endif
        if (o->history_size == 0)
                return o->history_time == USEC_INFINITY ? 0 :
                       diagnosis_set(d, -EINVAL, "--history-time is for a history ring, which -M SIZE asks for");
        if (other)
                return diagnosis_set(d, -EINVAL, "-M and %s exclude each other", other);
        if (o->attr.sample_time == 0)
                return diagnosis_set(d, -EINVAL, "-M needs the times of samples, which --no-timestamp leaves out");
        o->attr.sample_time = 1;
        return 0;
}

/* Counts are kept in a history only. Their times are those of a clock that can be read. */
static int options_settle_counting(Options *o, Diagnosis *d) {
        AttrOptions *a = &o->attr;
        const char *other = o->history_size == 0 ? NULL : o->frequency_given || o->period > 0 ? "rate of samples (-F, -c)" :
                            a->call_graph.mode != CALL_GRAPH_NONE ? "call stacks (-g, --call-graph)" :
                            a->branch_type > 0 ? "branches (-b, -j)" : NULL;

        if (o->each_unit && (o->history_interval == 0 || o->cgroup || !target_has_cpu(&o->target)))
                return diagnosis_set(d, -EINVAL, "--for-each-unit is for events that are counted (--history-interval) on CPUs "
                                     "(-a, -C), and excludes -G");
        if (o->history_interval == 0)
                return 0;
        if (o->history_size == 0)
                return diagnosis_set(d, -EINVAL, "--history-interval is for a history ring, which -M SIZE asks for");
        if (other)
                return diagnosis_set(d, -EINVAL, "--history-interval counts, and has no %s", other);
        a->counting = true;
        o->target.per_thread = !target_has_cpu(&o->target);
        if (!a->use_clock) {
                a->use_clock = true;
                a->clock = CLOCK_MONOTONIC;
        }
        return 0;
}

int options_settle(Options *o, char ***notes, Diagnosis *d) {
        int r;

        if (o->frequency_given && o->frequency == 0 && o->period == 0)
                return diagnosis_set(d, -EINVAL, "frequency and count are zero, aborting");
        r = attr_options_set_rate(&o->attr, o->frequency, o->period, o->strict_frequency, notes, d);
        if (r >= 0)
                r = options_settle_target(o, notes, d);
        if (r >= 0)
                r = options_settle_events(o, notes);
        if (r >= 0)
                r = options_settle_samples(o, notes, d);
        if (r >= 0)
                r = options_settle_history(o, d);
        if (r >= 0)
                r = options_settle_counting(o, d);
        if (r >= 0 && o->group)
                event_specs_group_all(&o->events);
        if (r >= 0 && o->switch_output.enabled)
                o->timestamp_filename = true;
        return r;
}

void options_done(Options *o) {
        event_specs_done(&o->events);
        event_specs_done(&o->switch_events);
        trigger_options_done(&o->triggers);
        free(o->wrong_event);
        target_done(&o->target);
        enable_times_done(&o->enable_times);
        free(o->cgroup);
        free(o->each_unit);
        free(o->output);
        free(o->control);
        free(o->registers);
        strv_free(o->command);
        *o = (Options) OPTIONS_DEFAULT;
}
