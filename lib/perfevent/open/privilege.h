/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>

/* The privileges of this process, as the kernel checks them. */

bool privilege_have(unsigned capability); /* CAP_*, in effect */

/* Returns whether events may count in the kernel: CAP_PERFMON (before 5.8: CAP_SYS_ADMIN), or
 * kernel.perf_event_paranoid is 1 at most. */
bool privilege_sees_kernel(void);

/* Returns whether the namespaces of processes can be recorded: the kernel asks for a capability, whatever the setting. */
bool privilege_sees_namespaces(void);
