/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* perf-recorder-meter trace. Returns the exit status. */
int verb_trace_live(int argc, char **argv);
