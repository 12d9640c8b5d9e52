/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "flight-samples.h"

/* What of a flight recording must outlive the process, in memory that can be handed over (a memfd): up to where the samples
 * of each ring are in dumps. There are two marks. An automatic dump begins at the one that automatic dumps moved, so that a
 * dump that somebody asked for takes nothing away from it; "what no dump has yet" begins at the one that all dumps moved.
 * Positions of overwrite rings count as the ring's head does, downwards from 0; a history has one position, of ring 0. */

#define FLIGHT_STATE_MAGIC UINT64_C(0x3230746867696c66) /* "flight02", little endian */
#define FLIGHT_STATE_NAME_MAX 256

typedef enum FlightMark {
        FLIGHT_MARK_AUTOMATIC,            /* the samples behind it are in no automatic dump */
        FLIGHT_MARK_ANY,                  /* … in no dump at all */
        _FLIGHT_MARK_MAX,
} FlightMark;

typedef struct FlightState {
        uint64_t magic;
        uint64_t n_rings;                 /* of the set, by their order there; those that are no overwrite rings stay 0 */
        uint64_t moves;                   /* a bit for each mark that the file moves which is about to get its name */
        char name[FLIGHT_STATE_NAME_MAX]; /* of that file; "": there is none */
        struct {
                uint64_t marks[_FLIGHT_MARK_MAX];
                uint64_t pending;         /* where the marks are once that file has its name */
        } rings[];
} FlightState;

/* A new one. *ret_fd is the caller's, sealed in its size. */
int flight_state_new(size_t n_rings, int *ret_fd, FlightState **ret);

/* One that another process left, mapped. If that died when its file was about to get its name, the directory says whether
 * it has. -EBADMSG: it is none, or is of another number of rings. */
int flight_state_take_over(int fd, size_t n_rings, int dir_fd, FlightState **ret);
FlightState *flight_state_free(FlightState *s); /* unmaps it */
DEFINE_CLEANUP(FlightState *, flight_state_free);

/* Position behind which the samples for a dump begin in a ring; 0: all are for it. */
uint64_t flight_state_begin(const FlightState *s, size_t ring, const FlightWish *wish);

/* The pending positions were set; a file with what was wished is about to be called name. */
void flight_state_announce(FlightState *s, const FlightWish *wish, const char *name);
void flight_state_settle(FlightState *s, bool named); /* whether it came to that */
