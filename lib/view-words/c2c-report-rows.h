/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "common-rows.h"

/* These are the options of c2c report. */

#define C2C_REPORT_ROWS \
        RECORDING_ROWS(C2cOptions, "several: summed up together"), \
        VIEW_SET(C2cOptions, stats, "stats", 0, "Show only the sums, and no cache lines"), \
        VIEW_CALL(C2cOptions, display, "display", 'd', "=WHAT", c2c_take_display, \
                  "Sort by loads of what other cores had modified: tot (the\ndefault), lcl or rmt; by what they forwarded: peer"), \
        VIEW_WHOLE("coalesce", 'c', "=KEY[,KEY...]", c2c_take_coalesce, \
                   "Tell apart by pid, tid, iaddr or dso what accessed a line\n(iaddr)"), \
        VIEW_CALL(C2cOptions, node_info, "node-info", 'N', NULL, c2c_take_node_info, \
                  "Show the numbers of CPUs and the shares of each node;\ntwice: its CPUs"), \
        VIEW_SET(C2cOptions, show_all, "show-all", 0, "Show all cache lines, not only those with 0.1 % and more"), \
        VIEW_SET(C2cOptions, double_lines, "double-cl", 0, "Show pairs of cache lines, which some CPUs load together"), \
        VIEW_SET(C2cOptions, full_symbols, "full-symbols", 0, "Show whole names of functions"), \
        VIEW_SET(C2cOptions, no_source, "no-source", 0, "Look for no lines of the source"), \
        VIEW_SET(C2cOptions, json, "json", 0, "Show all of it as an object of JSON"), \
        SELECTION_ROW(C2cOptions, COMMS, "comms", 0, "=NAME[,NAME...]", "Only threads with these names"), \
        SELECTION_TIME_ROWS(C2cOptions), \
        SELECTION_ROW(C2cOptions, PID, "pid", 'p', "=PID[,PID...]", "Only these processes"), \
        SELECTION_ROW(C2cOptions, TID, "tid", 't', "=TID[,TID...]", "Only these threads"), \
        SELECTION_ROW(C2cOptions, CPU, "cpu", 'C', "=CPU[,CPU...]", "Only these CPUs"), \
        NAME_ROWS(C2cOptions), \
        VIEW_SET(C2cOptions, verbose, "verbose", 'v', "Report all files that are not used, not only the first"), \
        VIEW_ACCEPTED("stdio", 0), \
        VIEW_ACCEPTED("force", 'f')
