/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "chain-cursor.h"
#include "replay.h"
#include "text-buffer.h"

/* Puts the functions of a sample's call chain in a line, as perf sched timehist does: "   f <- g <- h", without those of the
 * scheduler itself, which all have. 0, -ENOMEM. */
int sched_chain_put(Replay *replay, const Moment *m, unsigned max, TextBuffer *out);

/* Names the next address of a sample's call chain. 1; 0: the chain is at its end, or broken; -ENOMEM. */
int sched_chain_next(Replay *replay, const Moment *m, ChainCursor *c, NamedPlace *ret);
