/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "call-options.h"
#include "recording-inputs.h"
#include "selection-options.h"

/* The command line of "trace". */
typedef struct TraceOptions {
        RecordingNames inputs; /* at least one after parsing */
        SelectionOptions select;
        CallOptions calls;
        bool verbose;
} TraceOptions;

/* argv[0] is the verb. 0; 1: help was printed; a negative errno after an error was printed. Done after a failure too. */
int trace_options_parse(TraceOptions *o, int argc, char **argv);
void trace_options_done(TraceOptions *o);
