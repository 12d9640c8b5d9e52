/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* How much memory the rings of a recorder with these options of perf record will lock, in bytes, as far as the options
 * say it: a ring of -m on every CPU of -C, or on all of them. UINT64_MAX: more than there can be. */
uint64_t ring_estimate(char *const *words);
