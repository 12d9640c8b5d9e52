/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "count-samples.h"
#include "flight-state.h"
#include "handover.h"
#include "history.h"
#include "sideband-journal.h"
#include "takeover.h"

/* The files in memory of a flight recorder that can outlive its process, beside the rings. */
typedef struct FlightMemory {
        FlightState *state;
        int state_fd;
        SidebandJournal *journal; /* NULL: no daemon keeps it */
        History *history;         /* NULL: the samples stay in their rings */
        CountSource *counted;     /* with counts of the set before, which it borrows, to go on with; NULL: there are none */
} FlightMemory;

/* The positions of a set's samples: one for each ring, or a single one for counts, which are in a history. */
static inline size_t flight_memory_positions(const EventSet *set) {
        return MAX_OF(set->n_rings, (size_t) 1);
}

#define FLIGHT_MEMORY_EMPTY { .state_fd = -EBADF }

void flight_memory_done(FlightMemory *m);

/* Takes over the files that the previous recorder left, for a set of its events. dir_fd is the directory of its dumps.
 * -EBADMSG: a file does not fit the set, or lacks (has_history: a history is required). m stays empty on failure. */
int flight_memory_take_over(FlightMemory *m, const Takeover *t, EventSet *set, int dir_fd, bool has_history);

/* The descriptors, borrowed. */
void flight_memory_files(const FlightMemory *m, int files[static _HANDOVER_FILE_MAX]);
