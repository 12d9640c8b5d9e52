/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <systemd/sd-bus.h>

#include "value.h"

/* For the bus's own files. The next complete value of a message, a variant as what it holds. -EBADMSG: there is none;
 * -ENOMEM, what sd-bus answers. */
int bus_read_value(sd_bus_message *m, Value **ret);

/* All that is left, as an array. */
int bus_read_arguments(sd_bus_message *m, Value **ret);
