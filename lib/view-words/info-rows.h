/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "common-rows.h"

/* These are the options of info. */

#define INFO_ROWS \
        VIEW_TEXT(InfoOptions, path, "input", 'i', "=FILE", "The recording, or - for standard input (perf.data)"), \
        VIEW_TEXT(InfoOptions, name, "input-name", 0, "=NAME", "Its name in messages"), \
        VIEW_TEXT(InfoOptions, symfs, "symfs", 0, "=DIRECTORY", "The directory of its symbols (the one beside it)"), \
        VIEW_SET(InfoOptions, pretty, "pretty", 0, "Indent the object"), \
        SELECTION_ROW(InfoOptions, COMMS, "comms", 'c', "=NAME[,NAME...]", "Only threads with these names, or patterns of them"), \
        SELECTION_ROWS(InfoOptions), \
        SELECTION_TIME_ROWS(InfoOptions), \
        VIEW_SET(InfoOptions, user_units, "user", 0, "Units are those of user managers"), \
        VIEW_SET(InfoOptions, names.raw, "no-demangle", 0, "Show names as compilers mangle them"), \
        VIEW_SET(InfoOptions, names.quiet, "quiet", 'q', "Do not say why names are missing"), \
        VIEW_SET(InfoOptions, verbose, "verbose", 'v', "Report all files that are not used, not only the first")
