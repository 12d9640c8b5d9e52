/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdio.h>
#include "reader.h"

/* Prints the tasks of a recording with those that they forked below them, as perf report --tasks does; maps: with what each
 * has mapped, as --mmaps does. Both are as they were at the end of the recording. Beyond PROCESS_MAX tasks and
 * PROCESS_TABLE_MAPS_MAX maps, some are left out, which is said. 0; -ENOMEM; -EBADMSG and errors of read(2): the rest of the
 * recording can't be read, and what comes before is printed. */
int report_tasks_print(PerfDataReader *reader, bool maps, FILE *f);
