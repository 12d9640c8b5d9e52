/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <systemd/sd-bus.h>

#include "bus-client.h"

/* Reads the next complete value of a message; a variant is replaced by its content. A descriptor is "true" in the value, and
 * a duplicate of it is added to d unless that is NULL. 0, -EBADMSG if there is no value left, -ENOMEM, or sd-bus's error. */
int bus_read_value(sd_bus_message *m, BusDescriptors *d, json_object **ret);

/* Reads all remaining values into an array. */
int bus_read_arguments(sd_bus_message *m, BusDescriptors *d, json_object **ret);
