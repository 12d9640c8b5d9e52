/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "common-rows.h"

/* These are the options of lock contention. */

#define LOCK_CONTENTION_ROWS \
        RECORDING_ROWS(SchedOptions, "several: summed up together"), \
        VIEW_CALL(SchedOptions, lock.by, "by", 0, "=WHAT", lock_take_by, \
                  "A row for each caller (the default), lock, thread,\nprocess, comm or unit"), \
        VIEW_CALL(SchedOptions, lock.by, "threads", 't', NULL, lock_take_by, "As --by thread", .number = LOCK_BY_THREAD), \
        VIEW_CALL(SchedOptions, lock.by, "lock-addr", 'l', NULL, lock_take_by, "As --by lock", .number = LOCK_BY_LOCK), \
        VIEW_CALL(SchedOptions, lock.key, "key", 'k', "=KEY", lock_take_key, \
                  "Sort by contended, wait_total (the default), wait_max,\nwait_min or avg_wait"), \
        VIEW_CALL(SchedOptions, lock.entries, "entries", 'E', "=NUMBER", sched_take_number, "Show at most that many rows"), \
        SELECTION_ROW(SchedOptions, COMMS, "comms", 0, "=NAME[,NAME...]", "Only threads with these names"), \
        SELECTION_TIME_ROWS(SchedOptions), \
        SELECTION_ROW(SchedOptions, PID, "pid", 'p', "=PID[,PID...]", "Only these processes"), \
        SELECTION_ROW(SchedOptions, TID, "tid", 0, "=TID[,TID...]", "Only these threads"), \
        SELECTION_ROW(SchedOptions, CPU, "cpu", 'C', "=CPU[,CPU...]", "Only these CPUs"), \
        VIEW_SET(SchedOptions, json, "json", 0, "Show all of it as an object of JSON"), \
        VIEW_CLEAR(SchedOptions, names.raw, "demangle", 0, NULL), \
        VIEW_SET(SchedOptions, names.raw, "no-demangle", 0, "Show names as programs have them (the default), or as compilers\n" \
                 "mangle them"), \
        VIEW_CALL(SchedOptions, names.vmlinux, "vmlinux", 0, "=FILE", name_options_take_file, \
                  "The vmlinux of the kernel that was recorded"), \
        VIEW_CALL(SchedOptions, names.kallsyms, "kallsyms", 0, "=FILE", name_options_take_file, \
                  "A copy of that kernel's /proc/kallsyms"), \
        VIEW_SET(SchedOptions, names.fetch, "debuginfod", 0, "Fetch what is not here from the servers in DEBUGINFOD_URLS"), \
        VIEW_SET(SchedOptions, verbose, "verbose", 'v', "Report all files that are not used, not only the first"), \
        VIEW_ACCEPTED("force", 'f')
