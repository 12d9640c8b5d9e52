/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "sample.h"

/* Samples whose copy of the user's stack was replaced by the call chain that it shows. */

/* Makes the attributes of an event with such copies those of the event with call chains instead; registers: samples keep the
 * user's registers. False: the event has no such copies, and stays as it is. */
bool unwound_sample_attr(struct perf_event_attr *attr, bool registers);

/* Writes a sample of the event, as parsed, with that call chain to a block of 64 KiB. registers: as above. 0; -E2BIG: a record
 * cannot be that long. */
int unwound_sample_make(const struct perf_event_header *record, const PerfSample *sample, const uint64_t *chain, size_t n_chain,
                        bool registers, struct perf_event_header *to);
