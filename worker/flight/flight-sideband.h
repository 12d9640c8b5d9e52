/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "left-out.h"
#include "preamble.h"
#include "sideband-journal.h"

/* The side band of a flight recorder: read from its rings whenever they ask for it, kept in a table, and what a dump
 * begins with made from that, without a look at /proc. */
typedef struct FlightSideband FlightSideband;

/* What is there already is noted now, the only time: or, if the journal is not empty, was noted there by a recorder before, and
 * its rings are read from where that stopped. journal: gets all that is read; NULL: nobody wants it. o with what it points to
 * and the journal must outlive it. */
int flight_sideband_new(const PreambleOptions *o, SidebandJournal *journal, FlightSideband **ret);
FlightSideband *flight_sideband_free(FlightSideband *s);
DEFINE_CLEANUP(FlightSideband *, flight_sideband_free);

/* Reads all side-band rings. all: no record can come any more that is older than those that are read. */
int flight_sideband_drain(FlightSideband *s, bool all);

/* What a dump with samples of these processes begins with (NULL: all processes), and what of them it lacks. */
int flight_sideband_put(FlightSideband *s, const uint32_t *pids, size_t n, RecordBuffer *b, LeftOut *ret_left_out);

/* So many processes ended that it is worth a look which of them are still needed. */
bool flight_sideband_wants_sweep(const FlightSideband *s);

/* No sample in memory is older than that, and those that are there are of these processes. */
int flight_sideband_sweep(FlightSideband *s, uint64_t oldest, const uint32_t *pids, size_t n);

SidebandTable *flight_sideband_table(FlightSideband *s);
