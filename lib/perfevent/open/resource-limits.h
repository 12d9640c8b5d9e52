/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"

/* What this process may use, checked before anything is opened. */

/* Raises RLIMIT_NOFILE where n more descriptors need it, beyond the hard limit where we may. -EMFILE with d filled. */
int resource_limits_raise_descriptors(size_t n, Diagnosis *d);

/* n rings of so many data pages: -EPERM (more than may be locked) or -E2BIG (more than this machine should give away),
 * with d filled. 0 does not promise that the kernel agrees: the limit is one of the user, not of the process. */
int resource_limits_check_rings(size_t n, unsigned pages, Diagnosis *d);
