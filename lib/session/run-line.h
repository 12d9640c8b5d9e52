/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "settings.h"

/* The options of perf record that a session's settings mean, without the program's name and without --control: the
 * split Run=, or [Record] in option words. cgroup is the control group of Unit= below the cgroup root, or NULL where
 * no Unit= is set. 0, -ENOMEM, or -EINVAL with d filled. */
int run_line_from_settings(const SessionSettings *s, const char *cgroup, char ***ret, Diagnosis *d);

/* The same as one line of text, as perf daemon shows a session's run (Unit= as -G unit:NAME): for people. */
int run_line_describe(const SessionSettings *s, char **ret);
