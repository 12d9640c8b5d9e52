/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Asks to run soon after waking up, and in turn for no longer than it takes to empty a ring. Nothing is different where
 * the kernel does not know of that, or where another scheduling policy was given to us. */
void time_slice_shorten(void);
