/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Returns whether a trigger (PR_TRIGGER_*) is something that happened, and not a wish of a person or a program, a clock, or the end
 * of a recorder: then the time before it may differ from what is usual. */
bool trigger_is_incident(const char *word);
