/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "common-rows.h"

/* These are the options of sched map. */

#define SCHED_MAP_ROWS \
        RECORDING_ROWS(SchedOptions, "several: one after the other"), \
        SELECTION_ROW(SchedOptions, COMMS, "comms", 0, "=NAME[,NAME...]", "Only threads with these names"), \
        SELECTION_TIME_ROWS(SchedOptions), \
        VIEW_SET(SchedOptions, map.compact, "compact", 0, "Show only CPUs that switch, in the order in which they do"), \
        SELECTION_ROW(SchedOptions, CPU, "cpus", 'C', "=CPU[,CPU...]", "Show only switches of these CPUs"), \
        VIEW_CALL(SchedOptions, map.color_cpus, "color-cpus", 0, "=CPU[,CPU...]", sched_take_numbers, "Highlight these CPUs"), \
        VIEW_CALL(SchedOptions, map.color_pids, "color-pids", 0, "=TID[,TID...]", sched_take_numbers, "Highlight these threads"), \
        VIEW_SET(SchedOptions, json, "json", 0, "Show each line as an object of JSON"), \
        VIEW_SET(SchedOptions, verbose, "verbose", 'v', "Name the thread in each line"), \
        VIEW_ACCEPTED("force", 'f')
