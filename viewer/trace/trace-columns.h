/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "recording-inputs.h"
#include "trace-fields.h"

/* Finds the fields that a word of --sort names: FIELD, of all events; EVENT.FIELD; EVENT.*; "trace_fields", all of
 * all, which may be none; each may have "/raw" behind it. Their numbers, which may be those of earlier words, are a new array. 0,
 * -ENOENT: there are none; -EINVAL: several events have EVENT in their names; -ENOSPC: these are too many; -ENOMEM. */
int trace_columns_find(TraceColumns *c, const char *word, const RecordingInputs *inputs, size_t **ret, size_t *ret_n);
