/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "recording-input.h"
#include "text-buffer.h"

/* Puts what the header of a recording says of the machine, the command, the times and the events, as one object of JSON. What the
 * header does not have is left out. 0, -ENOMEM, errors of writing. */
int header_json_put(const RecordingInput *in, TextBuffer *out);
