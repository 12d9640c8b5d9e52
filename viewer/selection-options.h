/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "recording-input.h"
#include "time-ranges.h"
#include "time-window.h"

/* Options that say which samples are looked at, which are the same for all verbs. */
typedef struct SelectionOptions {
        char **comms, **dsos, **symbols; /* NULL: all */
        char **units;           /* patterns; NULL: all */
        uint32_t *pids, *tids;
        int *cpus;
        size_t n_pids, n_tids, n_cpus;
        const char *time_words; /* of --time; NULL: none */
        TimeRange *times;
        size_t n_times;         /* 0: all */
        TimeWindow window;
} SelectionOptions;

/* Values of struct option for words without a letter. */
enum { SELECTION_PID = 0x1000, SELECTION_TID, SELECTION_TIME, SELECTION_LAST, SELECTION_SINCE, SELECTION_UNTIL,
       SELECTION_BEFORE_TRIGGER, SELECTION_AROUND_TRIGGER };

/* Rows of struct option, and their lines of the help, in which a '%' is written twice: it is part of a format. The letters C and u
 * are in each verb's list of letters. Rows for comms, dsos and symbols are the verbs' own: not all have them. */
#define SELECTION_ROWS \
        { "pid", required_argument, NULL, SELECTION_PID }, \
        { "tid", required_argument, NULL, SELECTION_TID }, \
        { "cpu", required_argument, NULL, 'C' }, \
        { "unit", required_argument, NULL, 'u' }, \
        { "time", required_argument, NULL, SELECTION_TIME }, \
        { "last", required_argument, NULL, SELECTION_LAST }, \
        { "since", required_argument, NULL, SELECTION_SINCE }, \
        { "until", required_argument, NULL, SELECTION_UNTIL }, \
        { "before-trigger", required_argument, NULL, SELECTION_BEFORE_TRIGGER }, \
        { "around-trigger", required_argument, NULL, SELECTION_AROUND_TRIGGER }

#define SELECTION_HELP \
        "     --pid=PID[,PID...]        Only these processes\n" \
        "     --tid=TID[,TID...]        Only these threads\n" \
        "  -C --cpu=CPU[,CPU...]        Only these CPUs\n" \
        "  -u --unit=UNIT[,UNIT...]     Only control groups of these units\n" \
        "     --time=[SINCE],[UNTIL]    Only this time, in seconds of the recording's clock;\n" \
        "                               10%%/2, 0%%-20%%: these parts of the recording\n" \
        "     --last=SPAN               Only that long before the last sample\n" \
        "     --since=TIME              Only from that time of day on, as 14:03 or -5min\n" \
        "     --until=TIME              Only up to that time of day\n" \
        "     --before-trigger=SPAN     Only that long before what made a dump\n" \
        "     --around-trigger=SPAN     Only that long before and behind it\n"

/* Takes one of 'c' (comms), 'd' (dsos), 'S' (symbols), 'C' (CPUs), 'u' (units) and the above with its value. 0; -EINVAL: it is
 * none of them, or an error was printed; -ENOMEM. */
int selection_options_take(SelectionOptions *s, int option, const char *value);
void selection_options_done(SelectionOptions *s);

/* Finds what the options select in the recording. *ret refers to s and to *ret_spans, a new array. 0, or a negative
 * errno after an error was printed. */
int selection_options_find(const SelectionOptions *s, const RecordingInput *in, SampleSpan **ret_spans, SampleSelection *ret);
