/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>

/* The privileges of this process, as the kernel checks them. */

bool privilege_have(unsigned capability); /* CAP_*, in effect */

/* Returns whether CAP_PERFMON (before 5.8: CAP_SYS_ADMIN) is in effect, with which the kernel asks for no setting, and without
 * which it does not show the namespaces of processes. */
bool privilege_have_perfmon(void);

/* Returns whether events may count in the kernel: CAP_PERFMON (before 5.8: CAP_SYS_ADMIN), or
 * kernel.perf_event_paranoid is 1 at most. */
bool privilege_sees_kernel(void);

/* Returns whether perf_event_open(2) is refused before the kernel looks at it: by a seccomp filter, or because the kernel has no
 * perf events. */
bool privilege_is_filtered(void);
