/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "json-writer.h"
#include "recording-input.h"

/* Puts the member "events", an array of all that a recording says of each event: its name, type and attributes, its group, and of
 * tracepoints the fields that are their own. 0, -ENOMEM. */
int event_json_put(JsonWriter *w, const RecordingInput *in);
