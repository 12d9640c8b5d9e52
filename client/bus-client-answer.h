/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <systemd/sd-bus.h>

#include "bus-client.h"

/* The next complete value of a message; a variant is what it holds. Descriptors are "true" in the value, and duplicates
 * of them are added to d (NULL: to nothing). -EBADMSG: there is no value; -ENOMEM, what sd-bus answers. */
int bus_read_value(sd_bus_message *m, BusDescriptors *d, json_object **ret);

/* All values that are left, as an array. */
int bus_read_arguments(sd_bus_message *m, BusDescriptors *d, json_object **ret);
