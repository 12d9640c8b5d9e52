/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Every option of perf record 6.1 in one table: supported ones with their field or parser and help, and the others, so
 * that they are refused by name and abbreviations have the same meaning as in perf. Tests compare the help, the man
 * page and the completion with this table. */

#include "option-parsers.h"

#define PARSED(name_, letter_, argument_, value_, group_, parser_, help_, names_file_) \
        { .name = name_, .letter = letter_, .argument = OPTION_##argument_, .value = value_, .group = OPTION_GROUP_##group_, \
          .kind = OPTION_KIND_PARSED, .parse = parser_, .help = help_, .names_file = names_file_ }
#define YES(name, letter, argument, value, group, parser, help) PARSED(name, letter, argument, value, group, parser, help, false)
#define YES_FILE(name, letter, argument, value, group, parser, help) \
        PARSED(name, letter, argument, value, group, parser, help, true)

/* Sets a field of Options. Its type decides the kind. */
#define SWITCH(name_, letter_, group_, field_, help_) \
        { .name = name_, .letter = letter_, .argument = OPTION_FLAG, .group = OPTION_GROUP_##group_, \
          .kind = _Generic(((Options *) NULL)->field_, bool: OPTION_KIND_BOOL, int: OPTION_KIND_TRISTATE), \
          .offset = offsetof(Options, field_), .help = help_ }

/* Has no effect, but old command lines have it. */
#define IGNORED(name_, letter_, group_, help_) \
        { .name = name_, .letter = letter_, .argument = OPTION_FLAG, .group = OPTION_GROUP_##group_, \
          .kind = OPTION_KIND_IGNORED, .help = help_ }

#define NO(name_, letter_, argument_) \
        { .name = name_, .letter = letter_, .argument = OPTION_##argument_, .group = _OPTION_GROUP_MAX, \
          .kind = OPTION_KIND_REFUSED }

