/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "bus-client.h"
#include "load.h"
#include "session-list.h"

/* The blocks that perfctl status prints. Text is cut to columns; 0: not cut. */

/* Prints a session from its properties and those of its newest dump, or NULL. reservations: of reservation_list_load(), or NULL.
 * Returns STATUS_OK or STATUS_NOT_RUNNING. */
int status_print_session(const json_object *session, const json_object *last_dump, const json_object *reservations,
                         unsigned columns);

/* Prints a session from its files, because no daemon runs. */
void status_print_files(const SessionFile *f, unsigned columns);

/* Prints the daemon and a line for each session. */
void status_print_daemon(const json_object *manager, pid_t pid, const SessionList *l, unsigned columns);
