/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "flame-options.h"

/* The command line of "diff", which is that of perf diff where it has the option. */

typedef enum DiffKey {
        DIFF_KEY_COMM,
        DIFF_KEY_PID, /* the thread, as in report */
        DIFF_KEY_DSO,
        DIFF_KEY_SYMBOL,
        DIFF_KEY_CPU,
        DIFF_KEY_UNIT,
        DIFF_KEY_CGROUP,
        _DIFF_KEY_MAX,
} DiffKey;

/* Return the name of a key on the command line and in JSON, and the title of its column. */
const char *diff_key_word(DiffKey key);
const char *diff_key_title(DiffKey key);

typedef enum DiffCompute {
        DIFF_DELTA_ABS,
        DIFF_DELTA,
        DIFF_RATIO,
        _DIFF_COMPUTE_MAX,
} DiffCompute;

typedef struct DiffOptions {
        RecordingNames inputs; /* one or two after parsing; with a trigger its dump, and earlier ones */
        DiffTrigger trigger;
        unsigned baseline; /* earlier recordings that the caller was asked for; 0: none */
        SelectionOptions select;
        DiffKey keys[_DIFF_KEY_MAX];
        size_t n_keys;
        DiffCompute compute;
        DiffNormalize normalize;
        double fail_above;     /* percent of the whole; negative: whatever grows */
        char separator;        /* 0: columns are aligned */
        const char *output;    /* of a picture; NULL: a table is printed */
        FlameFormat format;    /* of a picture, as is the next one */
        bool on, on_baseline;  /* on: the option was given, as is the next one */
        bool sorted;
        bool by_baseline, baseline_only, period, summary, json, quiet, verbose;
        NameOptions names;
} DiffOptions;

/* Parses the words behind "diff". 0; 1: help was printed; -EINVAL: an error was printed; -ENOMEM. o is initialised, and done after
 * a failure too. */
int diff_options_parse(DiffOptions *o, int argc, char **argv);
void diff_options_done(DiffOptions *o);
