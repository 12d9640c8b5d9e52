/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <pthread.h>
#include "event-set.h"

/* Closes events while something else is done. */
typedef struct EventCloser {
        pthread_t thread;
        bool started;
} EventCloser;

/* Nobody touches the set's events and rings from now on until event_closer_wait(). */
void event_closer_start(EventCloser *c, EventSet *set);
void event_closer_wait(EventCloser *c); /* one that was not started is fine */
