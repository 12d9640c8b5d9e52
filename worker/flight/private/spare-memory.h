/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "parse-time.h"

/* Gives back what the allocator keeps, if that is much more than what is in use: for who is about to do nothing. last: when
 * it was looked at last, the caller's, 0 at first; not more often than every 10 s, since looking takes time. */
void spare_memory_give_back(usec_t *last);
