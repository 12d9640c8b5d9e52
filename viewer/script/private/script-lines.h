/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "script-source.h"

/* Samples as the lines of perf script. */

typedef struct ScriptStyle {
        bool nanoseconds;
        bool relative, delta;  /* times since the first line, or since the line before */
        bool latency;          /* shorter names and CPUs */
        bool chains;           /* call chains are shown */
        bool marks;            /* and where they are cut off */
        size_t max_stack;      /* addresses of a chain */
        char **stop;           /* functions at which a chain ends; NULL: none */
} ScriptStyle;

/* Things that lines of several recordings have in common. */
typedef struct ScriptTogether {
        uint64_t first, previous; /* times of lines; 0: none yet */
        size_t name_width;        /* of events */
        size_t source_width;      /* of the field data_src so far */
} ScriptTogether;

typedef struct ScriptLines ScriptLines;

/* Makes names of events at least as wide as those of the recording. */
void script_together_add(ScriptTogether *t, const PerfDataReader *reader);

/* All must outlive it. 0, -ENOMEM. */
int script_lines_new(ScriptSource *source, const ScriptStyle *style, ScriptTogether *together, TextBuffer *out, ScriptLines **ret);
ScriptLines *script_lines_free(ScriptLines *l);
DEFINE_CLEANUP(ScriptLines *, script_lines_free);
#define _cleanup_script_lines_free_ _cleanup_(script_lines_freep)

/* 0, -ENOMEM, errors of writing. */
int script_lines_sample(ScriptLines *l, const Moment *s);

/* Puts what a line begins with: the thread, CPU and time. event: whose fields count. s: the sample, or the trailer
 * of another record. record_type: PERF_RECORD_…; misc: of its header. */
void script_lines_begin(ScriptLines *l, size_t event, const PerfSample *s, const char *comm, uint32_t record_type, uint16_t misc);
