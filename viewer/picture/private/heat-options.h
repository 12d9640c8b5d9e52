/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "chain-patterns.h"
#include "heat-picture.h"
#include "name-options.h"
#include "pair-rule.h"
#include "recording-inputs.h"
#include "selection-options.h"

/* The command line of "heatmap", whose words are trace2heatmap.pl's where it has them. */

typedef enum HeatFormat {
        HEAT_SVG,
        HEAT_HTML,
        _HEAT_FORMAT_MAX,
        _HEAT_FORMAT_INVALID = -EINVAL,
} HeatFormat;

typedef enum HeatSubject {
        HEAT_SAMPLES,
        HEAT_SCHED,   /* latencies, by the rules of that name … */
        HEAT_BLOCK,
        HEAT_SYSCALL,
        HEAT_PAIR,    /* … or the user's */
        _HEAT_SUBJECT_MAX,
} HeatSubject;

typedef struct HeatOptions {
        RecordingNames inputs;  /* at least one after parsing */
        const char *output;
        HeatFormat format;
        HeatPicture picture;
        FlamePicture flame;     /* the picture's */
        HeatSubject subject;
        PairRule pair;          /* of --pair and --key */
        const PairRule *rule;   /* what makes latencies; NULL: samples are drawn */
        const char *event;      /* NULL: the one with the most samples */
        ChainPatterns chains;
        FrameGrouping by;       /* of the flame graph, and of rows that are groups */
        bool inlined, verbose;
        size_t max_stack;
        NameOptions names;
        SelectionOptions select;
} HeatOptions;

/* Parses the words behind "heatmap". 0; 1: help was printed; -EINVAL: an error was printed; -ENOMEM. o is initialised, and done
 * after a failure too; it must stay where it is. */
int heat_options_parse(HeatOptions *o, int argc, char **argv);
void heat_options_done(HeatOptions *o);
