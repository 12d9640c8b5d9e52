/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "common-rows.h"

/* These are the options of heatmap. */

#define HEATMAP_ROWS \
        RECORDING_ROWS(HeatOptions, "several of them are shown as one"), \
        VIEW_TEXT(HeatOptions, output, "output", 'o', "=FILE", \
                  "The file to write (standard output; of perfctl\nperf-DUMP.html): FILE.html, .svg"), \
        VIEW_CALL(HeatOptions, format, "format", 0, "=FORMAT", heat_take_format, \
                  "html or svg, whatever the file's name ends in"), \
        VIEW_TEXT(HeatOptions, event, "event", 'e', "=EVENT", "Draw this event (the one with the most samples)"), \
        VIEW_WHOLE("by", 0, "=ROWS", heat_take_rows, \
                   "The rows: offset, the time since a column's beginning (the\n" \
                   "default), or comm, pid, tid, cpu, unit, host"), \
        VIEW_WHOLE("latency", 0, "=KIND", heat_take_latency, \
                   "Draw latencies: sched, from waking to running; block, of\n" \
                   "requests to disks; syscall, of system calls"), \
        VIEW_CALL(HeatOptions, pair, "pair", 0, "=SYSTEM:BEGIN:END", heat_take_pair, \
                  "Draw the time from one tracepoint to another"), \
        VIEW_CALL(HeatOptions, pair, "key", 0, "=FIELD[,FIELD...]", heat_take_key, \
                  "The fields that make them a pair (tid)"), \
        VIEW_SET(HeatOptions, picture.grid.linear, "linear", 0, "Rows of latencies are equal times, not equal ratios"), \
        VIEW_CALL(HeatOptions, picture.grid.least, "minlat", 0, "=SPAN", heat_take_seconds, NULL), \
        VIEW_CALL(HeatOptions, picture.grid.most, "maxlat", 0, "=SPAN", heat_take_seconds, \
                  "Only latencies from and up to these (all)"), \
        VIEW_CALL(HeatOptions, picture.grid.row_step, "steplat", 0, "=SPAN", heat_take_seconds, \
                  "The time of a row, with --linear"), \
        VIEW_CALL(HeatOptions, picture.grid.rows, "rows", 0, "=NUMBER", heat_take_number, \
                  "The number of rows; of groups: at most (50)", .number = ROWS_MAX), \
        VIEW_CALL(HeatOptions, picture.grid.step, "stepsec", 0, "=SECONDS", heat_take_seconds, \
                  "The time of a column (that with which all fit)"), \
        VIEW_CALL(HeatOptions, picture.grid.columns, "maxcol", 0, "=NUMBER", heat_take_number, \
                  "Draw at most that many columns", .number = COLUMNS_MAX), \
        VIEW_CALL(HeatOptions, picture.box, "boxsize", 0, "=PIXELS", heat_take_number, \
                  "The least size of a square, in pixels (8)", .number = BOX_MAX), \
        VIEW_SET(HeatOptions, picture.lines, "grid", 0, "Draw lines between squares"), \
        VIEW_CALL(HeatOptions, chains, "only", 0, "=REGEX", chain_patterns_take_only, \
                  "Only call chains that match, as \"comm;outer;inner\""), \
        VIEW_CALL(HeatOptions, chains, "exclude", 0, "=REGEX", chain_patterns_take_exclude, "Only those that do not match"), \
        VIEW_CALL(HeatOptions, max_stack, "max-stack", 0, "=NUMBER", picture_take_max_stack, \
                  "Use at most that many addresses of a call chain (127)"), \
        VIEW_SET(HeatOptions, inlined, "inline", 0, "Show inlined functions, too"), \
        VIEW_CALL(HeatOptions, flame.title, "title", 0, "=TEXT", picture_take_text, NULL), \
        VIEW_CALL(HeatOptions, flame.subtitle, "subtitle", 0, "=TEXT", picture_take_text, "Texts above it"), \
        VIEW_CALL(HeatOptions, flame.width, "width", 0, "=PIXELS", picture_take_width, "The width of an .svg (1200)"), \
        VIEW_CALL(HeatOptions, flame.font, "fonttype", 0, "=FONT", picture_take_font, NULL), \
        VIEW_CALL(HeatOptions, flame.font_size, "fontsize", 0, "=PIXELS", picture_take_font_size, \
                  "The font of an .svg (Verdana, 12)"), \
        VIEW_CALL(HeatOptions, flame.background, "bgcolors", 0, "=COLOR", picture_take_background, \
                  "Its background: yellow, blue, green, grey or #rrggbb"), \
        VIEW_CALL(HeatOptions, flame.search, "search", 0, "=REGEX", picture_take_text, "Search an .html for this at once"), \
        SELECTION_ROW(HeatOptions, COMMS, "comms", 'c', "=NAME[,NAME...]", "Only threads with these names"), \
        SELECTION_ROWS(HeatOptions), \
        SELECTION_TIME_ROWS(HeatOptions), \
        NAME_ROWS(HeatOptions), \
        VIEW_SET(HeatOptions, verbose, "verbose", 'v', "Report all files that are not used, not only the first")
