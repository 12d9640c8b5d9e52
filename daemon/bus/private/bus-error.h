/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <systemd/sd-bus.h>

#include "cleanup.h"
#include "failure.h"

/* Converts failures to D-Bus errors. */

const char *bus_error_name(Failure f);

/* Sets e and returns a negative errno, so that a handler can "return bus_error_set(e, FAILURE_ARGUMENT, …)". The
 * sentence is the message of the D-Bus error; NULL: failure_sentence(). */
int bus_error_set(sd_bus_error *e, Failure f, const char *sentence);
int bus_error_setf(sd_bus_error *e, Failure f, const char *format, ...) _printf_(3, 4);

/* Answers a call that failed after its handler returned. */
int bus_error_reply(sd_bus_message *call, Failure f, const char *sentence);
int bus_error_new_reply(sd_bus_message *call, Failure f, const char *sentence, sd_bus_message **ret); /* not sent yet */

/* Fills buf with text as one line that fits into a sentence, whatever a caller sent, and returns it. */
char *bus_error_quote(char *buf, size_t size, const char *text);
