/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "browser.h"
#include "top-samples.h"

/* The code of a function with the samples that hit it, of what top has in its table. perf-recorder-view reads code: this program
 * has neither a disassembler nor debug information. */

typedef struct TopAnnotated {
        uint64_t samples;  /* that were written; 0: there is nothing to show, and said has why */
        uint32_t root_pid; /* a process of whose file system a binary is; 0: all are of this one */
        TextBuffer said;   /* for the user */
} TopAnnotated;

/* Writes the samples of the chosen rows that hit the subject's function as a recording, a stream, to an empty file. a is zero, and
 * said is the caller's also after a failure. 0, -ENOMEM, and errors of writing. */
int top_annotate_write(TopAnnotated *a, const TopSamples *s, const BrowserSubject *subject, int fd);

/* Has the viewer show it: $PERF_RECORDER_VIEW, or the package's. It ends with the text. 0, and a negative errno. */
int top_annotate(const TopSamples *s, const BrowserSubject *subject, BrowserText *ret);
