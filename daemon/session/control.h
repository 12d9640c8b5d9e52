/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "fd-group.h"
#include "parse-time.h"

/* The daemon's end of perf's control protocol with one recorder: words go into the FIFO "control" of the session's
 * directory, each is answered in turn by an ack from "ack". */

typedef struct Control Control;
typedef struct ControlWaiter ControlWaiter;

/* May be NULL. error 0: acked, round_trip since the waiter came; -ESRCH: the recorder is gone. The waiter is gone after this. */
typedef void (*ControlDone)(int error, usec_t round_trip, void *userdata);

/* Called whenever control_unawaited() changed. */
typedef void (*ControlChanged)(void *userdata);

/* The two FIFOs, open for reading and writing: that of the words and that of the acks. */
typedef struct ControlFifos {
        int control_fd, ack_fd;
} ControlFifos;
#define CONTROL_FIFOS_EMPTY { -EBADF, -EBADF }

int control_fifos_open(int directory_fd, ControlFifos *ret);
void control_fifos_done(ControlFifos *f);

/* Takes the FIFOs, also on failure; the acks are read by the group. unawaited: that of a former daemon. */
int control_new(FdGroup *group, ControlFifos *fifos, unsigned unawaited, ControlChanged changed, void *userdata, Control **ret);
Control *control_free(Control *c); /* all waiters get -ESRCH */
DEFINE_CLEANUP(Control *, control_free);

/* Words that are not acked and that nobody waits for: what the next daemon has to know. One that is waited for is acked
 * within milliseconds, or is given up and then counted; it is not worth writing down twice for each ping. */
unsigned control_unawaited(const Control *c);

/* Writes the word and waits. A word that equals the last one that is still out is not written again: both wait for the
 * same ack. -EBUSY: the recorder has not taken what was written long ago. */
int control_send(Control *c, const char *word, ControlDone done, void *userdata, ControlWaiter **ret);

/* Stops waiting: done is not called. The ack is still awaited, so that it is not taken for another's. */
ControlWaiter *control_waiter_free(ControlWaiter *w);
