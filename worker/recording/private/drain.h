/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-set.h"
#include "flight-samples.h"
#include "output.h"

/* Writes all that the normal rings of samples have now to the output, in one round, and consumes it. Adds to *lost what the
 * kernel's LOST records report, of any kind; the output does not count it. */
int drain_rings(EventSet *set, Output *output, uint64_t *lost);

/* Does the same with what overwrite rings got between the last call and the mark. The samples are those of a snapshot. */
int drain_overwrite_rings(const FlightSamples *samples, Output *output, uint64_t *lost);

/* The kernel's counts of what found no room since the events were opened. */
typedef struct DrainLost {
        uint64_t samples; /* of events that sample: if event_set_tells_lost(), samples only */
        uint64_t records; /* of dummy events, which have only records of tasks and maps */
} DrainLost;

/* Reads these counts, which interrupts the CPUs of the events; they are 0 before Linux 6.0. output: gets a record of each
 * event's count, which is for the end; NULL: none. */
int drain_read_lost(const EventSet *set, Output *output, DrainLost *ret);
