/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "script-source.h"

/* Puts a sample as an object of JSON, on a line. Members have the names of the fields, and those of "perf data convert --to-json"
 * where that has them. chains: call chains are shown. 0, -ENOMEM, errors of writing. */
int script_json_sample(ScriptSource *source, bool chains, const Moment *s, TextBuffer *out);
