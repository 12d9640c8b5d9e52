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
