/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "control-channel.h"
#include "loop.h"

/* perf record's control protocol (control-channel.h) in a loop. */
typedef struct ControlPort ControlPort;

/* handler gets known words only; a negative result ends the recording. */
int control_port_open(const char *address, Loop *loop, ControlHandler handler, void *userdata, ControlPort **ret, Diagnosis *d);
ControlPort *control_port_free(ControlPort *c);
DEFINE_CLEANUP(ControlPort *, control_port_free);

/* Reads what has come by now, without waiting for the loop's turn; within a handler it does nothing. Returns 0, or the
 * handler's negative result. */
int control_port_look(ControlPort *c);
