/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "disassembly.h"
#include "name-options.h"
#include "recording-inputs.h"
#include "selection-options.h"

typedef enum AnnotateValue {
        ANNOTATE_PERCENT,
        ANNOTATE_SAMPLES,
        ANNOTATE_PERIOD,
} AnnotateValue;

/* The command line of "annotate", which is that of perf annotate. */
typedef struct AnnotateOptions {
        RecordingNames inputs; /* at least one after parsing */
        const char *symbol;  /* NULL: all that were hit */
        bool stdio;          /* the older layout */
        bool print_lines, full_paths, no_source;
        DisassemblySyntax syntax;
        bool bytes;          /* of instructions are shown */
        const char *prefix;  /* put before absolute paths of source files; NULL: none */
        unsigned prefix_strip; /* that many directories are taken from the paths before */
        AnnotateValue value;
        bool whole, hits;    /* percentages are those of the event, and of samples; otherwise of the function, and of periods */
        bool colors;         /* of percentages */
        bool json;           /* an object instead of text */
        bool dump;           /* all records as they are, and nothing else */
        bool quiet, verbose;
        double percent_limit; /* of the event */
        SelectionOptions select;
        NameOptions names;
} AnnotateOptions;

/* Parses the words behind "annotate". 0; 1: help was printed; -EINVAL: an error was printed; -ENOMEM. options is
 * initialised, and done after a failure too. */
int annotate_options_parse(AnnotateOptions *options, int argc, char **argv);
void annotate_options_done(AnnotateOptions *options);
