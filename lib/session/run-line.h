/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "settings.h"

/* Makes the options of perf record from a session's settings, without the program's name and --control: from Run= or [Record].
 * cgroup: the control group of Unit= below the cgroup root, NULL: no Unit= is set. 0, -ENOMEM, or -EINVAL with d filled. */
int run_line_from_settings(const SessionSettings *s, const char *cgroup, char ***ret, Diagnosis *d);

/* Makes a line for people of the same, as perf daemon shows a session's run, with Unit= as -G unit:NAME. */
int run_line_describe(const SessionSettings *s, char **ret);
