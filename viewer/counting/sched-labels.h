/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "recording-inputs.h"
#include "sample-table.h"
#include "thread-waits.h"

/* Labels of samples of the scheduler's tracepoints (see SampleLabeler), out of their fields: the first text is a SchedEvent, the
 * second one the name of a thread that is woken, or the state in which one leaves its CPU. */
typedef struct SchedLabels SchedLabels;

#define SCHED_SWITCH "sched:sched_switch"

/* reader must outlive it. wakers: wakings have labels, too: those of sched:sched_waking, or of sched:sched_wakeup if there are no
 * others. 0, -ENOMEM. */
int sched_labels_new(const PerfDataReader *reader, bool wakers, SchedLabels **ret);
SchedLabels *sched_labels_free(SchedLabels *l);
DEFINE_CLEANUP(SchedLabels *, sched_labels_free);

/* labels must outlive it. */
SampleLabeler sched_labels_labeler(SchedLabels *labels);

/* Returns the name of the event whose call chains are drawn. */
const char *sched_labels_event(const PerfDataReader *reader, bool wakers);

/* Prints what a recording lacks for waits, and how to record it. option: what asks for it. 0; -ENODATA: it was printed. Call chains
 * are needed of wakings only. */
int sched_labels_check(const RecordingInputs *inputs, const char *option, bool wakers);

/* Returns whether switches of one of them have no call chains, so that states are all that says what threads wait for. */
bool sched_labels_lack_chains(const RecordingInputs *inputs);

/* Reports which waits of a recording are not in the sums. */
void sched_labels_remark(const char *title, const ThreadWaits *w);
