/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"

/* Adds a term to every event of a -e argument in perf's grammar: "cycles:u,sched:*" and "max-stack=5" give
 * "cycles/max-stack=5/u,sched:* /max-stack=5/" (without the blank). Groups and lists of terms are understood; what is
 * not is left to the recorder to refuse. 0, -ENOMEM, or -EOPNOTSUPP (breakpoints take no terms) with d filled. */
int event_add_term(const char *event, const char *term, char **ret, Diagnosis *d);
