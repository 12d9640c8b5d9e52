/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The options of the verbs of perf-recorder-view: what all of them have here, those of one verb in VERB-rows.h. A row says how an
 * option is written, and what the viewer does with it. It is a macro, VIEW_SET() and the like: view-options.h in the viewer
 * makes its tables of the rows, view-words.c those that everybody needs who reads or completes such a command line. */

/* They say which recordings are read: the field inputs of a T. several: what is done with several ones. */
#define RECORDING_ROWS(T, several) \
        VIEW_CALL(T, inputs, "input", 'i', "=FILE", recording_names_take, \
                  "The recording, or - for standard input (perf.data);\n" several, .number = RECORDING_PATH), \
        VIEW_CALL(T, inputs, "input-name", 0, "=NAME", recording_names_take, "Its name in messages", .number = RECORDING_NAME), \
        VIEW_CALL(T, inputs, "symfs", 0, "=DIRECTORY", recording_names_take, "The directory of its symbols (the one beside it)", \
                  .number = RECORDING_SYMFS)

/* They say which samples are looked at: the field select of a T. Rows of comms, dsos and symbols are the verbs' own: not all have
 * them. */
#define SELECTION_ROW(T, number_, name_, letter_, value_, help_) \
        VIEW_CALL(T, select, name_, letter_, value_, selection_options_take, help_, .number = SELECTION_##number_)
#define SELECTION_ROWS(T) \
        SELECTION_ROW(T, PID, "pid", 0, "=PID[,PID...]", "Only these processes"), \
        SELECTION_ROW(T, TID, "tid", 0, "=TID[,TID...]", "Only these threads"), \
        SELECTION_ROW(T, CPU, "cpu", 'C', "=CPU[,CPU...]", "Only these CPUs"), \
        SELECTION_ROW(T, NO_IDLE, "no-idle", 0, NULL, "Leave the time of idle CPUs out of all shares")
#define SELECTION_TIME_ROWS(T) \
        SELECTION_ROW(T, UNIT, "unit", 'u', "=UNIT[,UNIT...]", "Only control groups of these units"), \
        SELECTION_ROW(T, TIME, "time", 0, "=[SINCE],[UNTIL]", "Only this time, in seconds of the recording's clock;\n" \
                      "10%/2, 0%-20%: these parts of the recording"), \
        SELECTION_ROW(T, LAST, "last", 0, "=SPAN", "Only that long before the last sample"), \
        SELECTION_ROW(T, SINCE, "since", 0, "=TIME", "Only from that time of day on, as 14:03 or -5min"), \
        SELECTION_ROW(T, UNTIL, "until", 0, "=TIME", "Only up to that time of day"), \
        SELECTION_ROW(T, BEFORE_TRIGGER, "before-trigger", 0, "=SPAN", "Only that long before what made a dump"), \
        SELECTION_ROW(T, AROUND_TRIGGER, "around-trigger", 0, "=SPAN", "Only that long before and behind it")

/* They say where the names of code come from: the field names of a T. */
#define NAME_ROWS(T) \
        VIEW_CLEAR(T, names.raw, "demangle", 0, NULL), \
        VIEW_SET(T, names.raw, "no-demangle", 0, "Show names as programs have them (the default), or as compilers\n" \
                 "mangle them"), \
        VIEW_CALL(T, names.vmlinux, "vmlinux", 'k', "=FILE", name_options_take_file, \
                  "The vmlinux of the kernel that was recorded"), \
        VIEW_CALL(T, names.kallsyms, "kallsyms", 0, "=FILE", name_options_take_file, "A copy of that kernel's /proc/kallsyms"), \
        VIEW_SET(T, names.fetch, "debuginfod", 0, "Fetch what is not here from the servers in DEBUGINFOD_URLS")

/* They say which system calls are shown, and how: the field calls of a T, which are CallOptions. */
#define CALL_SELECTION_ROWS(T) \
        VIEW_CALL(T, calls, "expr", 0, "=CALL[,CALL...]", call_options_take_calls, NULL), \
        VIEW_CALL(T, calls, "event", 'e', "=CALL[,CALL...]", call_options_take_calls, \
                  "Only these system calls, patterns of names, or @groups:\n" \
                  "@desc, @file, @ipc, @memory, @network, @process, @signal;\n!CALL,...: all but these; " \
                  "SYSTEM:NAME: tracepoints"), \
        VIEW_SET(T, calls.with_calls, "syscalls", 0, NULL), \
        VIEW_SET(T, calls.no_calls, "no-syscalls", 0, "With or without system calls, which are left out if -e has\n" \
                 "only tracepoints, and with -F alone"), \
        VIEW_CALL(T, calls, "pf", 'F', "=all|maj|min", call_options_take_faults, "Show page faults: all, major or minor ones"), \
        VIEW_CALL(T, calls.longer, "duration", 0, "=MSEC", call_options_take_msec, \
                  "Only calls that took so many milliseconds or more"), \
        VIEW_SET(T, calls.failures, "failure", 0, "Only calls that failed")
#define CALL_SHOWN_ROWS(T) \
        VIEW_SET(T, calls.summary_only, "summary", 's', "Show only sums of the calls of each thread"), \
        VIEW_SET(T, calls.summary, "with-summary", 'S', "Show these behind the calls"), \
        VIEW_CALL(T, calls.mode, "summary-mode", 0, "=MODE", call_options_take_mode, \
                  "Sum up by thread (the default), by cgroup, or in total"), \
        VIEW_SET(T, calls.errnos, "errno-summary", 0, "Show the errors in sums, too"), \
        VIEW_CALL(T, calls.max_events, "max-events", 0, "=NUMBER", call_options_take_number, \
                  "End after so many lines"), \
        VIEW_SET(T, calls.absolute, "full-time", 'T', "Show times of the events' clock, not since the begin"), \
        VIEW_SET(T, calls.time_of_day, "tod", 0, "Show the time of day"), \
        VIEW_CLEAR(T, calls.anonymous, "comm", 0, NULL), \
        VIEW_SET(T, calls.anonymous, "no-comm", 0, "Show names of threads (the default), or only their ids"), \
        VIEW_SET(T, calls.strace, "strace", 0, "Show calls as strace does"), \
        VIEW_SET(T, calls.descriptors, "decode-fds", 'y', "Show what descriptors are: 3</etc/passwd>"), \
        VIEW_SET(T, calls.json, "json", 0, "Show each call as an object of JSON; sums as one"), \
        VIEW_ACCEPTED("sort-events", 0)

/* They say what is looked at as it happens: the fields target and groups of a T. does: "Trace". */
#define LIVE_TARGET_ROWS(T, does) \
        VIEW_CALL(T, target, "cpu", 'C', "=LIST", live_target_take, does " these CPUs: 0-3,5", .number = LIVE_TARGET_CPUS), \
        VIEW_CALL(T, target, "pid", 'p', "=PID[,PID...]", live_target_take, does " these processes", \
                  .number = LIVE_TARGET_PIDS), \
        VIEW_CALL(T, target, "tid", 't', "=TID[,TID...]", live_target_take, does " these threads", \
                  .number = LIVE_TARGET_TIDS), \
        VIEW_CALL(T, target, "uid", 'u', "=USER", live_target_take, does " the processes of this user", \
                  .number = LIVE_TARGET_USER), \
        VIEW_CALL(T, groups, "cgroup", 'G', "=NAME[,NAME...]", live_target_take_groups, \
                  does " these control groups, on all CPUs without -C", .number = LIVE_TARGET_CGROUPS), \
        VIEW_CALL(T, groups, "unit", 0, "=UNIT[,UNIT...]", live_target_take_groups, \
                  does " the control groups of these units, as web.service", .number = LIVE_TARGET_UNITS)
