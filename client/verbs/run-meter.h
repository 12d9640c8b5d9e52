/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Executes perf-recorder-meter in place of this program; words begin with that for argv[0]. Returns only if that failed, which was
 * printed: the exit status. */
int meter_execute(char **words);
