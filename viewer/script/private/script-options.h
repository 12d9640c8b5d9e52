/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "name-options.h"
#include "recording-inputs.h"
#include "script-fields.h"
#include "script-lines.h"
#include "script-records.h"
#include "selection-options.h"

/* The command line of "script", which is that of perf script. */
typedef struct ScriptOptions {
        RecordingNames inputs;  /* at least one after parsing */
        ScriptFields fields;
        ScriptStyle style;
        SelectionOptions select;
        unsigned records;       /* of ScriptRecords, to be shown */
        bool header, header_only, header_full;
        bool json;              /* objects instead of lines, and nothing else */
        bool inlined, not_inlined; /* functions are shown in call chains, or not; neither: with lines of the source */
        bool full_source_path;
        const char *on, *off;   /* events between which samples are shown; NULL: none */
        bool show_on_off;       /* and these samples themselves */
        bool dump;              /* all records as they are, and nothing else */
        bool verbose;
        NameOptions names;
} ScriptOptions;

/* Parses the words behind "script". 0; 1: help was printed; -EINVAL: an error was printed; -ENOMEM. options is
 * initialised, and done after a failure too. */
int script_options_parse(ScriptOptions *options, int argc, char **argv);
void script_options_done(ScriptOptions *options);
