/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <systemd/sd-bus.h>

#include "cleanup.h"

/* Where a negative errno becomes a D-Bus error. */

/* The name for an errno, negative or positive; org.freedesktop.DBus.Error.Failed for those without one of their own. */
const char *bus_error_name(int error);

/* Sets e and answers error, so that a handler can "return bus_error_set(e, -EINVAL, …)". The sentence is the message of
 * the D-Bus error; NULL: the errno's own words. */
int bus_error_set(sd_bus_error *e, int error, const char *sentence);
int bus_error_setf(sd_bus_error *e, int error, const char *format, ...) _printf_(3, 4);

/* Answers a call that failed after its handler returned. */
int bus_error_reply(sd_bus_message *call, int error, const char *sentence);

/* text as it can stand in a sentence, whatever a caller sent: one line, cut. buf is filled and returned. */
char *bus_error_quote(char *buf, size_t size, const char *text);
