/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdio.h>
#include "stat-options.h"

/* Writes what a recording of counts has, as stat would have. Returns the exit status: 1 if it could not be read, or only a part. */
int stat_report(const StatOptions *o, FILE *out);
