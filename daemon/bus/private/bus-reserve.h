/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "bus-call.h"

/* Reservations of counters. */

int bus_read_reserve(BusCall *c, sd_bus_error *e); /* sss */
int bus_method_reserve(BusCall *c, sd_bus_error *e); /* answers h */
int bus_method_list_reservations(BusCall *c, sd_bus_error *e); /* answers a(sssuu) */

void bus_reserve_emit(Bus *b, const char *what, bool is_reserved); /* Reserved, Released */
