/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* perf-recorder-meter top. Returns the exit status. */
int verb_top(int argc, char **argv);
