/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/perf_event.h>
#include "diagnosis.h"

/* Parses perf's words for the branches that a branch stack holds, as -j and the term branch_type= take them: "any,u".
 * Sets *ret to PERF_SAMPLE_BRANCH_*. -EINVAL: no such word; d has perf's sentence. */
int branch_filter_parse(const char *words, uint64_t *ret, Diagnosis *d);
