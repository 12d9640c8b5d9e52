/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "options.h"

/* One function an option, all of type OptionParser, by subject: options-events.c, options-samples.c, options-target.c,
 * options-output.c, options-trigger.c, options-control.c. */

/* Appends the events of an option's value to one of the lists of o. */
int option_parse_event(Options *o, EventSpecs *list, const char *value, Diagnosis *d);

int option_event(Options *o, const char *value, bool unset, Diagnosis *d);
int option_pfm_events(Options *o, const char *value, bool unset, Diagnosis *d);
int option_filter(Options *o, const char *value, bool unset, Diagnosis *d);
int option_frequency(Options *o, const char *value, bool unset, Diagnosis *d);
int option_count(Options *o, const char *value, bool unset, Diagnosis *d);
int option_no_inherit(Options *o, const char *value, bool unset, Diagnosis *d);
int option_stat(Options *o, const char *value, bool unset, Diagnosis *d);
int option_exclude_perf(Options *o, const char *value, bool unset, Diagnosis *d);

int option_stacks(Options *o, const char *value, bool unset, Diagnosis *d);
int option_call_graph(Options *o, const char *value, bool unset, Diagnosis *d);
int option_data(Options *o, const char *value, bool unset, Diagnosis *d);
int option_phys_data(Options *o, const char *value, bool unset, Diagnosis *d);
int option_data_page_size(Options *o, const char *value, bool unset, Diagnosis *d);
int option_code_page_size(Options *o, const char *value, bool unset, Diagnosis *d);
int option_sample_cpu(Options *o, const char *value, bool unset, Diagnosis *d);
int option_sample_identifier(Options *o, const char *value, bool unset, Diagnosis *d);
int option_raw_samples(Options *o, const char *value, bool unset, Diagnosis *d);
int option_weight(Options *o, const char *value, bool unset, Diagnosis *d);
int option_transaction(Options *o, const char *value, bool unset, Diagnosis *d);
int option_no_samples(Options *o, const char *value, bool unset, Diagnosis *d);
int option_kernel_callchains(Options *o, const char *value, bool unset, Diagnosis *d);
int option_user_callchains(Options *o, const char *value, bool unset, Diagnosis *d);
int option_all_kernel(Options *o, const char *value, bool unset, Diagnosis *d);
int option_all_user(Options *o, const char *value, bool unset, Diagnosis *d);
int option_namespaces(Options *o, const char *value, bool unset, Diagnosis *d);
int option_all_cgroups(Options *o, const char *value, bool unset, Diagnosis *d);
int option_switch_events(Options *o, const char *value, bool unset, Diagnosis *d);
int option_no_bpf_event(Options *o, const char *value, bool unset, Diagnosis *d);
int option_running_time(Options *o, const char *value, bool unset, Diagnosis *d);
int option_timestamp(Options *o, const char *value, bool unset, Diagnosis *d);
int option_period(Options *o, const char *value, bool unset, Diagnosis *d);
int option_strict_freq(Options *o, const char *value, bool unset, Diagnosis *d);
int option_group(Options *o, const char *value, bool unset, Diagnosis *d);
int option_branch_any(Options *o, const char *value, bool unset, Diagnosis *d);
int option_branch_filter(Options *o, const char *value, bool unset, Diagnosis *d);
int option_user_regs(Options *o, const char *value, bool unset, Diagnosis *d);
int option_intr_regs(Options *o, const char *value, bool unset, Diagnosis *d);
int option_clockid(Options *o, const char *value, bool unset, Diagnosis *d);

int option_all_cpus(Options *o, const char *value, bool unset, Diagnosis *d);
int option_cpu(Options *o, const char *value, bool unset, Diagnosis *d);
int option_pid(Options *o, const char *value, bool unset, Diagnosis *d);
int option_tid(Options *o, const char *value, bool unset, Diagnosis *d);
int option_uid(Options *o, const char *value, bool unset, Diagnosis *d);
int option_cgroup(Options *o, const char *value, bool unset, Diagnosis *d);
int option_per_thread(Options *o, const char *value, bool unset, Diagnosis *d);
int option_delay(Options *o, const char *value, bool unset, Diagnosis *d);
int option_proc_map_timeout(Options *o, const char *value, bool unset, Diagnosis *d);

int option_output(Options *o, const char *value, bool unset, Diagnosis *d);
int option_mmap_pages(Options *o, const char *value, bool unset, Diagnosis *d);
int option_overwrite(Options *o, const char *value, bool unset, Diagnosis *d);
int option_switch_output(Options *o, const char *value, bool unset, Diagnosis *d);
int option_switch_output_event(Options *o, const char *value, bool unset, Diagnosis *d);
int option_compression_level(Options *o, const char *value, bool unset, Diagnosis *d);
int option_history(Options *o, const char *value, bool unset, Diagnosis *d);
int option_history_level(Options *o, const char *value, bool unset, Diagnosis *d);
int option_history_time(Options *o, const char *value, bool unset, Diagnosis *d);
int option_max_size(Options *o, const char *value, bool unset, Diagnosis *d);
int option_tail_synthesize(Options *o, const char *value, bool unset, Diagnosis *d);
int option_timestamp_boundary(Options *o, const char *value, bool unset, Diagnosis *d);
int option_try(Options *o, const char *value, bool unset, Diagnosis *d);
int option_dry_run(Options *o, const char *value, bool unset, Diagnosis *d);
int option_switch_max_files(Options *o, const char *value, bool unset, Diagnosis *d);
int option_timestamp_filename(Options *o, const char *value, bool unset, Diagnosis *d);
int option_no_buildid(Options *o, const char *value, bool unset, Diagnosis *d);
int option_buildid_all(Options *o, const char *value, bool unset, Diagnosis *d);
int option_symbols(Options *o, const char *value, bool unset, Diagnosis *d);
int option_buildid_mmap(Options *o, const char *value, bool unset, Diagnosis *d);
int option_force(Options *o, const char *value, bool unset, Diagnosis *d);
int option_no_buildid_cache(Options *o, const char *value, bool unset, Diagnosis *d);

int option_trigger_signal(Options *o, const char *value, bool unset, Diagnosis *d);
int option_trigger_event(Options *o, const char *value, bool unset, Diagnosis *d);
int option_trigger_bpf(Options *o, const char *value, bool unset, Diagnosis *d);
int option_trigger_pressure(Options *o, const char *value, bool unset, Diagnosis *d);
int option_trigger_delay(Options *o, const char *value, bool unset, Diagnosis *d);
int option_trigger_limit(Options *o, const char *value, bool unset, Diagnosis *d);
int option_trigger_announce(Options *o, const char *value, bool unset, Diagnosis *d);
int option_trigger_overlap(Options *o, const char *value, bool unset, Diagnosis *d);
int option_trigger_shutdown(Options *o, const char *value, bool unset, Diagnosis *d);

int option_untrusted(Options *o, const char *value, bool unset, Diagnosis *d);
int option_control(Options *o, const char *value, bool unset, Diagnosis *d);
int option_realtime(Options *o, const char *value, bool unset, Diagnosis *d);
int option_no_buffering(Options *o, const char *value, bool unset, Diagnosis *d);
int option_verbose(Options *o, const char *value, bool unset, Diagnosis *d);
int option_quiet(Options *o, const char *value, bool unset, Diagnosis *d);
int option_help(Options *o, const char *value, bool unset, Diagnosis *d);
