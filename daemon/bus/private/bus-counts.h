/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "bus-call.h"

/* Counts of sessions. */

int bus_method_list_counts(BusCall *c, sd_bus_error *e);
