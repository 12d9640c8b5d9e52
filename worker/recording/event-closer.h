/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <pthread.h>
#include "event-set.h"

/* Closes events in a thread. */
typedef struct EventCloser {
        pthread_t thread;
        bool started;
} EventCloser;

/* The caller must not touch the set's events and rings between this and event_closer_wait(). */
void event_closer_start(EventCloser *c, EventSet *set);
void event_closer_wait(EventCloser *c); /* does nothing if it was not started */
