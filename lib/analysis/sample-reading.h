/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "sample-table.h"

/* Reads a recording into a table. Errors are those of sample_table_read(). */
int sample_reading_run(SampleTable *t, PerfDataReader *reader);
