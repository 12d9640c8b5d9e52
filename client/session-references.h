/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "load.h"

/* Adds a warning to a file that was checked for each session of Also= and unit of OnDump= that does not exist. Sessions may
 * lie in the search path or beside the file; where systemd can't be asked, nothing is said of units. user: the user's session
 * and unit files. 0 or -ENOMEM. */
int session_references_check(SessionFile *f, bool user);
