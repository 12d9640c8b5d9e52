/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* For a process that has one thread, and reads what others wrote. */

#define PROCESS_CAPABILITY(number) (UINT64_C(1) << (number)) /* of linux/capability.h */

/* Root becomes the kernel's overflow user (65534), who owns nothing; every user has only these capabilities afterwards. If
 * this process does not have all of them, or may not become somebody else, as in some sandboxes and user namespaces, it keeps its
 * user. 0, or a negative errno: it is who it was, with at most its capabilities. */
int process_give_up_rights(uint64_t keep);
