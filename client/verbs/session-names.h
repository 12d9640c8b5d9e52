/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "verbs.h"

/* Names of sessions on the command line may be patterns, as for units in systemctl. Replaces each pattern (fnmatch(3)) by the
 * names of the loaded sessions that match, each name once; with VERB_RUNNING only of those that run. Names without wildcards are
 * not changed. Only with VERB_ACTIVATES it may start the service; if that does not run, patterns are not replaced. Returns 1,
 * 0 if no session matches, or a negative errno; the last two have been reported, and *ret_status is the exit status. */
int session_names_expand(const ClientOptions *o, VerbFlags flags, char ***names, int *ret_status);
