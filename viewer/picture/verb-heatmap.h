/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* perf-recorder-view heatmap. Returns the exit status. */
int verb_heatmap(int argc, char **argv);
