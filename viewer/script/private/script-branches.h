/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "json-writer.h"
#include "script-source.h"

/* The branches that the CPU took before a sample, the newest first. */

#define SCRIPT_BRANCHES (SCRIPT_FIELD(BRSTACK) | SCRIPT_FIELD(BRSTACKSYM) | SCRIPT_FIELD(BRSTACKOFF))

/* Puts them as perf script does: "FROM/TO/P/X/A/CYCLES/TYPE ", by address, symbol or offset in the binary, the first of these that
 * fields has. 0, -ENOMEM. */
int script_branches_put(const ScriptSource *source, const Moment *s, uint64_t fields, TextBuffer *out);

/* Puts them as the array "brstack" of JSON. 0, -ENOMEM. */
int script_branches_put_json(const ScriptSource *source, const Moment *s, uint64_t fields, JsonWriter *w);
