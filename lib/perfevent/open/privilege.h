/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>

/* What this process may do, as the kernel will see it. */

bool privilege_have(unsigned capability); /* CAP_*, in effect */

/* Events may count what the kernel does: CAP_PERFMON (before 5.8: CAP_SYS_ADMIN), or kernel.perf_event_paranoid is 1 at
 * most. */
bool privilege_sees_kernel(void);
