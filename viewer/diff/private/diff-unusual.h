/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diff-options.h"
#include "unusual-text.h"

/* Finds what was unusual before the trigger, in ranges that were read. t is done by the caller, after a failure too. 0, -ENOMEM. */
int diff_unusual_find(UnusualTable *t, const DiffOptions *o, DiffRange *ranges);

/* Puts it as comments, or without marks if only a summary is wanted. */
void diff_unusual_print(const UnusualTable *t, const DiffOptions *o, TextBuffer *out);
