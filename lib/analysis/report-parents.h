/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "place-names.h"

/* Finds the functions whose names match an extended regular expression, regex(7). (*ret)[symbol], a new array, is the number of the
 * first symbol of that name; 0: it does not match. 0, -EINVAL (no expression), -ENOMEM. */
int report_parents_find(const PlaceNames *names, const char *pattern, uint32_t **ret);
