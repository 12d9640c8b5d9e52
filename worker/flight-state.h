/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* What of a flight recording must outlive the process, in memory that can be handed over (a memfd): up to where each
 * overwrite ring was dumped. Positions count as the ring's head does, downwards from 0. */

#define FLIGHT_STATE_MAGIC UINT64_C(0x3130746867696c66) /* "flight01", little endian */
#define FLIGHT_STATE_NAME_MAX 256

typedef struct FlightState {
        uint64_t magic;
        uint64_t n_rings;                 /* of the set, by their order there; those that are no overwrite rings stay 0 */
        char name[FLIGHT_STATE_NAME_MAX]; /* the file that is about to get it; "": none is */
        struct {
                uint64_t dumped;          /* head when the last dump that has its name was taken */
                uint64_t pending;         /* the same of the file that is about to get its name */
        } rings[];
} FlightState;

/* A new one. *ret_fd is the caller's, sealed in its size. */
int flight_state_new(size_t n_rings, int *ret_fd, FlightState **ret);

/* One that another process left, mapped. If that died when its file was about to get its name, the directory says whether
 * it has. -EBADMSG: it is none, or is of another number of rings. */
int flight_state_take_over(int fd, size_t n_rings, int dir_fd, FlightState **ret);
FlightState *flight_state_free(FlightState *s); /* unmaps it */
DEFINE_CLEANUP(FlightState *, flight_state_free);

/* The pending positions were set; a file with them is about to be called name. */
void flight_state_announce(FlightState *s, const char *name);
void flight_state_settle(FlightState *s, bool named); /* whether it came to that */
