/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>

#include "cleanup.h"

/* Starts a polkit agent that asks for passwords on this terminal, and waits until it is registered. Returns its PID, 0 if
 * none is needed or possible (root, no terminal), or a negative errno. */
pid_t polkit_agent_start(void);
void polkit_agent_stop(pid_t agent); /* does nothing if agent is 0 or negative */
