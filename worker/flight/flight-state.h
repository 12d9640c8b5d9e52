/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "flight-samples.h"

/* The positions up to which the samples of each ring are in dumps, in memory that outlives the process (a memfd).
 * There are two of each ring. An automatic dump begins at the one that only automatic dumps move, so that a requested
 * dump takes nothing away from it; a dump of "what no dump has yet" begins at the one that every dump moves. Positions of
 * overwrite rings count as the ring's head does, downwards from 0; a history has one position, in the place of ring
 * 0. */

#define FLIGHT_STATE_MAGIC UINT64_C(0x3230746867696c66) /* "flight02", little endian */
#define FLIGHT_STATE_NAME_MAX 256

typedef enum FlightPosition {
        FLIGHT_POSITION_AUTOMATIC,        /* the samples behind it are in no automatic dump */
        FLIGHT_POSITION_ANY,              /* … in no dump at all */
        _FLIGHT_POSITION_MAX,
} FlightPosition;

typedef struct FlightState {
        uint64_t magic;
        uint64_t n_rings;                 /* of the set, in its order; those that are no overwrite rings stay 0 */
        uint64_t moves;                   /* a bit for each position that the announced file moves */
        char name[FLIGHT_STATE_NAME_MAX]; /* of the announced file, which is about to get that name; "": there is none */
        struct {
                uint64_t positions[_FLIGHT_POSITION_MAX];
                uint64_t pending;         /* what they become once the announced file has its name */
        } rings[];
} FlightState;

/* Makes a new state. *ret_fd is the caller's, sealed in its size. */
int flight_state_new(size_t n_rings, int *ret_fd, FlightState **ret);

/* Maps the state that another process left. If that process died while a file was announced, the positions move if the directory
 * has a file of that name. -EBADMSG: it is no state, or one for another number of rings. */
int flight_state_take_over(int fd, size_t n_rings, int dir_fd, FlightState **ret);
FlightState *flight_state_free(FlightState *s); /* unmaps it */
DEFINE_CLEANUP(FlightState *, flight_state_free);

/* Returns the position behind which a dump's samples begin in a ring; 0: it has all of them. */
uint64_t flight_state_begin(const FlightState *s, size_t ring, const FlightWish *wish);

/* To be called when the pending positions are set and a file with the wished samples is about to be called name. */
void flight_state_announce(FlightState *s, const FlightWish *wish, const char *name);

/* Ends the announcement: moves the positions if the file has got its name. */
void flight_state_settle(FlightState *s, bool named);
