/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <systemd/sd-bus.h>

/* The mock service's dumps: objects with fixed properties, of the sessions "cpu", "sched" and "web@1". Their file is
 * "dump" in the directory; that of "sched" has the symbols in the directory "kept" there. If there is a file "lent", counters were lent in
 * that of "web@1"; with "once" each dump has one cause, with "held" none may be removed, and with "slow" one takes a moment. write_log logs the calls. */
int mock_dumps_add(sd_bus *bus, const char *directory, void (*write_log)(const char *format, ...));

/* Manager.Dump. */
int mock_dumps_dump(sd_bus_message *m, void *userdata, sd_bus_error *e);
int mock_dumps_dump_objects(sd_bus_message *m, void *userdata, sd_bus_error *e);

/* Session.OpenWindow. */
int mock_dumps_open_window(sd_bus_message *m, void *userdata, sd_bus_error *e);
