/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the files of pmu.h share. Not for anybody else. */

#include "pmu.h"

/* A PMU's, a term's or an event's name: it becomes a part of a path. */
bool pmu_name_is_valid(const char *s);

/* The first line of a file of sysfs, a new string. */
int pmu_read_word(const char *directory, const char *file, char **ret);
