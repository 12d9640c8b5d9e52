/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Private to the files of pmu.h. */

#include "pmu.h"

/* Returns whether the name of a PMU, a term or an event can be part of a path. */
bool pmu_name_is_valid(const char *s);

/* Reads the first line of a file of sysfs; a new string. */
int pmu_read_word(const char *directory, const char *file, char **ret);
