/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "options.h"

/* A function for each option that does more than set a field, by subject. */

/* Appends the events of an option's value to one of the lists of o. */
int option_parse_event(Options *o, EventSpecs *list, const char *value, Diagnosis *d);

/* options-events.c */
OptionParser option_event, option_pfm_events, option_filter, option_frequency, option_count, option_no_inherit,
        option_exclude_perf;
OptionParser option_stacks, option_call_graph, option_branch_any, option_branch_filter, option_user_regs,
        option_intr_regs, option_clockid;
OptionParser option_cpu, option_pid, option_tid, option_uid, option_cgroup, option_for_each_unit, option_delay,
        option_proc_map_timeout;

/* options-output.c */
OptionParser option_output, option_mmap_pages, option_history, option_history_interval, option_history_level, option_history_time,
        option_switch_output, option_switch_output_event, option_switch_max_files, option_symbols,
        option_compression_level, option_max_size;
OptionParser option_control, option_untrusted, option_realtime, option_verbose;

/* options-trigger.c */
OptionParser option_trigger_signal, option_trigger_event, option_trigger_bpf, option_trigger_counter,
        option_trigger_pressure,
        option_trigger_delay, option_trigger_limit;
