/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <systemd/sd-event.h>

#include "base-directory.h"
#include "parse-time.h"

/* The daemon's end of perf's control protocol with one recorder: words go into the FIFO "control" of the session's
 * directory, each is answered in turn by an ack from "ack". */

typedef struct Control Control;
typedef struct ControlWaiter ControlWaiter;

/* The ack FIFOs of all sessions, behind one source of the event loop. An event loop of systemd's asks the kernel for everything
 * that is ready before each single dispatch, so that two hundred acks that come at once would cost twenty thousand looks. These
 * are all taken in one turn, at the same priority. */
typedef struct ControlAcks ControlAcks;

int control_acks_new(sd_event *event, ControlAcks **ret);
ControlAcks *control_acks_free(ControlAcks *a); /* after the last Control */
DEFINE_CLEANUP(ControlAcks *, control_acks_free);

/* May be NULL. error 0: acked, round_trip since the waiter came; -ESRCH: the recorder is gone. The waiter is gone after this. */
typedef void (*ControlDone)(int error, usec_t round_trip, void *userdata);

/* Called whenever control_unawaited() changed. */
typedef void (*ControlChanged)(void *userdata);

/* Takes the FIFOs, also on failure. unawaited: that of a previous daemon. */
int control_new(ControlAcks *acks, SessionFifos *fifos, unsigned unawaited, ControlChanged changed, void *userdata, Control **ret);
Control *control_free(Control *c); /* all waiters get -ESRCH; also from within a callback of another Control */
DEFINE_CLEANUP(Control *, control_free);

/* Words that are not acked and that no waiter is for: what the next daemon has to know. One that is waited for is acked
 * within milliseconds, or is given up and then counted; it is not worth writing down twice for each ping. */
unsigned control_unawaited(const Control *c);

/* Writes the word and waits. A word that equals the last one that is still out is not written again: both wait for the
 * same ack. -EBUSY: the recorder has not taken what was written long ago. */
int control_send(Control *c, const char *word, ControlDone done, void *userdata, ControlWaiter **ret);

/* Stops waiting: done is not called. The ack is still awaited, so that it is not taken for another's. */
ControlWaiter *control_waiter_free(ControlWaiter *w);
