/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-set.h"
#include "flight-samples.h"
#include "output.h"

/* Moves what the rings hold into the output. */

/* Normal rings of samples: everything that is there now, in one round. */
int drain_rings(EventSet *set, Output *output);

/* Overwrite rings: what came up to their mark since they were last read. The samples are those of a snapshot. */
int drain_overwrite_rings(const FlightSamples *samples, Output *output);

/* What the kernel counted as lost per event, as records at the end of the file, and in sum. Only once, at the end. */
int drain_lost_samples(const EventSet *set, Output *output, uint64_t *ret_lost);
