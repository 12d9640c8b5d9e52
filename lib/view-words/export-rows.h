/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "common-rows.h"

/* These are the options of export. */

#define EXPORT_ROWS \
        RECORDING_ROWS(ExportOptions, "several of them are written as one"), \
        VIEW_TEXT(ExportOptions, output, "output", 'o', "=FILE", "The file to write (standard output)"), \
        VIEW_CALL(ExportOptions, format, "format", 0, "=FORMAT", take_format, "firefox, pprof, speedscope, callgrind or csv"), \
        VIEW_SET(ExportOptions, inlined, "inline", 0, "Have inlined functions in call chains, too"), \
        SELECTION_ROW(ExportOptions, COMMS, "comms", 'c', "=NAME[,NAME...]", "Only threads with these names"), \
        SELECTION_ROWS(ExportOptions), \
        SELECTION_TIME_ROWS(ExportOptions), \
        NAME_ROWS(ExportOptions), \
        VIEW_SET(ExportOptions, verbose, "verbose", 'v', "Report all files that are not used, not only the first")
