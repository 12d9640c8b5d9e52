/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "common-rows.h"

/* These are the options of diff. */

#define DIFF_ROWS \
        RECORDING_ROWS(DiffOptions, "two: the baseline, and what is compared with it; one: a\n" \
                       "part of its time with the rest"), \
        VIEW_CALL(DiffOptions, trigger, "trigger", 0, "[=SPAN]", diff_take_trigger, \
                  "Show what was unusual in that long before what made a\ndump (10s), compared with the time before"), \
        VIEW_CALL(DiffOptions, baseline, "baseline", 0, "=NUMBER", diff_take_baseline, \
                  "With --trigger: compare it with so many earlier dumps of\nthe session"), \
        VIEW_SET(DiffOptions, summary, "summary", 0, "With --trigger: show only what was unusual, a line each"), \
        VIEW_WHOLE("sort", 's', "=KEY[,KEY...]", diff_take_sort, \
                   "Compare by comm, pid or tid, dso, symbol, cpu, unit, cgroup\n(dso,symbol)"), \
        VIEW_CALL(DiffOptions, compute, "compute", 'c', "=WHAT", diff_take_compute, \
                  "Show the difference, sorted as it is (delta) or by its\nsize (delta-abs, the default); or the ratio"), \
        VIEW_CALL(DiffOptions, by_baseline, "order", 0, "=NUMBER", diff_take_order, \
                  "Sort by the baseline (0), or by what is computed (1)"), \
        VIEW_WHOLE("output", 'o', "=FILE", diff_take_output, \
                   "Draw a flame graph: FILE.svg or FILE.html, in which red takes\nmore, blue less, grey is chance; " \
                   "-o 0 and -o 1: --order"), \
        VIEW_CALL(DiffOptions, format, "format", 0, "=FORMAT", flame_take_format, \
                  "svg or html, whatever the file's name ends in"), \
        VIEW_WHOLE("on", 0, "=RANGE", diff_take_on, \
                  "The picture's shape: the first one's (a), the second's (b)"), \
        VIEW_CALL(DiffOptions, normalize, "normalize", 0, "=WHAT", diff_take_normalize, \
                  "Compare what there is in a second (time, the default),\nor the shares of all of it (total)"), \
        VIEW_CALL(DiffOptions, fail_above, "fail-above", 0, "=PERCENT", diff_take_fail_above, \
                  "Exit with 1 if something that is marked grew by more"), \
        VIEW_SET(DiffOptions, baseline_only, "baseline-only", 'b', "Show only what the baseline has"), \
        VIEW_SET(DiffOptions, period, "period", 'p', "Show the sums of periods"), \
        VIEW_CALL(DiffOptions, separator, "field-separator", 't', "=CHAR", view_option_take_character, \
                  "Separate columns by that character"), \
        VIEW_SET(DiffOptions, json, "json", 0, "Print an object of JSON"), \
        SELECTION_ROW(DiffOptions, COMMS, "comms", 0, "=NAME[,NAME...]", "Only threads with these names"), \
        SELECTION_ROW(DiffOptions, DSOS, "dsos", 'd', "=NAME[,NAME...]", "Only samples in these binaries"), \
        SELECTION_ROW(DiffOptions, SYMBOLS, "symbols", 'S', "=NAME[,NAME...]", "Only samples in these functions"), \
        SELECTION_ROWS(DiffOptions), \
        SELECTION_TIME_ROWS(DiffOptions), \
        NAME_ROWS(DiffOptions), \
        VIEW_SET(DiffOptions, quiet, "quiet", 'q', "Print no headers"), \
        VIEW_SET(DiffOptions, verbose, "verbose", 'v', "Report all files that are not used, not only the first"), \
        VIEW_ACCEPTED("force", 'f'), \
        VIEW_ACCEPTED("modules", 'm')
