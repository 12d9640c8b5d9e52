/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <systemd/sd-bus.h>

#include "strv.h"

/* The a{sv} settings of StartTransient as the assignments of a session file. */

#define BUS_SETTINGS_MAX 256u             /* assignments */
#define BUS_SETTINGS_SIZE_MAX (64u * 1024) /* bytes of all of them */

/* Reads the dictionary at the position of m: "Section.Key" → string, boolean, integer, or an array of strings,
 * which becomes as many assignments in a row (empty: an empty assignment, which resets a list). Returns 0 and
 * "Section.Key=value" strings, or a negative errno with e set. It does not know which keys and values are valid. */
int bus_read_settings(sd_bus_message *m, char ***ret, sd_bus_error *e);
