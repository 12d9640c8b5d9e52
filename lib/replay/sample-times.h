/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reader.h"

/* Finds the times of the first and the last sample of a recording, in nanoseconds of its clock: its header has them, or
 * all samples are read. 0; -ENODATA: no sample has a time; -ENOMEM. */
int sample_times_find(PerfDataReader *reader, uint64_t *ret_first, uint64_t *ret_last);
