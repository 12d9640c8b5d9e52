/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "common-rows.h"

/* These are the options of trace about recordings. */

#define TRACE_ROWS \
        RECORDING_ROWS(TraceOptions, "several: one after the other"), \
        CALL_SELECTION_ROWS(TraceOptions), \
        SELECTION_ROW(TraceOptions, COMMS, "comms", 0, "=NAME[,NAME...]", "Only threads with these names"), \
        SELECTION_TIME_ROWS(TraceOptions), \
        SELECTION_ROW(TraceOptions, PID, "pid", 'p', "=PID[,PID...]", "Only these processes"), \
        SELECTION_ROW(TraceOptions, TID, "tid", 't', "=TID[,TID...]", "Only these threads"), \
        SELECTION_ROW(TraceOptions, CPU, "cpu", 'C', "=CPU[,CPU...]", "Only these CPUs"), \
        CALL_SHOWN_ROWS(TraceOptions), \
        VIEW_SET(TraceOptions, verbose, "verbose", 'v', "Report all files that are not used, not only the first"), \
        VIEW_ACCEPTED("force", 'f')
