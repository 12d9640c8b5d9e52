/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "parse-time.h"

/* Returns free memory of the allocator to the kernel, if that is more than what is in use. To be called before waiting
 * for long; checks once in 10 s at most, since checking takes time. *last: the time of the last check, the caller's, 0
 * at first. */
void spare_memory_give_back(usec_t *last);
