/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "recording-input.h"
#include "sample-totals.h"

/* Says on standard error what is missing in a recording, and so in what is shown of it. read: the result of reading
 * it. Returns the exit status: 0, or 1 if a part of it could not be read. */
int recording_damage_print(const SampleTotals *totals, const RecordingInput *in, int read);
