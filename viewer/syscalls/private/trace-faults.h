/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "call-event.h"
#include "call-options.h"
#include "recording-run.h"

/* Page faults of recordings. Zero-initialise. */
typedef struct TraceFaults {
        TextBuffer code, memory; /* of the one that was named last */
} TraceFaults;

void trace_faults_done(TraceFaults *f);

/* Returns whether an event is of page faults that are to be shown, and its samples have their places. */
bool trace_faults_want(const CallOptions *o, const PerfDataEvent *e);

/* Names where a fault happened. The texts are valid until the next call. 0, -ENOMEM. */
int trace_faults_name(TraceFaults *f, RecordingRun *run, const Moment *m, CallFault *ret);
