/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "flame-options.h"

/* Draws what changed between two ranges. The options are complete, and their subject is FLAME_DIFF. Returns the exit status. */
int flame_difference(FlameOptions *o);
