/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "perfdata-test.h"

/* Dumps of a machine with one CPU that is sampled a hundred times in a second, whose load is drawn. What is not loaded is idle. */

/* A part of the load: a function, which has a binary of its own, in a process of a unit. */
typedef struct MadeLoad {
        uint32_t pid;
        const char *comm, *unit;
        unsigned binary; /* "f0.so" */
        double usual, incident; /* its shares of the time, before the incident and in it */
} MadeLoad;

typedef struct MadeIncident {
        const MadeLoad *loads;
        size_t n;
        unsigned seconds, incident, after; /* in all before the trigger; of the incident at their end; behind the trigger, as in it */
        uint64_t begin;                    /* of the recording's clock; 0: one second */
} MadeIncident;

#define MADE_INCIDENT_STEP UINT64_C(10000000) /* ns from a sample to the next */

/* Writes it, as a dump of the session "all" that a trigger made. Returns the time of the trigger, of the recording's clock. */
uint64_t made_incident(const char *path, const MadeIncident *x, unsigned *seed);
