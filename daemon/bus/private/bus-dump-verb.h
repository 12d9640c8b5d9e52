/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "bus-call.h"

/* Dump of the manager and of sessions: columns of BusMethod. */

int bus_read_sessions_dump(BusCall *c, sd_bus_error *e); /* as, a{sv} */
int bus_read_path_dump(BusCall *c, sd_bus_error *e);     /* a{sv} */

int bus_verb_dump(BusCall *c, sd_bus_error *e);         /* answers a(soh) */
int bus_verb_dump_objects(BusCall *c, sd_bus_error *e); /* answers a(so) */
int bus_verb_dump_one(BusCall *c, sd_bus_error *e);     /* answers oh */
