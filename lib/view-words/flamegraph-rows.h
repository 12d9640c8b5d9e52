/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "common-rows.h"

/* These are the options of flamegraph. */

#define FLAMEGRAPH_ROWS \
        RECORDING_ROWS(FlameOptions, "several of them are shown as one"), \
        VIEW_TEXT(FlameOptions, output, "output", 'o', "=FILE", \
                  "The file to write (standard output; of perfctl\nperf-DUMP.html): FILE.svg, .html, .folded, .json"), \
        VIEW_CALL(FlameOptions, format, "format", 0, "=FORMAT", flame_take_format, \
                  "svg, html, folded or json, whatever the file's name ends in"), \
        VIEW_TEXT(FlameOptions, event, "event", 'e', "=EVENT", "Draw this event (the one with the most samples)"), \
        VIEW_CALL(FlameOptions, subject, "off-cpu", 0, NULL, take_subject, \
                  "Draw how long threads were off the CPU, by how they left it:\n" \
                  "samples of sched:sched_switch", .number = FLAME_OFF_CPU), \
        VIEW_CALL(FlameOptions, subject, "flamechart", 0, NULL, take_subject, \
                  "Draw samples in the order of time, one thread after the other", .number = FLAME_CHART), \
        VIEW_CALL(FlameOptions, subject, "wakeup", 0, NULL, take_subject, \
                  "Draw how long threads slept, by what woke them: samples of\n" \
                  "sched:sched_switch, and of sched:sched_waking with call chains", .number = FLAME_WAKERS), \
        VIEW_CALL(FlameOptions, subject, "diff", 0, NULL, take_subject, \
                  "Draw what changed from the first recording to the second, or\n" \
                  "in a part of one: red takes more, blue less, grey is chance", .number = FLAME_DIFF), \
        VIEW_CALL(FlameOptions, comparison.normalize, "normalize", 0, "=WHAT", diff_take_normalize, \
                  "With --diff, compare what there is in a second (time, the\ndefault), or the shares of all of it (total)"), \
        VIEW_CALL(FlameOptions, comparison.on_baseline, "on", 0, "=RANGE", flame_take_range, \
                  "With --diff, the shape of the first one (a) or the second (b)"), \
        VIEW_CALL(FlameOptions, by, "by", 0, "=KEY", take_grouping, "The first level: comm, pid, tid, cpu, unit, host (comm)"), \
        VIEW_SET(FlameOptions, periods, "period", 0, "Weigh samples by their periods"), \
        VIEW_CALL(FlameOptions, chains, "only", 0, "=REGEX", chain_patterns_take_only, \
                  "Only call chains that match, as \"comm;outer;inner\""), \
        VIEW_CALL(FlameOptions, chains, "exclude", 0, "=REGEX", chain_patterns_take_exclude, "Only those that do not match"), \
        VIEW_CALL(FlameOptions, max_stack, "max-stack", 0, "=NUMBER", picture_take_max_stack, \
                  "Use at most that many addresses of a call chain (127)"), \
        VIEW_SET(FlameOptions, inlined, "inline", 0, "Show inlined functions, too"), \
        VIEW_SET(FlameOptions, reverse, "reverse", 0, "Begin with the functions that were hit, not with callers"), \
        VIEW_SET(FlameOptions, picture.inverted, "inverted", 0, "Draw it from the top down"), \
        VIEW_CALL(FlameOptions, picture.title, "title", 0, "=TEXT", picture_take_text, NULL), \
        VIEW_CALL(FlameOptions, picture.subtitle, "subtitle", 0, "=TEXT", picture_take_text, NULL), \
        VIEW_CALL(FlameOptions, picture.notes, "notes", 0, "=TEXT", picture_take_text, \
                  "Texts above it, and one that is not shown"), \
        VIEW_CALL(FlameOptions, picture.width, "width", 0, "=PIXELS", picture_take_width, "Its width (1200)"), \
        VIEW_CALL(FlameOptions, picture.frame_height, "height", 0, "=PIXELS", picture_take_height, \
                  "The height of a frame (16)"), \
        VIEW_CALL(FlameOptions, picture, "minwidth", 0, "=WIDTH", take_least, "Leave out narrower frames: 0.1, or 0.05% (0.1)"), \
        VIEW_CALL(FlameOptions, picture.font, "fonttype", 0, "=FONT", picture_take_font, NULL), \
        VIEW_CALL(FlameOptions, picture.font_size, "fontsize", 0, "=PIXELS", picture_take_font_size, \
                  "The font (Verdana, 12)"), \
        VIEW_CALL(FlameOptions, picture.count_name, "countname", 0, "=TEXT", picture_take_text, \
                  "The name of what is counted (samples)"), \
        VIEW_CALL(FlameOptions, picture.name_type, "nametype", 0, "=TEXT", picture_take_text, "A text before names (Function:)"), \
        VIEW_WHOLE("colors", 0, "=PALETTE", take_palette, "kinds tells kernel, user, inlined and JIT code apart (the\n" \
                   "default); java, js, perl: the same; hot, mem, io, wakeup,\n" \
                   "chain, red, green, blue, aqua, yellow, purple, orange"), \
        VIEW_CALL(FlameOptions, picture.background, "bgcolors", 0, "=COLOR", picture_take_background, \
                  "The background: yellow, blue, green, grey or #rrggbb"), \
        VIEW_CALL(FlameOptions, picture.factor, "factor", 0, "=NUMBER", take_factor, "Multiply weights by this"), \
        VIEW_CALL(FlameOptions, picture.search, "search", 0, "=REGEX", picture_take_text, "Search for this at once"), \
        VIEW_CALL(FlameOptions, folded, "kernel", 0, NULL, take_marks, NULL, .number = MARK_KERNEL), \
        VIEW_CALL(FlameOptions, folded, "jit", 0, NULL, take_marks, \
                  "Mark code of the kernel by _[k], generated code by _[j], in\n.folded", .number = MARK_JIT), \
        VIEW_CALL(FlameOptions, folded, "all", 0, NULL, take_marks, "Mark both, and inlined code by _[i]", \
                  .number = MARK_KERNEL | MARK_JIT | MARK_INLINED), \
        SELECTION_ROW(FlameOptions, COMMS, "comms", 'c', "=NAME[,NAME...]", "Only threads with these names"), \
        SELECTION_ROWS(FlameOptions), \
        SELECTION_TIME_ROWS(FlameOptions), \
        NAME_ROWS(FlameOptions), \
        VIEW_SET(FlameOptions, verbose, "verbose", 'v', "Report all files that are not used, not only the first"), \
        VIEW_ACCEPTED("hash", 0)
