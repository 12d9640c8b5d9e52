/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "unwinder.h"

/* Returns how a call chain ends, as a word that JSON has: "whole", "cut" and others. */
const char *unwound_word(UnwindEnd end);

/* Returns the same for people; "": it is whole, or was not made of a copy of the stack. */
const char *unwound_reason(UnwindEnd end);

/* Says on standard error which call chains of an event, made of copies of stacks, are not whole. n: by how they end. */
void unwound_remark(const char *recording, const char *event, const uint64_t n[static UNWIND_END_MAX]);
