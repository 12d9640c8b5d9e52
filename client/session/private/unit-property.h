/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Reads a property of a unit as systemctl shows it, a new string. -ESRCH: the property is missing or empty; or an error of
 * program_run(). */
int unit_property(const char *unit, const char *property, bool user, char **ret);
