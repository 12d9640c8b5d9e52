/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "bus-call.h"

/* /org/perfrecorder1 */

int bus_manager_export(Bus *b); /* on b->bus */

void bus_manager_emit_session(Bus *b, const char *signal, Session *s); /* SessionNew, SessionRemoved */
void bus_manager_emit_reloading(Bus *b, bool active);
void bus_manager_emit_numbers_later(Bus *b); /* NSessions, NRunning, NDumps, if they changed by the end of this turn */
