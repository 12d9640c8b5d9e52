/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"
#include "parse-time.h"

/* A small epoll loop: descriptors with handlers, timers and signals as descriptors. */
typedef struct Loop Loop;

/* events: what epoll says of fd. A negative answer ends loop_run() with it. A handler may remove any descriptor. */
typedef int (*LoopHandler)(void *userdata, int fd, uint32_t events);

int loop_new(Loop **ret);
Loop *loop_free(Loop *l); /* closes its timers and the signals' descriptor; others stay the caller's */
DEFINE_CLEANUP(Loop *, loop_free);

/* One handler a descriptor: -EEXIST. */
int loop_add(Loop *l, int fd, uint32_t events, LoopHandler handler, void *userdata);
void loop_remove(Loop *l, int fd); /* one that is not there is fine */

/* Blocks the signals of the list (ended by 0) for the process and hands them to handler one by one, in fd's place; in that
 * of events the PID of who sent it, 0: not known. */
int loop_add_signals(Loop *l, const int *signals, LoopHandler handler, void *userdata);

/* Hands over what has come by now, without waiting for the loop's turn. 0, or the handler's answer. */
int loop_look_for_signals(Loop *l);

/* Once after usec, then every usec if repeat. The loop owns it; loop_remove_timer() closes it. Answers its descriptor. */
int loop_add_timer(Loop *l, usec_t usec, bool repeat, LoopHandler handler, void *userdata);
void loop_remove_timer(Loop *l, int fd);

/* Called after each batch of handlers, before the loop sleeps again. */
void loop_set_after(Loop *l, LoopHandler handler, void *userdata);

int loop_run(Loop *l); /* until loop_stop() or an error */
void loop_stop(Loop *l);
unsigned long loop_wakeups(const Loop *l);
