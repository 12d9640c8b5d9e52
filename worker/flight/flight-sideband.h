/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "flight-samples.h"
#include "left-out.h"
#include "preamble.h"
#include "sideband-journal.h"

/* The side band of a flight recorder: it is read from its rings when they fill up, and kept in a table. What a dump
 * begins with is made from that table. /proc is read again only after the kernel dropped records. */
typedef struct FlightSideband FlightSideband;

/* Reads /proc for what exists already, unless the journal is not empty: then a previous recorder has noted it there, and the
 * rings are read from where that recorder stopped. All that is read is appended to the journal (NULL: there is none). o with
 * what it points to and the journal must outlive the object. */
int flight_sideband_new(const PreambleOptions *o, SidebandJournal *journal, FlightSideband **ret);
FlightSideband *flight_sideband_free(FlightSideband *s);
DEFINE_CLEANUP(FlightSideband *, flight_sideband_free);

/* Reads all side-band rings. all: no record can come any more that is older than those that are read. */
int flight_sideband_drain(FlightSideband *s, bool all);

/* Is passed records before the table takes them. ring: SIDEBAND_JOURNAL_NO_RING if they were made here, otherwise that
 * of the set which they came from, where they end at the position tail. 0, or an error that ends the recording. */
typedef int SidebandFollower(void *userdata, uint32_t ring, const struct iovec *records, size_t n, uint64_t tail);

/* Passes all that the table has to follower, and what comes later. */
int flight_sideband_follow(FlightSideband *s, SidebandFollower *follower, void *userdata);

/* Puts the records that a dump with these samples begins with, and counts what of their processes is left out. */
int flight_sideband_put(FlightSideband *s, const FlightTaken *samples, RecordBuffer *b, LeftOut *ret_left_out);

/* Puts the records that a window begins with, for one who looks at the samples of all processes again and again: whole: what
 * events and processes are, and what came up to until; otherwise only what came since, but not later than until (ns of the
 * samples' clock). Nothing is read again for it. */
int flight_sideband_put_window(FlightSideband *s, bool whole, uint64_t since, uint64_t until, RecordBuffer *b);

/* Returns the number of records that the kernel had no room for: of those that samples from that time on may need (ns of the
 * samples' clock), or more; 0: all ever. Names of control groups that the last dump's samples need and that were dropped count
 * too. */
uint64_t flight_sideband_lost(const FlightSideband *s, uint64_t since);

/* True if the table has grown so much that it is worth finding out which processes still have samples. */
bool flight_sideband_wants_sweep(const FlightSideband *s);

/* Forgets what no sample needs: those in memory are no older than oldest, and of the processes and control groups that samples
 * has. */
int flight_sideband_sweep(FlightSideband *s, const FlightTaken *samples, uint64_t oldest);
