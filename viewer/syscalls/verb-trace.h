/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* perf-recorder-view trace. Returns the exit status. */
int verb_trace(int argc, char **argv);
