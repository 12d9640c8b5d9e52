/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "perfdata-test.h"
#include "place-names.h"
#include "sample-table.h"

/* Recordings with call chains, for the tests of what counts them. */

/* Puts a sample of the event "cpu-clock" in user space with that call chain, the innermost address first, of n addresses. */
void made_sample(RecordBuffer *b, uint32_t pid, uint32_t tid, uint64_t time, uint64_t period, const uint64_t *chain, size_t n);

#define MADE_SAMPLE(b, pid, tid, time, ...)                                                            \
        made_sample((b), (pid), (tid), (time), 1, (const uint64_t[]) { __VA_ARGS__ },                  \
                    sizeof((const uint64_t[]) { __VA_ARGS__ }) / sizeof(uint64_t))

/* Counts the recording that these records make. */
SampleTable *made_table(const RecordBuffer *b, const SampleSelection *selection, unsigned dimensions);
SampleTable *made_planned_table(const RecordBuffer *b, const SampleSelection *selection, const SampleTablePlan *plan);

/* Names the code of size bytes from an address on, as a symbol of its binary would; names are those of the places. */
void made_name_code(PlaceNames *names, const CodePlaces *places, uint64_t start, uint64_t size, const char *name);