static const OptionRow table[] = {
        YES("event", 'e', REQUIRED, "event", EVENTS, option_event,
            "event to record, see perf list; several as a list or with several -e"),
        YES("pfm-events", 0, REQUIRED, "event", EVENTS, option_pfm_events,
            "event by its name in libpfm4, as INST_RETIRED:ANY_P; lists and groups as with -e"),
        YES("filter", 0, REQUIRED, "filter", EVENTS, option_filter,
            "filter for the tracepoints of the previous -e"),
        YES("freq", 'F', REQUIRED, "freq or 'max'", EVENTS, option_frequency,
            "samples per second of each event (default 4000)"),
        YES("count", 'c', REQUIRED, "n", EVENTS, option_count, "a sample every n events, instead of -F"),
        SWITCH("strict-freq", 0, EVENTS, strict_frequency,
            "refuse a frequency above the kernel's limit instead of lowering it"),
        SWITCH("group", 0, EVENTS, group, "open all events as one group"),
        YES("no-inherit", 'i', FLAG, NULL, EVENTS, option_no_inherit,
            "leave out children and threads that start later"),
        SWITCH("stat", 's', EVENTS, attr.stat, "record the counts of each thread that ends, for perf report -T"),
        YES("exclude-perf", 0, FLAG, NULL, EVENTS, option_exclude_perf,
            "leave the recorder itself out of the tracepoints of the previous -e"),

        YES(NULL, 'g', FLAG, NULL, SAMPLES, option_stacks, "record call stacks, by frame pointers"),
        YES("call-graph", 0, NEGATABLE, "fp|dwarf[,SIZE]|lbr|no", SAMPLES, option_call_graph,
            "record call stacks by frame pointers, by copies of SIZE bytes of the stack (8192), or by branch records"),
        SWITCH("kernel-callchains", 0, SAMPLES, attr.kernel_callchains,
            "record only the kernel's part of call stacks"),
        SWITCH("user-callchains", 0, SAMPLES, attr.user_callchains,
            "record only the program's part of call stacks"),
        SWITCH("data", 'd', SAMPLES, attr.address,
            "record the addresses of memory that was accessed, and the maps of data"),
        SWITCH("phys-data", 0, SAMPLES, attr.physical_address, "record physical addresses too"),
        SWITCH("data-page-size", 0, SAMPLES, attr.data_page_size,
            "record the size of the page of the accessed address"),
        SWITCH("code-page-size", 0, SAMPLES, attr.code_page_size,
            "record the size of the page of the instruction"),
        SWITCH("timestamp", 'T', SAMPLES, attr.sample_time,
            "record the time also if it would be left out"),
        SWITCH("period", 'P', SAMPLES, attr.sample_period,
            "record the period of each sample also if it would be left out"),
        SWITCH("sample-cpu", 0, SAMPLES, attr.sample_cpu,
            "record the CPU also if processes are recorded"),
        SWITCH("sample-identifier", 0, SAMPLES, attr.identifier,
            "record the event's id at the beginning of each sample"),
        SWITCH("raw-samples", 'R', SAMPLES, attr.raw, "record the raw data of all events"),
        SWITCH("weight", 'W', SAMPLES, attr.weight,
            "record weights (memory events of hardware counters)"),
        SWITCH("transaction", 0, SAMPLES, attr.transaction,
            "record the flags of transactions (hardware counters)"),
        YES("branch-any", 'b', FLAG, NULL, SAMPLES, option_branch_any,
            "record the last branches taken, of any kind (hardware)"),
        YES("branch-filter", 'j', REQUIRED, "filter,...", SAMPLES, option_branch_filter,
            "record the last branches of some kinds: any, any_call, u, k, …"),
        YES("user-regs", 0, OPTIONAL, "register,...|?", SAMPLES, option_user_regs,
            "record registers of the program; ? lists them"),
        YES("intr-regs", 'I', OPTIONAL, "register,...|?", SAMPLES, option_intr_regs,
            "record registers at the time of the event; ? lists them"),
        YES("clockid", 'k', REQUIRED, "clockid", SAMPLES, option_clockid,
            "the clock of the samples' times: monotonic, monotonic_raw, realtime, boottime, tai"),
        SWITCH("running-time", 0, SAMPLES, attr.running_time,
            "record the time that events counted, in the reads of :S"),
        SWITCH("no-samples", 'n', SAMPLES, attr.no_samples, "count, but take no samples"),
        SWITCH("all-kernel", 0, SAMPLES, attr.all_kernel, "count only in the kernel, all events"),
        SWITCH("all-user", 0, SAMPLES, attr.all_user, "count only in programs, all events"),

        SWITCH("namespaces", 0, SAMPLES, attr.namespaces, "record the namespaces of processes"),
        SWITCH("all-cgroups", 0, SAMPLES, attr.cgroups,
            "record the control group of each sample"),
        SWITCH("switch-events", 0, SAMPLES, attr.switches,
            "record context switches beside the samples"),
        SWITCH("no-bpf-event", 0, SAMPLES, attr.no_bpf_event,
            "do not record that BPF programs are loaded and unloaded"),

        SWITCH("all-cpus", 'a', TARGET, target.all_cpus,
            "record all processes on all CPUs (the default without a target)"),
        YES("cpu", 'C', REQUIRED, "cpu", TARGET, option_cpu, "record these CPUs, as 0-3,5"),
        YES("pid", 'p', REQUIRED, "pid", TARGET, option_pid, "record these processes"),
        YES("tid", 't', REQUIRED, "tid", TARGET, option_tid, "record these threads"),
        YES("uid", 'u', REQUIRED, "user", TARGET, option_uid, "record a user's processes"),
        YES("cgroup", 'G', REQUIRED, "name,...", TARGET, option_cgroup,
            "record control groups: a name for each -e before it; needs -a or -C"),
        SWITCH("per-thread", 0, TARGET, target.per_thread,
            "a ring for each thread instead of each CPU; new threads are not followed"),
        YES("delay", 'D', REQUIRED, "ms or ranges", TARGET, option_delay,
            "wait before the events are enabled (-1: until a control word), or enable them in ranges, as 10-20,30-40"),
        YES("proc-map-timeout", 0, REQUIRED, "ms", TARGET, option_proc_map_timeout,
            "time limit for reading the mappings of a running process (default 500)"),

        YES_FILE("output", 'o', REQUIRED, "file", OUTPUT, option_output,
            "output file (default perf.data), or - for a stream on standard output"),
        YES("compression-level", 'z', OPTIONAL, "n", OUTPUT, option_compression_level,
            "compress, from 1, fastest and the default, to 22"),
        YES("max-size", 0, REQUIRED, "size[BKMG]", OUTPUT, option_max_size, "end the recording when its file has that size"),
        YES("mmap-pages", 'm', REQUIRED, "pages", OUTPUT, option_mmap_pages,
            "size of each ring buffer, in pages or as 4M"),
        SWITCH("overwrite", 0, OUTPUT, attr.overwrite,
            "let the kernel overwrite the oldest samples; written at a signal and at the end"),
        YES("history", 'M', REQUIRED, "size[BKMG]", OUTPUT, option_history,
            "keep the newest samples in that much memory, compressed; written at a signal and at the end"),
        YES("history-level", 0, REQUIRED, "n", OUTPUT, option_history_level,
            "compression level of -M, from 1 to 22, 3 by default; 0: none"),
        YES("history-time", 0, REQUIRED, "time[smhd]", OUTPUT, option_history_time,
            "with -M: drop older samples"),
        SWITCH("unwind", 0, OUTPUT, unwind,
            "with -M and --call-graph dwarf: keep the call chains that stacks show, instead of copies of them"),
        YES("switch-output", 0, OPTIONAL, "signal|size[BKMG]|time[smhd]", OUTPUT, option_switch_output,
            "start a new file on SIGUSR2, at a size or after a time; finished ones get a timestamp"),
        YES("switch-output-event", 0, REQUIRED, "event", OUTPUT, option_switch_output_event,
            "start a new file when this event happens; it is not recorded"),
        YES("switch-max-files", 0, REQUIRED, "n", OUTPUT, option_switch_max_files,
            "keep the last n files that --switch-output made"),
        SWITCH("timestamp-filename", 0, OUTPUT, timestamp_filename,
            "append a timestamp to the file's name"),
        SWITCH("timestamp-boundary", 0, OUTPUT, timestamp_boundary,
            "record the times of the first and last sample also without build ids"),
        SWITCH("tail-synthesize", 0, OUTPUT, preamble_last,
            "record running processes and their maps at the end of a file instead of its beginning"),
        SWITCH("no-buildid", 'B', OUTPUT, no_build_ids, "leave build ids out of the file"),
        SWITCH("buildid-all", 0, OUTPUT, all_build_ids,
            "record build ids of all mapped files, not only of those with samples"),
        SWITCH("buildid-mmap", 0, OUTPUT, attr.build_ids,
            "record build ids in the kernel's records of maps, instead of a table at the end"),
        YES("symbols", 0, OPTIONAL, "size[BKMG]", OUTPUT, option_symbols,
            "put the symbols of binaries with samples beside each finished file, up to that size (default 64M)"),
        IGNORED("force", 'f', OUTPUT,
            "accepted for compatibility: an existing file always becomes .old"),
        IGNORED("no-buildid-cache", 'N', OUTPUT,
            "accepted for compatibility: there is no cache"),

        YES("trigger-signal", 0, REQUIRED, "signal", TRIGGER, option_trigger_signal,
            "dump at this signal, as at SIGUSR2"),
        YES("trigger-event", 0, REQUIRED, "event [filter]", TRIGGER, option_trigger_event,
            "dump when this event happens; it is not recorded"),
        YES_FILE("trigger-bpf", 0, REQUIRED, "file[:map]", TRIGGER, option_trigger_bpf,
            "load the BPF programs of an object file, dump when they put something into a ring buffer"),
        YES("trigger-pressure", 0, REQUIRED, "cpu|memory|io:threshold/window[:cgroup]", TRIGGER, option_trigger_pressure,
            "dump when tasks had to wait longer than a threshold, such as 150ms, within a window, such as 1s"),
        YES("trigger-delay", 0, REQUIRED, "time", TRIGGER, option_trigger_delay, "go on recording for that time before a dump"),
        YES("trigger-limit", 0, REQUIRED, "dumps/time", TRIGGER, option_trigger_limit,
            "refuse more dumps than that, such as 5/1min; 0/0: no limit"),
        SWITCH("trigger-announce", 0, TRIGGER, triggers.announce,
            "notify the service when a dump begins, for the sessions that dump with this one"),
        SWITCH("trigger-overlap", 0, TRIGGER, triggers.overlap,
            "dump all that is in memory also for automatic dumps"),
        SWITCH("trigger-shutdown", 0, TRIGGER, triggers.shutdown,
            "write what is in memory at the end, which is the default"),

        YES_FILE("control", 0, REQUIRED, "fifo:ctl[,ack] or fd:n[,m]", CONTROL, option_control,
            "listen there for enable, disable, evlist, snapshot, ping, stop"),
        YES("untrusted", 0, FLAG, NULL, CONTROL, option_untrusted,
            "refuse files in the options that follow, which another user gave: -o, --control, --trigger-bpf, uprobes"),
        YES("realtime", 'r', REQUIRED, "priority", CONTROL, option_realtime, "record with this real-time (SCHED_FIFO) priority"),
        SWITCH("no-buffering", 0, CONTROL, attr.no_buffering, "wake up for each event"),
        YES("verbose", 'v', FLAG, NULL, CONTROL, option_verbose, "print more; twice: also the events that are opened"),
        SWITCH("quiet", 'q', CONTROL, quiet, "print only errors"),
        SWITCH("dry-run", 0, CONTROL, dry_run, "check the command line, record nothing"),
        SWITCH("try", 0, CONTROL, try_only,
            "open the events as for a recording, print the size of their rings, record nothing"),
        SWITCH("help", 'h', CONTROL, help, "show this"),

        NO("mmap-flush", 0, REQUIRED),
        NO("kcore", 0, FLAG),
        NO("snapshot", 'S', OPTIONAL),
        NO("aux-sample", 0, OPTIONAL),
        NO("clang-path", 0, REQUIRED),
        NO("clang-opt", 0, REQUIRED),
        NO("vmlinux", 0, REQUIRED),
        NO("aio", 0, OPTIONAL),
        NO("affinity", 0, REQUIRED),
        NO("num-thread-synthesize", 0, REQUIRED),
        NO("synth", 0, REQUIRED),
        NO("debuginfod", 0, OPTIONAL),
        NO("threads", 0, OPTIONAL),
        NO("off-cpu", 0, FLAG),
        {},
};

const OptionRow *option_table(void) {
        return table;
}
