/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "common-rows.h"

/* These are the options of sched timehist. */

#define SCHED_TIMEHIST_ROWS \
        RECORDING_ROWS(SchedOptions, "several: one after the other"), \
        SELECTION_ROW(SchedOptions, COMMS, "comms", 0, "=NAME[,NAME...]", "Only threads with these names"), \
        SELECTION_TIME_ROWS(SchedOptions), \
        SELECTION_ROW(SchedOptions, PID, "pid", 'p', "=PID[,PID...]", "Only these processes"), \
        SELECTION_ROW(SchedOptions, TID, "tid", 't', "=TID[,TID...]", "Only these threads"), \
        SELECTION_ROW(SchedOptions, CPU, "cpu", 'C', "=CPU[,CPU...]", "Only these CPUs"), \
        VIEW_SET(SchedOptions, timehist.summary_only, "summary", 's', "Show only sums of each thread"), \
        VIEW_SET(SchedOptions, timehist.summary, "with-summary", 'S', "Show these behind the switches"), \
        VIEW_SET(SchedOptions, timehist.cpus, "cpu-visual", 'V', "Draw a column for each CPU"), \
        VIEW_SET(SchedOptions, timehist.wakeups, "wakeups", 'w', "Show who wakes whom, too"), \
        VIEW_SET(SchedOptions, timehist.migrations, "migrations", 'M', "Show threads that go to another CPU, too"), \
        VIEW_SET(SchedOptions, timehist.next, "next", 'n', "Show the thread that comes next"), \
        VIEW_SET(SchedOptions, timehist.state, "state", 0, "Show the state in which a thread leaves; with sums, what\n" \
                 "it waited for"), \
        VIEW_SET(SchedOptions, timehist.idle, "idle-hist", 'I', "Show only the time of idle CPUs, and whose wait it was"), \
        VIEW_SET(SchedOptions, timehist.chains, "call-graph", 'g', NULL), \
        VIEW_CLEAR(SchedOptions, timehist.chains, "no-call-graph", 'G', \
                   "Show call chains if there are any (the default), or not"), \
        VIEW_CALL(SchedOptions, timehist.max_stack, "max-stack", 0, "=NUMBER", sched_take_number, \
                  "Show at most that many functions of a call chain (5)"), \
        VIEW_SET(SchedOptions, json, "json", 0, "Show each line as an object of JSON"), \
        NAME_ROWS(SchedOptions), \
        VIEW_SET(SchedOptions, verbose, "verbose", 'v', "Report all files that are not used, not only the first"), \
        VIEW_ACCEPTED("force", 'f')
