/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "bus-call.h"

/* Columns of BusMethod that the manager's and the sessions' methods share: the reading of arguments, and the verbs. */

int bus_read_sessions(BusCall *c, sd_bus_error *e); /* as */
int bus_read_session(BusCall *c, sd_bus_error *e);  /* s */
int bus_read_path(BusCall *c, sd_bus_error *e);     /* the session whose object the message is for */

int bus_read_signal(BusCall *c, sd_bus_error *e);  /* i */
int bus_read_timeout(BusCall *c, sd_bus_error *e); /* t */
int bus_read_now(BusCall *c, sd_bus_error *e);     /* b; of at least one session */

int bus_verb_run(BusCall *c, sd_bus_error *e);     /* BusMethod.run */
int bus_verb_enable(BusCall *c, sd_bus_error *e);  /* answers a(sss) */
int bus_verb_disable(BusCall *c, sd_bus_error *e); /* answers a(sss) */
int bus_verb_signal(BusCall *c, sd_bus_error *e);  /* answers a(sui); u for one, and fails where the row has an error */
int bus_verb_ping(BusCall *c, sd_bus_error *e);    /* answers a(sst); st for one */

int bus_read_window(BusCall *c, sd_bus_error *e);  /* tb */
int bus_verb_window(BusCall *c, sd_bus_error *e);  /* answers ht */

/* bus-dump-verb.c */
int bus_read_dump_options(BusCall *c, sd_bus_error *e); /* a{sv} */
int bus_verb_dump(BusCall *c, sd_bus_error *e);         /* answers a(soh), or a(so); oh for one */
