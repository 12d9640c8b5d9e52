/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Returns a number from /proc/sys ("kernel/perf_event_paranoid"), or fallback if it can't be read. */
int sysctl_read(const char *name, int fallback);
