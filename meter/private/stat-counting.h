/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "stat-options.h"

/* Counts what the options say, run by run, and writes what was counted. Returns the exit status: that of the command. */
int stat_count(const StatOptions *o, FILE *out);
