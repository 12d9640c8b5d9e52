/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-set.h"
#include "flight-samples.h"
#include "output.h"

/* Writes all that the normal rings of samples have now to the output, in one round, and consumes it. */
int drain_rings(EventSet *set, Output *output);

/* Writes what overwrite rings got between the last call and the mark. The samples are those of a snapshot. */
int drain_overwrite_rings(const FlightSamples *samples, Output *output);

/* Appends records of the samples that the kernel counted as lost, per event, and returns their sum. Only once, at the end. */
int drain_lost_samples(const EventSet *set, Output *output, uint64_t *ret_lost);
