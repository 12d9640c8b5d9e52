/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "common-rows.h"

/* These are the options of sched blame. */

#define SCHED_BLAME_ROWS \
        RECORDING_ROWS(SchedOptions, "several: one after the other"), \
        SELECTION_ROW(SchedOptions, COMMS, "comms", 0, "=NAME[,NAME...]", "Only threads with these names"), \
        SELECTION_TIME_ROWS(SchedOptions), \
        SELECTION_ROW(SchedOptions, PID, "pid", 'p', "=PID[,PID...]", "Only these processes"), \
        SELECTION_ROW(SchedOptions, TID, "tid", 't', "=TID[,TID...]", "Only these threads"), \
        SELECTION_ROW(SchedOptions, CPU, "cpu", 'C', "=CPU[,CPU...]", "Only these CPUs"), \
        VIEW_CALL(SchedOptions, by, "by", 0, "=WHAT", sched_take_by, \
                  "Sums for each thread (the default), process, comm or\nunit"), \
        VIEW_CALL(SchedOptions, blame.longer, "longer-than", 0, "=SPAN", sched_take_span, \
                  "Only delays of that long and longer (1ms)"), \
        VIEW_CALL(SchedOptions, blame.limit, "limit", 0, "=NUMBER", sched_take_number, \
                  "Show at most that many delays, and rows of each table (20)"), \
        VIEW_SET(SchedOptions, json, "json", 0, "Show all of it as an object of JSON"), \
        VIEW_ACCEPTED("verbose", 'v'), \
        VIEW_ACCEPTED("force", 'f')
