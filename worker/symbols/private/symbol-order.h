/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "symbol-keeper.h"

/* The orders of a keeper, and the thread for them. */
typedef struct SymbolOrders SymbolOrders;

int symbol_orders_new(SymbolKeeper *k, SymbolOrders **ret);
SymbolOrders *symbol_orders_free(SymbolOrders *o); /* waits until all are done */

bool symbol_orders_wait(SymbolOrders *o, unsigned max_msec); /* true: all are done */

/* Waits for max_msec, then has the thread leave out the rest, and waits a moment for that. False: it takes longer and
 * continues, so the thread and its keeper can't be freed. */
bool symbol_orders_stop(SymbolOrders *o, unsigned max_msec);
bool symbol_orders_are_stopped(const SymbolOrders *o); /* true: the rest is to be left out */

SymbolOrders *symbol_keeper_orders(SymbolKeeper *k);
