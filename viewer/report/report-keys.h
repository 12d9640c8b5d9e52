/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "report-options.h"

/* Completes the options by what the recordings have: whether branches are counted; fields of tracepoints that --sort or --fields
 * names; the default for branches, memory accesses, and recordings of nothing but tracepoints. 0, -ENOMEM; -EINVAL: an
 * error was printed. */
int report_keys_complete(ReportOptions *options, const RecordingInputs *inputs);

/* Drops the column of the time that passed, unless it was asked for, if nearly all samples are of threads that ran alone: it would
 * repeat the one of CPU time. */
void report_keys_drop_latency(ReportOptions *options, const SampleTable *table);
