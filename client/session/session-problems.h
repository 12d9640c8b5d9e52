/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "load.h"

/* Prints the errors of a session's files, and if wanted their warnings, on standard error. Returns true if the session could be
 * run. */
bool session_problems_print(const SessionFile *f, bool warnings);
