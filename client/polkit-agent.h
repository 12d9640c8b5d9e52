/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>

#include "cleanup.h"

/* Starts a polkit agent on this terminal that asks for passwords, and waits until it is registered. Answers its PID, 0
 * where none is needed or to be had (root, no terminal, not installed), or a negative errno. */
pid_t polkit_agent_start(void);
void polkit_agent_stop(pid_t agent); /* 0 or below: nothing */
