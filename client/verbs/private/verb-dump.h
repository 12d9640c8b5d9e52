/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "client-options.h"

/* Has a session's recorder write out what is in memory. *ret_id: the dump's id, a new string. Returns the exit status, after an
 * error was printed unless it is STATUS_OK. */
int dump_session_now(const ClientOptions *o, const char *session, char **ret_id);
