/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* What systemctl shows as a property of a unit, a new string. -ESRCH: it shows none, or an empty one; or what program_run()
 * answers. */
int unit_property(const char *unit, const char *property, bool user, char **ret);
