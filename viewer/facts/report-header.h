/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <time.h>
#include "reader.h"

/* Prints the facts of a recording's header, as perf report --header-only does. captured: the time of its last change. full: tables
 * of CPUs, caches and memory too. Texts are printed as one line of UTF-8. 0, -ENOMEM. */
int report_header_print(const PerfDataReader *reader, time_t captured, bool full, FILE *f);
