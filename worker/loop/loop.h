/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"
#include "parse-time.h"

/* A small epoll loop: descriptors with handlers, timers and signals as descriptors. */
typedef struct Loop Loop;

/* events: as epoll reports them. A negative result ends loop_run(), which returns it. A handler may remove any descriptor. */
typedef int (*LoopHandler)(void *userdata, int fd, uint32_t events);

int loop_new(Loop **ret);
Loop *loop_free(Loop *l); /* closes its timers and the signals' descriptor; others stay the caller's */
DEFINE_CLEANUP(Loop *, loop_free);

/* -EEXIST: the descriptor has a handler already. */
int loop_add(Loop *l, int fd, uint32_t events, LoopHandler handler, void *userdata);
void loop_remove(Loop *l, int fd); /* does nothing if it was not added */

/* Blocks the signals of the list (ended by 0) for the process and calls handler for each one: fd is the signal, events
 * the PID of the sender, 0: not known. */
int loop_add_signals(Loop *l, const int *signals, LoopHandler handler, void *userdata);

/* Handles the signals that have come by now, without waiting for the loop's turn. Returns 0, or the handler's negative
 * result. */
int loop_look_for_signals(Loop *l);

/* Makes a timer that ends after usec, then every usec if repeat. The loop owns it; loop_remove_timer() closes it. Returns its
 * descriptor. */
int loop_add_timer(Loop *l, usec_t usec, bool repeat, LoopHandler handler, void *userdata);
void loop_remove_timer(Loop *l, int fd);

/* Called after each batch of handlers, before the loop sleeps again. */
void loop_set_after(Loop *l, LoopHandler handler, void *userdata);

int loop_run(Loop *l); /* until loop_stop() or an error */
void loop_stop(Loop *l);
unsigned long loop_wakeups(const Loop *l);
