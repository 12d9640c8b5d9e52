/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "record-layout.h"

/* Reads the CPUs of a CPU_MAP, of record->size readable bytes, as a new array: ascending, -1 for any CPU. -EBADMSG: it is broken.
 * -ENOMEM. */
int record_read_cpus(const PerfRecordCpuMap *record, int **ret, size_t *ret_n);
