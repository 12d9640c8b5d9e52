/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "bus-call.h"

/* /org/perfrecorder1/session/NAME, for every session that the manager has */

int bus_session_export(Bus *b); /* on b->bus */

int bus_session_path(const char *name, char **ret);

void bus_session_emit_added(Bus *b, Session *s);
void bus_session_emit_removed(Bus *b, Session *s);
void bus_session_emit_changed(Bus *b, Session *s, SessionChange mask);
