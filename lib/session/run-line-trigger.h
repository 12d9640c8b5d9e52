/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "settings.h"

/* Appends the options of [Trigger]. group: the control group whose pressure is watched, NULL: the machine's. 0 or -ENOMEM. */
int run_line_add_triggers(char ***line, const TriggerSettings *t, const char *group);
