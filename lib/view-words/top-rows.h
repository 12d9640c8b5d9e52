/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "common-rows.h"

/* These are the options of top, which are those of perf top. */

#define TOP_ROWS \
        VIEW_CALL(TopOptions, events, "event", 'e', "=EVENTS", top_take_events, \
                  "Sample these events, as perf list names them", .number = TOP_EVENTS), \
        VIEW_CALL(TopOptions, events, "filter", 0, "=FILTER", top_take_events, \
                  "Count only what of the last tracepoints passes it", .number = TOP_FILTER), \
        VIEW_SET(TopOptions, target.all_cpus, "all-cpus", 'a', "Sample all CPUs (the default)"), \
        LIVE_TARGET_ROWS(TopOptions, "Sample"), \
        VIEW_CALL(TopOptions, frequency, "freq", 'F', "=FREQUENCY", top_take_frequency, \
                  "Samples a second, or max (4000)"), \
        VIEW_CALL(TopOptions, period, "count", 'c', "=PERIOD", top_take_number, "Events a sample, instead of a frequency"), \
        VIEW_SET(TopOptions, no_inherit, "no-inherit", 'i', "Do not sample new processes and threads"), \
        VIEW_CALL(TopOptions, pages, "mmap-pages", 'm', "=PAGES", live_target_take_pages, \
                  "Size of the buffer of each CPU, in pages, or with B, K, M"), \
        VIEW_CALL(TopOptions, call_graph, "call-graph", 'g', "[=fp]", top_take_call_graph, \
                  "Follow frame pointers, and show the share of each function\nwith what it called, too"), \
        VIEW_CLEAR(TopOptions, no_children, "children", 0, NULL), \
        VIEW_SET(TopOptions, no_children, "no-children", 0, "Show these shares (the default), or only a function's own"), \
        VIEW_CALL(TopOptions, max_stack, "max-stack", 0, "=NUMBER", top_take_max_stack, \
                  "Follow at most so many frames"), \
        VIEW_CALL(TopOptions, keys, "sort", 's', "=KEY[,KEY...]", top_take_keys, \
                  "Group by comm, pid, dso, symbol, cpu, cgroup, unit or\ncontainer (dso,symbol)"), \
        VIEW_CALL(TopOptions, only.comms, "comms", 0, "=NAME[,NAME...]", top_take_names, \
                  "Only threads with these names; file://FILE: those that\nare its lines"), \
        VIEW_CALL(TopOptions, only.dsos, "dsos", 0, "=NAME[,NAME...]", top_take_names, "Only samples in these binaries"), \
        VIEW_CALL(TopOptions, only.symbols, "symbols", 0, "=NAME[,NAME...]", top_take_names, "Only samples in these functions"), \
        VIEW_CALL(TopOptions, only.relative, "percentage", 0, "=relative", top_take_percentage, \
                  "Show shares of what these leave"), \
        VIEW_SET(TopOptions, hide_kernel, "hide_kernel_symbols", 'K', "Leave out what the kernel did"), \
        VIEW_SET(TopOptions, hide_user, "hide_user_symbols", 'U', "Leave out what programs did"), \
        VIEW_SET(TopOptions, zero, "zero", 'z', \
                 "Forget at each refresh what was before, instead of having\nit weigh an eighth less"), \
        VIEW_SET(TopOptions, look.samples, "show-nr-samples", 'n', "Show the number of samples, too"), \
        VIEW_SET(TopOptions, look.period, "show-total-period", 0, "Show the sum of periods, too"), \
        VIEW_CALL(TopOptions, look.entries, "entries", 'E', "=NUMBER", top_take_number, \
                  "Show so many rows, 0 for all (those that the terminal has\nroom for, or 20)"), \
        VIEW_CALL(TopOptions, look.least, "count-filter", 'f', "=NUMBER", top_take_number, \
                  "Only rows of so many samples or more"), \
        VIEW_CALL(TopOptions, look.percent_limit, "percent-limit", 0, "=PERCENT", view_option_take_percentage, \
                  "Only rows of that share or more"), \
        VIEW_CALL(TopOptions, look.widths, "column-widths", 'w', "=WIDTH[,WIDTH...]", top_take_widths, \
                  "Widths of the first columns of keys; 0: as needed"), \
        VIEW_CALL(TopOptions, last, "last", 0, "=TIME", top_take_last, \
                  "Show what a session recorded in the last so long, or all\n(5s)"), \
        VIEW_CALL(TopOptions, delay, "delay", 'd', "=SECONDS", top_take_delay, \
                  "Seconds between refreshes, as 0.5 (2; of a session 1)"), \
        VIEW_CALL(TopOptions, iterations, "iterations", 0, "=NUMBER", top_take_number, "End after so many refreshes"), \
        VIEW_SET(TopOptions, look.batch, "batch", 0, \
                 "Show one refresh behind the other, as for a pipe; each is of\na whole delay"), \
        VIEW_SET(TopOptions, look.batch, "plain", 0, "The same, for screen readers"), \
        VIEW_SET(TopOptions, look.json, "json", 0, "Show each refresh as an object of JSON"), \
        VIEW_SET(TopOptions, look.verbose, "verbose", 'v', "Show the addresses of code, too"), \
        VIEW_SET(TopOptions, look.stdio, "stdio", 0, \
                 "Show text on a terminal, each refresh in place of the one\nbefore it, and no browser"), \
        VIEW_ACCEPTED("force", 0), \
        VIEW_ACCEPTED("all-cgroups", 0), \
        VIEW_ACCEPTED("demangle-kernel", 0), \
        VIEW_ACCEPTED("ignore-vmlinux", 0), \
        VIEW_ACCEPTED_VALUE("num-thread-synthesize", 0, "=NUMBER"), \
        VIEW_ACCEPTED_VALUE("proc-map-timeout", 0, "=MSEC"), \
        VIEW_ACCEPTED("source", 0), \
        VIEW_ACCEPTED("asm-raw", 0), \
        VIEW_ACCEPTED_VALUE("disassembler-style", 'M', "=STYLE"), \
        VIEW_ACCEPTED_VALUE("objdump", 0, "=PATH"), \
        VIEW_ACCEPTED_VALUE("prefix", 0, "=PREFIX"), \
        VIEW_ACCEPTED_VALUE("prefix-strip", 0, "=N")
