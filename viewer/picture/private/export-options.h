/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "name-options.h"
#include "recording-inputs.h"
#include "selection-options.h"

/* The command line of "export". */

typedef enum ExportFormat {
        EXPORT_PPROF,
        EXPORT_SPEEDSCOPE,
        EXPORT_CALLGRIND,
        EXPORT_CSV,
        EXPORT_FIREFOX,
        _EXPORT_FORMAT_MAX,
        _EXPORT_FORMAT_INVALID = -EINVAL,
} ExportFormat;

typedef struct ExportOptions {
        RecordingNames inputs;  /* at least one after parsing */
        const char *output;
        ExportFormat format;
        bool inlined, verbose;
        NameOptions names;
        SelectionOptions select;
} ExportOptions;

/* Parses the words behind "export". 0; 1: help was printed; -EINVAL: an error was printed; -ENOMEM. options is initialised,
 * and done after a failure too. */
int export_options_parse(ExportOptions *options, int argc, char **argv);
void export_options_done(ExportOptions *options);
