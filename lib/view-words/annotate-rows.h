/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "common-rows.h"

/* These are the options of annotate. */

#define ANNOTATE_ROWS \
        RECORDING_ROWS(AnnotateOptions, "several: the samples of all of them"), \
        VIEW_TEXT(AnnotateOptions, symbol, "symbol", 's', "=SYMBOL", "Only this function"), \
        SELECTION_ROW(AnnotateOptions, DSOS, "dsos", 'd', "=NAME[,NAME...]", "Only functions of these binaries"), \
        VIEW_CLEAR(AnnotateOptions, stdio, "stdio2", 0, "Lay out with arrows for jumps (the default on a terminal)"), \
        VIEW_SET(AnnotateOptions, stdio, "stdio", 0, "Lay out with addresses (the default otherwise)"), \
        VIEW_SET(AnnotateOptions, print_lines, "print-line", 'l', "Show which lines of the source are hit most"), \
        VIEW_CALL(AnnotateOptions, syntax, "disassembler-style", 'M', "=STYLE", take_syntax, \
                  "The words of x86's instructions: att (the default), intel"), \
        VIEW_SET(AnnotateOptions, full_paths, "full-paths", 'P', "Show whole paths"), \
        VIEW_CLEAR(AnnotateOptions, no_source, "source", 0, NULL), \
        VIEW_SET(AnnotateOptions, no_source, "no-source", 0, "Show lines of the source (the default), or not"), \
        VIEW_TEXT(AnnotateOptions, prefix, "prefix", 0, "=PREFIX", "Look for files of the source below this"), \
        VIEW_CALL(AnnotateOptions, prefix_strip, "prefix-strip", 0, "=N", take_prefix_strip, \
                  "Take that many directories from their paths first"), \
        VIEW_SET(AnnotateOptions, bytes, "asm-raw", 0, "Show the bytes of instructions"), \
        VIEW_CALL(AnnotateOptions, value, "show-nr-samples", 'n', NULL, take_value, "Show numbers of samples, not shares", \
                  .number = ANNOTATE_SAMPLES), \
        VIEW_CALL(AnnotateOptions, value, "show-total-period", 0, NULL, take_value, "Show sums of periods, not shares", \
                  .number = ANNOTATE_PERIOD), \
        VIEW_WHOLE("percent-type", 0, "=TYPE", take_percent_type, "Shares of the function or of the event, of periods or\n" \
                   "samples: local-period (the default), global-period,\nlocal-hits, global-hits"), \
        VIEW_CALL(AnnotateOptions, colors, "stdio-color", 0, "=MODE", share_colors_take, \
                  "Colours: always, never or auto (on a terminal)"), \
        VIEW_SET(AnnotateOptions, json, "json", 0, "Show all as an object of JSON"), \
        VIEW_SET(AnnotateOptions, dump, "dump-raw-trace", 'D', "Show only the bytes of all records, and what they mean"), \
        VIEW_CALL(AnnotateOptions, percent_limit, "percent-limit", 0, "=PERCENT", view_option_take_percentage, \
                  "Leave out functions with a lower share of the event"), \
        SELECTION_ROW(AnnotateOptions, COMMS, "comms", 'c', "=NAME[,NAME...]", "Only threads with these names"), \
        SELECTION_ROWS(AnnotateOptions), \
        SELECTION_TIME_ROWS(AnnotateOptions), \
        VIEW_CLEAR(AnnotateOptions, names.raw, "demangle", 0, NULL), \
        VIEW_SET(AnnotateOptions, names.raw, "no-demangle", 0, "Show names as programs have them (the default), or as compilers\n" \
                 "mangle them"), \
        VIEW_CALL(AnnotateOptions, names.vmlinux, "vmlinux", 'k', "=FILE", name_options_take_file, \
                  "The vmlinux of the kernel that was recorded"), \
        VIEW_SET(AnnotateOptions, names.fetch, "debuginfod", 0, "Fetch what is not here from the servers in DEBUGINFOD_URLS"), \
        VIEW_SET(AnnotateOptions, quiet, "quiet", 'q', "Say nothing of functions whose code is not at hand"), \
        VIEW_SET(AnnotateOptions, verbose, "verbose", 'v', "Report all files that are not used, not only the first"), \
        VIEW_ACCEPTED("force", 'f'), \
        VIEW_ACCEPTED("modules", 'm'), \
        VIEW_ACCEPTED("skip-missing", 0), \
        VIEW_ACCEPTED("tui", 0), \
        VIEW_ACCEPTED("demangle-kernel", 0), \
        VIEW_ACCEPTED_VALUE("objdump", 0, "=PATH"), \
        VIEW_ACCEPTED_VALUE("addr2line", 0, "=PATH")
