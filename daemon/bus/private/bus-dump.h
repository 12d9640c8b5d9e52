/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "bus-call.h"

/* /org/perfrecorder1/dump/ID, for every dump that the manager has */

int bus_dump_export(Bus *b); /* on b->bus */

/* The object of a dump; NULL: "/". */
int bus_dump_path(const Dump *d, char **ret);
int bus_dump_path_of(const char *id, char **ret);

int bus_verb_list_dumps(BusCall *c, sd_bus_error *e);

void bus_dump_emit_added(Bus *b, const Dump *d);
void bus_dump_emit_removed(Bus *b, const Dump *d);
void bus_dump_emit_changed(Bus *b, const Dump *d);
