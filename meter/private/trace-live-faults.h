/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "call-event.h"
#include "sample.h"

/* The maps and the symbols that page faults are shown with. */
typedef struct TraceLiveFaults TraceLiveFaults;

/* Reads where the kernel is. 0, -ENOMEM. */
int trace_live_faults_new(TraceLiveFaults **ret);
TraceLiveFaults *trace_live_faults_free(TraceLiveFaults *f);
DEFINE_CLEANUP(TraceLiveFaults *, trace_live_faults_free);

/* Follows a record of maps and processes, in the order of time. 0, -ENOMEM. */
int trace_live_faults_take(TraceLiveFaults *f, const struct perf_event_header *record);

/* Names where a fault happened; misc: of its record. The texts are valid until the next call. 0, -ENOMEM. */
int trace_live_faults_name(TraceLiveFaults *f, const PerfSample *s, uint16_t misc, bool major, CallFault *ret);
