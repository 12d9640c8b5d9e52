/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "recording-input.h"
#include "time-ranges.h"
#include "time-window.h"
#include "view-options.h"

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

enum { SELECTION_COMMS, SELECTION_DSOS, SELECTION_SYMBOLS, SELECTION_PID, SELECTION_TID, SELECTION_CPU, SELECTION_UNIT,
       SELECTION_TIME, SELECTION_LAST, SELECTION_SINCE, SELECTION_UNTIL, SELECTION_BEFORE_TRIGGER, SELECTION_AROUND_TRIGGER };

/* Rows of a verb's options, for the field select of a T. Those of comms, dsos and symbols are the verbs' own: not all have them. */
#define SELECTION_ROW(T, number_, name_, letter_, value_, help_) \
        VIEW_CALL(T, select, name_, letter_, value_, selection_options_take, help_, .number = SELECTION_##number_)
#define SELECTION_ROWS(T) \
        SELECTION_ROW(T, PID, "pid", 0, "=PID[,PID...]", "Only these processes"), \
        SELECTION_ROW(T, TID, "tid", 0, "=TID[,TID...]", "Only these threads"), \
        SELECTION_ROW(T, CPU, "cpu", 'C', "=CPU[,CPU...]", "Only these CPUs"), \
        SELECTION_ROW(T, UNIT, "unit", 'u', "=UNIT[,UNIT...]", "Only control groups of these units"), \
        SELECTION_ROW(T, TIME, "time", 0, "=[SINCE],[UNTIL]", "Only this time, in seconds of the recording's clock;\n" \
                      "10%/2, 0%-20%: these parts of the recording"), \
        SELECTION_ROW(T, LAST, "last", 0, "=SPAN", "Only that long before the last sample"), \
        SELECTION_ROW(T, SINCE, "since", 0, "=TIME", "Only from that time of day on, as 14:03 or -5min"), \
        SELECTION_ROW(T, UNTIL, "until", 0, "=TIME", "Only up to that time of day"), \
        SELECTION_ROW(T, BEFORE_TRIGGER, "before-trigger", 0, "=SPAN", "Only that long before what made a dump"), \
        SELECTION_ROW(T, AROUND_TRIGGER, "around-trigger", 0, "=SPAN", "Only that long before and behind it")

int selection_options_take(void *select, const ViewOption *option, const char *value);
void selection_options_done(SelectionOptions *s);

/* Finds what the options select in the recording. *ret refers to s and to *ret_spans, a new array. 0, or a negative
 * errno after an error was printed. */
int selection_options_find(const SelectionOptions *s, const RecordingInput *in, SampleSpan **ret_spans, SampleSelection *ret);
