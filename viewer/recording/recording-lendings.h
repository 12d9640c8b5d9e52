/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "json-writer.h"
#include "recording-input.h"
#include "sample-selection.h"

/* The times in which the recorder of a dump had lent counters, so that samples are missing (lib/words/lendings.h). */

/* Reads them from the facts of the file; those that are not understood are left out. 0, -ENOMEM. */
int recording_lendings_read(RecordingInput *in);

/* Keeps those that touch one of the spans of the recording's clock, or all if there are no spans or no clock relates to it. */
void recording_lendings_select(RecordingInput *in, const SampleSpan *spans, size_t n);

/* Says on standard error that samples are missing. */
void recording_lendings_remark(const RecordingInput *in);

/* Writes them as a member "lent" of an object, unless there are none. */
void recording_lendings_put_json(JsonWriter *w, const Lendings *l);
