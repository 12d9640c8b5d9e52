/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "recording-inputs.h"
#include "sample-table.h"
#include "thread-waits.h"

/* Labels of samples of the scheduler's tracepoints, and what these say, out of their fields. A label is the name of the thread that
 * is woken, or the state in which one leaves its CPU. */
typedef struct SchedLabels SchedLabels;

/* reader must outlive it. wakers: wakings have labels, too: those of sched:sched_waking, or of sched:sched_wakeup if there are no
 * others. 0, -ENOMEM. */
int sched_labels_new(const PerfDataReader *reader, bool wakers, SchedLabels **ret);
SchedLabels *sched_labels_free(SchedLabels *l);
DEFINE_CLEANUP(SchedLabels *, sched_labels_free);

/* Returns false if a sample is not of these events, or cut off. */
bool sched_labels_event_of(const SchedLabels *l, const Moment *m, SchedEvent *ret);

/* The label of a sample with that event, valid until the next call. */
SampleLabel sched_labels_label(SchedLabels *l, const Moment *m, const SchedEvent *event);

/* Returns the name of the event whose call chains are drawn. */
const char *sched_labels_event(const PerfDataReader *reader, bool wakers);

/* Prints what a recording lacks for waits, and how to record it. option: what asks for it. 0; -ENODATA: it was printed. Call chains
 * are needed of wakings only. */
int sched_labels_check(const RecordingInputs *inputs, const char *option, bool wakers);

/* Returns whether switches of one of them have no call chains, so that states are all that says what threads wait for. */
bool sched_labels_lack_chains(const RecordingInputs *inputs);

/* Reports which waits of a recording are not in the sums. */
void sched_labels_remark(const char *title, const ThreadWaits *w);
