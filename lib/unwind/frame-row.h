/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "frame-section.h"
#include "unwind-rule.h"

/* The row of an entry's table that is for one address (DWARF 5, 6.4.2). */

/* Runs the entry's instructions up to an address in it, and makes a rule of the row that they lead to. *steps: instructions
 * that may be run still, of which those that were are taken off. ret_frame->operations are the caller's. 1; 0: they are
 * broken, too many or need too much: there is no rule for the addresses from ret->start to ret->end; -ENOMEM. */
int frame_row_find(const FrameEntry *e, uint64_t address, uint64_t *steps, UnwindRule *ret, UnwindFrame *ret_frame);
