/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <systemd/sd-bus.h>

#include "cleanup.h"

/* The state of perf-recorderd.service, as its service manager describes it, which is on the same bus. */
typedef enum UnitState {
        UNIT_STATE_UNKNOWN,  /* there is no systemd on the bus */
        UNIT_STATE_INACTIVE, /* or it stops */
        UNIT_STATE_STARTING,
        UNIT_STATE_ACTIVE,
        UNIT_STATE_FAILED,   /* systemd may start it again after a while */
} UnitState;

/* Stores when that state began, too, unless began is NULL: in µs of that machine's CLOCK_MONOTONIC, 0 if not known. */
UnitState bus_client_unit_state(sd_bus *bus, uint64_t *began);

/* The number of scopes of sessions that systemd has: of recorders that run, with or without the service. */
size_t bus_client_unit_count_scopes(sd_bus *bus);

/* *ret becomes the unique name of the service, or NULL if it is not on the bus. */
int bus_client_unit_owner(sd_bus *bus, char **ret);

typedef struct BusClientWait {
        char *const *names; /* of the sessions of the call; NULL: all that run */
        bool user, local;   /* the user's bus; the bus of this machine */
        bool asks;          /* polkit may be asking the user, who then knows what is waited for */
} BusClientWait;

/* Prints on standard error what a call waits for that was sent to the service long ago. */
void bus_client_unit_explain_wait(sd_bus *bus, const BusClientWait *w);
