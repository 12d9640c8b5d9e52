/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "chain-patterns.h"
#include "diff-range.h"
#include "flame-picture.h"

/* The command line of "flamegraph", whose words are flamegraph.pl's where it has them. */

typedef enum FlameFormat {
        FLAME_SVG,
        FLAME_HTML,
        FLAME_FOLDED,
        FLAME_JSON,
        _FLAME_FORMAT_MAX,
        _FLAME_FORMAT_INVALID = -EINVAL,
} FlameFormat;

/* Returns whether it says what it is of. */
static inline bool flame_format_has_caption(FlameFormat format) {
        return format == FLAME_SVG || format == FLAME_HTML;
}

typedef enum FlameSubject {
        FLAME_SAMPLES,
        FLAME_CHART,   /* samples of each thread in the order of time */
        FLAME_DIFF,    /* those of two ranges, in the shape of one of them */
        FLAME_OFF_CPU, /* the time that threads wait, by how they left the CPU */
        FLAME_WAKERS,  /* the time that they sleep, by what woke them */
        _FLAME_SUBJECT_MAX,
} FlameSubject;

static inline bool flame_subject_is_wait(FlameSubject subject) {
        return subject >= FLAME_OFF_CPU;
}

/* Returns the word that asks for it; NULL: it is the default. */
const char *flame_subject_option(FlameSubject subject);

/* The words of FLAME_DIFF. */
typedef struct FlameComparison {
        DiffNormalize normalize;
        DiffTrigger trigger;
        bool on_baseline; /* the shape is that of the baseline, and not of what is compared with it */
} FlameComparison;

typedef struct FlameOptions {
        RecordingNames inputs;  /* at least one after parsing */
        const char *output;
        FlameFormat format;
        FlamePicture picture;
        bool count_set, colors_set; /* by options */
        FoldedStyle folded;
        FlameSubject subject;
        const char *event;      /* NULL: the one with the most samples */
        FrameGrouping by;
        bool periods, reverse, inlined, verbose;
        size_t max_stack;
        ChainPatterns chains;
        NameOptions names;
        SelectionOptions select;
        FlameComparison comparison;
} FlameOptions;

/* For tables of options: the fields are a FlameFormat, and on_baseline. */
int flame_take_format(void *field, const ViewOption *option, const char *value);
int flame_take_range(void *field, const ViewOption *option, const char *value);

/* Sets what is the case without options. */
void flame_options_init(FlameOptions *o);
/* Chooses what options do not say, of those that a command line or another verb set. 0; -EINVAL: an error was printed; -ENOMEM. */
int flame_options_complete(FlameOptions *o);

/* Parses the words behind "flamegraph". 0; 1: help was printed; -EINVAL: an error was printed; -ENOMEM. options is initialised,
 * and done after a failure too. */
int flame_options_parse(FlameOptions *options, int argc, char **argv);
void flame_options_done(FlameOptions *options);
