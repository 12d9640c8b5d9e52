/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdio.h>
#include "reader.h"

/* Prints how many records of each type a recording has, and samples of each event, as perf report --stats does. 0; -ENOMEM;
 * -EBADMSG and errors of read(2): the rest of the recording can't be read, and what comes before is counted. */
int report_stats_print(PerfDataReader *reader, FILE *f);
