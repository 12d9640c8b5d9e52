/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "common-rows.h"

/* These are the options of report. */

#define REPORT_ROWS \
        RECORDING_ROWS(ReportOptions, "several of them are shown as one"), \
        VIEW_SET(ReportOptions, parts.header, "header", 0, "Show the header of the recording first"), \
        VIEW_SET(ReportOptions, parts.header_only, "header-only", 0, "Show nothing else"), \
        VIEW_SET(ReportOptions, parts.header_full, "show-info", 'I', "Show tables of CPUs, caches and memory in the header"), \
        VIEW_SET(ReportOptions, parts.stats, "stats", 0, "Show only how many records of each type there are"), \
        VIEW_SET(ReportOptions, parts.dump, "dump-raw-trace", 'D', "Show all records as they are, and how many of each type"), \
        VIEW_SET(ReportOptions, parts.tasks, "tasks", 0, "Show only the tasks, each below the one that forked it"), \
        VIEW_SET(ReportOptions, parts.mmaps, "mmaps", 0, "Show them with what they had mapped"), \
        VIEW_SET(ReportOptions, parts.off_cpu, "off-cpu", 0, "Show how long threads waited, for what, and who woke them,\n" \
                 "out of all samples of sched:sched_switch and sched_waking"), \
        VIEW_CALL(ReportOptions, parts.json, "json", 0, "[=MODE]", take_json, "Print an object of JSON: short, pretty, or off"), \
        VIEW_WHOLE("sort", 's', "=KEY[,KEY...]", take_sort, "Group by comm, pid or tid, dso, sym, cpu, time,\n" \
                   "cgroup, unit, container, host, parallelism, srcline, srcfile,\n" \
                   "trace, parent, a field of tracepoints, EVENT.FIELD,\n" \
                   "trace_fields (comm,dso,sym; trace if all events are\n" \
                   "tracepoints); +KEY: by these, too;\n" \
                   "weight, ins_lat, p_stage_cyc, retire_lat,\n" \
                   "each of them of one sample with local_ before it; mem,\n" \
                   "snoop, locked, tlb, blocked, dcacheline, symbol_daddr,\n" \
                   "dso_daddr, symbol_iaddr, phys_daddr, data_page_size,\n" \
                   "code_page_size, transaction, addr, symbol_size, dso_size;\n" \
                   "of branches: dso, symbol, srcline and addr with _from\n" \
                   "or _to behind it, mispredict, abort, in_tx, cycles"), \
        VIEW_WHOLE("branch-stack", 'b', NULL, take_branches, \
                   "Count branches, if samples have any (the default then)", .number = 1), \
        VIEW_WHOLE("no-branch-stack", 0, NULL, take_branches, "Count samples"), \
        VIEW_SET(ReportOptions, counting.memory, "mem-mode", 0, "Count the weights of memory accesses"), \
        VIEW_SET(ReportOptions, words.traces.raw, "raw-trace", 0, "Show the fields of tracepoints as they were recorded"), \
        VIEW_WHOLE("fields", 'F', "=FIELD[,...]", take_fields, "Show these: overhead, overhead_children, overhead_sys,\n" \
                   "overhead_us, latency, sample, period, and keys; +FIELD: these, too"), \
        VIEW_NEXT(ReportOptions, graph, "call-graph", 'g', "[=WORD,...]", take_call_graph, \
                  "Show call chains as graph, fractal, flat, folded or\n" \
                  "none; least percentage; most lines; caller, callee;\n" \
                  "function, address, srcline; percent, period, count"), \
        VIEW_CALL(ReportOptions, graph, "inverted", 'G', NULL, take_inverted, "Show callers first"), \
        VIEW_WHOLE("children", 0, NULL, take_children, NULL), \
        VIEW_WHOLE("no-children", 0, NULL, take_children, "Count samples for callers too, or not", .number = 1), \
        VIEW_CALL(ReportOptions, counting.parent, "parent", 'p', "=REGEX", take_pattern, \
                  "Group by the functions in call chains that match, too"), \
        VIEW_SET(ReportOptions, counting.with_parent, "exclude-other", 'x', \
                 "Show only what has such a function in its call chain"), \
        VIEW_CALL(ReportOptions, counting.ignored_callees, "ignore-callees", 0, "=REGEX", take_pattern, \
                  "Count what these functions called as theirs"), \
        VIEW_SET(ReportOptions, counting.resolved, "hide-unresolved", 'U', "Leave out code without a symbol"), \
        VIEW_SET(ReportOptions, look.nanoseconds, "ns", 0, "Show times in nanoseconds"), \
        VIEW_CALL(ReportOptions, look.colors, "stdio-color", 0, "=MODE", share_colors_take, \
                  "Colours: always, never or auto (on a terminal)"), \
        VIEW_CALL(ReportOptions, grouping, "group", 0, NULL, take_grouping, NULL, .number = REPORT_GROUP_ALL), \
        VIEW_CALL(ReportOptions, grouping, "no-group", 0, NULL, take_grouping, \
                  "Show the events of a group side by side (the default; all\n" \
                  "events if there is no group), or not", .number = REPORT_GROUP_OFF), \
        VIEW_CALL(ReportOptions, group_sort, "group-sort-idx", 0, "=NUMBER", take_group_sort, \
                  "Sort by that event of a group; 0 is the first one"), \
        VIEW_SET(ReportOptions, look.samples, "show-nr-samples", 'n', "Show the number of samples"), \
        VIEW_SET(ReportOptions, look.period, "show-total-period", 0, "Show the sum of periods"), \
        VIEW_SET(ReportOptions, look.modes, "showcpuutilization", 0, NULL), \
        VIEW_SET(ReportOptions, look.modes, "show-cpu-utilization", 0, \
                 "Show the parts of shares in the kernel and in user space"), \
        VIEW_SET(ReportOptions, look.latency_first, "latency", 0, "Sort by shares of the time that passed, by recorded context\n" \
                 "switches: of N threads that run, each has one Nth of it"), \
        VIEW_WHOLE("parallelism", 0, "=N[-N][,...]", take_parallelism, "Only samples while so many threads ran"), \
        VIEW_SET(ReportOptions, look.confidence, "conf", 0, "Show in which interval a share is with 95 % confidence"), \
        VIEW_CALL(ReportOptions, look.separator, "field-separator", 't', "=CHAR", view_option_take_character, \
                  "Separate columns by that character"), \
        VIEW_WHOLE("column-widths", 'w', "=N[,N...]", take_widths, "Cut the columns to these widths; 0: do not"), \
        VIEW_WHOLE("percent-limit", 0, "=PERCENT", take_percent_limit, "Leave out what is less"), \
        VIEW_CALL(ReportOptions, counting.max_stack, "max-stack", 0, "=NUMBER", take_max_stack, \
                  "Use at most that many addresses of a call chain (127)"), \
        VIEW_SET(ReportOptions, look.hierarchy, "hierarchy", 0, "Show the keys as levels, each with its sums"), \
        VIEW_CALL(ReportOptions, look.relative, "percentage", 0, "=relative", take_percentage, "Show shares of what is shown"), \
        SELECTION_ROW(ReportOptions, COMMS, "comms", 'c', "=NAME[,NAME...]", "Only threads with these names; file://FILE: those\n" \
                      "that are its lines"), \
        SELECTION_ROW(ReportOptions, DSOS, "dsos", 'd', "=NAME[,NAME...]", "Only samples in these binaries"), \
        SELECTION_ROW(ReportOptions, SYMBOLS, "symbols", 'S', "=NAME[,NAME...]", "Only samples in these functions"), \
        VIEW_TEXT(ReportOptions, counting.symbol_part, "symbol-filter", 0, "=TEXT", "Only functions with that in their name"), \
        SELECTION_ROWS(ReportOptions), \
        SELECTION_TIME_ROWS(ReportOptions), \
        VIEW_CALL(ReportOptions, counting.slice, "time-quantum", 0, "=TIME", take_time_quantum, \
                  "The length of a slice of the key time (100ms)"), \
        VIEW_SET(ReportOptions, counting.inlined, "inline", 0, NULL), \
        VIEW_CLEAR(ReportOptions, counting.inlined, "no-inline", 0, \
                   "Show inlined functions in call chains, or not (the default)"), \
        VIEW_SET(ReportOptions, look.full_source_path, "full-source-path", 0, \
                 "Show whole paths of source files, not their base names"), \
        NAME_ROWS(ReportOptions), \
        VIEW_SET(ReportOptions, names.plain_addresses, "plain-addresses", 0, \
                 "Show code without symbols by its addresses, and not\nby the starts of its functions"), \
        VIEW_SET(ReportOptions, quiet, "quiet", 'q', "Print no headers"), \
        VIEW_SET(ReportOptions, verbose, "verbose", 'v', "Report all files that are not used, not only the first"), \
        VIEW_ACCEPTED("force", 'f'), \
        VIEW_ACCEPTED("modules", 'm'), \
        VIEW_WHOLE("stdio", 0, NULL, take_stdio, "Print perf's text on a terminal, too"), \
        VIEW_CALL(ReportOptions, look.columns, "columns", 0, "=NUMBER", take_columns, \
                  "Fit the report into that many columns, as it fits a\nterminal; 0: as --stdio"), \
        VIEW_SET(ReportOptions, browser, "tui", 0, "Browse the entries, as perfctl does on a terminal"), \
        VIEW_CLEAR(ReportOptions, browser, "plain", 0, "Print text on a terminal, too, for screen readers"), \
        VIEW_ACCEPTED("demangle-kernel", 0), \
        VIEW_ACCEPTED("skip-empty", 0), \
        VIEW_ACCEPTED("source", 0), \
        VIEW_ACCEPTED("asm-raw", 0), \
        VIEW_ACCEPTED_VALUE("disassembler-style", 'M', "=STYLE"), \
        VIEW_ACCEPTED_VALUE("prefix", 0, "=PREFIX"), \
        VIEW_ACCEPTED_VALUE("prefix-strip", 0, "=N"), \
        VIEW_ACCEPTED_VALUE("percent-type", 0, "=TYPE"), \
        VIEW_ACCEPTED_VALUE("samples", 0, "=NUMBER"), \
        VIEW_ACCEPTED_VALUE("objdump", 0, "=PATH"), \
        VIEW_ACCEPTED_VALUE("addr2line", 0, "=PATH"), \
        VIEW_ACCEPTED_VALUE("unwind-style", 0, "=STYLE")
