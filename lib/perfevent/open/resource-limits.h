/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"

/* The limits on this process, checked before anything is opened. */

#define RESOURCE_LIMITS_ELSEWHERE 64u /* descriptors besides those of events: files, FIFOs, libraries */

/* Raises RLIMIT_NOFILE if n more descriptors need it, beyond the hard limit if allowed. -EMFILE with d filled. */
int resource_limits_raise_descriptors(size_t n, Diagnosis *d);

/* Checks the memory of n rings of so many data pages: -EPERM (more than may be locked) or -E2BIG (more than half of
 * the machine's), with d filled. The kernel may refuse them even after 0: its limit is for the user, not for the
 * process. */
int resource_limits_check_rings(size_t n, unsigned pages, Diagnosis *d);
