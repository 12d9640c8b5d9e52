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
        bool other_times;       /* the times that these do not select are looked at */
        SampleSpan left_out;    /* a time that is not looked at in recordings of that session, as they may have it in common … */
        const char *left_out_of; /* … with another one; see RecordingInput. NULL: none */
        bool no_idle;           /* see SampleSelection */
} SelectionOptions;

enum { SELECTION_COMMS, SELECTION_DSOS, SELECTION_SYMBOLS, SELECTION_PID, SELECTION_TID, SELECTION_CPU, SELECTION_UNIT,
       SELECTION_TIME, SELECTION_LAST, SELECTION_SINCE, SELECTION_UNTIL, SELECTION_BEFORE_TRIGGER, SELECTION_AROUND_TRIGGER,
       SELECTION_NO_IDLE };

int selection_options_take(void *select, const ViewOption *option, const char *value);
void selection_options_done(SelectionOptions *s);

/* Finds what the options select in the recording. *ret refers to s and to *ret_spans, a new array. 0, or a negative
 * errno after an error was printed. */
int selection_options_find(const SelectionOptions *s, const RecordingInput *in, SampleSpan **ret_spans, SampleSelection *ret);
