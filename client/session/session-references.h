/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "load.h"

/* Adds a warning to a checked file for each session of Also=, and each unit of OnDump= and Unit=, that does not exist. Sessions
 * may be in the search path or beside the file. Units are not checked if systemd cannot be asked. user: checks the user's
 * sessions and units. 0 or -ENOMEM. */
int session_references_check(SessionFile *f, bool user);
