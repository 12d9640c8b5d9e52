/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "common-rows.h"

/* These are the options of script. */

#define RECORDS(name_, number_, help_) VIEW_CALL(ScriptOptions, records, name_, 0, NULL, take_records, help_, .number = (number_))

#define SCRIPT_ROWS \
        RECORDING_ROWS(ScriptOptions, "several: all of them, in the order of time"), \
        VIEW_CALL(ScriptOptions, fields, "fields", 'F', "=[TYPE:]FIELD[,...]", take_fields, \
                  "Show these, or +FIELD, -FIELD: also, not. Fields: comm, tid,\n" \
                  "pid, time, cpu, event, trace, ip, sym, dso, addr, symoff,\n" \
                  "period, iregs, uregs, weight, bpf-output, phys_addr,\n" \
                  "misc, tod, data_page_size, code_page_size, ins_lat,\n" \
                  "flags, cgroup, srcline, brstack, brstacksym,\n" \
                  "brstackoff, dsoff, data_src, retire_lat, insn,\n" \
                  "insnlen, disasm, ipc, synth, machine_pid, vcpu;\n" \
                  "types of events: hw, sw, trace, raw, break, synth"), \
        VIEW_SET(ScriptOptions, dump, "dump-raw-trace", 'D', "Show only the bytes of all records, and what they mean"), \
        VIEW_SET(ScriptOptions, json, "json", 0, "Show each sample as an object of JSON on a line"), \
        VIEW_SET(ScriptOptions, header, "header", 0, "Show the header of the recording first"), \
        VIEW_SET(ScriptOptions, header_only, "header-only", 0, "Show nothing else"), \
        VIEW_SET(ScriptOptions, header_full, "show-info", 'I', "Show tables of CPUs, caches and memory in the header"), \
        VIEW_CLEAR(ScriptOptions, style.chains, "hide-call-graph", 'G', "Show no call chains"), \
        VIEW_CALL(ScriptOptions, style.max_stack, "max-stack", 0, "=NUMBER", take_max_stack, \
                  "Show at most that many addresses of a call chain (127)"), \
        VIEW_CALL(ScriptOptions, style.stop, "stop-bt", 0, "=NAME[,NAME...]", take_stop, "Show no callers of these functions"), \
        VIEW_SET(ScriptOptions, full_source_path, "full-source-path", 0, "Show whole paths of files of the source"), \
        VIEW_TEXT(ScriptOptions, on, "switch-on", 0, "=EVENT", "Only from the first sample of this event on"), \
        VIEW_TEXT(ScriptOptions, off, "switch-off", 0, "=EVENT", "Only up to the next sample of this event"), \
        VIEW_SET(ScriptOptions, show_on_off, "show-on-off-events", 0, "Show the samples of these two, too"), \
        VIEW_SET(ScriptOptions, style.nanoseconds, "ns", 0, "Show nanoseconds"), \
        VIEW_SET(ScriptOptions, style.relative, "reltime", 0, "Show times since the first line"), \
        VIEW_SET(ScriptOptions, style.delta, "deltatime", 0, "Show times since the line before"), \
        VIEW_SET(ScriptOptions, style.latency, "Latency", 'L', "Show threads and CPUs for short"), \
        SELECTION_ROW(ScriptOptions, COMMS, "comms", 'c', "=NAME[,NAME...]", "Only threads with these names"), \
        SELECTION_ROW(ScriptOptions, DSOS, "dsos", 0, "=NAME[,NAME...]", "Only samples in these binaries"), \
        SELECTION_ROW(ScriptOptions, SYMBOLS, "symbols", 'S', "=NAME[,NAME...]", "Only samples in these functions"), \
        SELECTION_ROWS(ScriptOptions), \
        SELECTION_TIME_ROWS(ScriptOptions), \
        NAME_ROWS(ScriptOptions), \
        VIEW_SET(ScriptOptions, names.plain_addresses, "plain-addresses", 0, \
                 "Show code without symbols by its addresses, and not\n" \
                 "by the starts of its functions, and do not mark\ncall chains that are cut off"), \
        RECORDS("show-task-events", SCRIPT_RECORDS_TASKS, "Show threads that begin, are named, and end"), \
        RECORDS("show-mmap-events", SCRIPT_RECORDS_MAPS, "Show files that are mapped"), \
        RECORDS("show-switch-events", SCRIPT_RECORDS_SWITCHES, "Show switches between threads"), \
        RECORDS("show-namespace-events", SCRIPT_RECORDS_NAMESPACES, "Show namespaces of processes"), \
        RECORDS("show-cgroup-events", SCRIPT_RECORDS_CGROUPS, "Show control groups"), \
        RECORDS("show-lost-events", SCRIPT_RECORDS_LOST, "Show how many records were lost"), \
        RECORDS("show-bpf-events", SCRIPT_RECORDS_BPF, "Show code that is added to the kernel"), \
        RECORDS("show-text-poke-events", SCRIPT_RECORDS_TEXT_POKE, "Show changes of the kernel's own code"), \
        RECORDS("show-round-events", SCRIPT_RECORDS_ROUNDS, "Show the ends of rounds, up to which all is in order"), \
        VIEW_SET(ScriptOptions, inlined, "inline", 0, NULL), \
        VIEW_SET(ScriptOptions, not_inlined, "no-inline", 0, "Show inlined functions in call chains, or not (the default\n" \
                 "without the field srcline)"), \
        VIEW_SET(ScriptOptions, verbose, "verbose", 'v', "Report all files that are not used, not only the first"), \
        VIEW_ACCEPTED("force", 'f'), \
        VIEW_ACCEPTED("all-cpus", 'a'), \
        VIEW_ACCEPTED("demangle-kernel", 0), \
        VIEW_ACCEPTED_VALUE("addr2line", 0, "=PATH"), \
        VIEW_ACCEPTED_VALUE("unwind-style", 0, "=STYLE")
