/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "load.h"

/* Says on standard error what is wrong with a session's files: its error, and its warnings if they are wanted. Answers
 * whether the session could be run. */
bool session_problems_print(const SessionFile *f, bool warnings);
