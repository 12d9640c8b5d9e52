/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "selection-options.h"

/* Puts into words which samples the options select, as "unit a.service, CPU 0, the last 10s"; "" if they select all, and "the
 * rest" for the times that they do not select. *ret is a new string. 0, -ENOMEM. */
int selection_text(const SelectionOptions *s, char **ret);
