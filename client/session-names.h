/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "client-options.h"

/* Names of sessions on the command line may be patterns, as systemctl takes them for units. */

/* Puts the names of the loaded sessions that match in the place of each pattern, fnmatch(3), each name once. Names without
 * wildcards stay as they are. activate: the service is started for it; where it does not run patterns stay. 1; 0: no
 * session matches, which has been said; else a negative errno, of which *ret_status is the exit status, and which has
 * been said too. */
int session_names_expand(const ClientOptions *o, bool activate, char ***names, int *ret_status);
