/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "symbol-keeper.h"

/* What a keeper's thread has to do; a part of the keeper. */
typedef struct SymbolOrders SymbolOrders;

int symbol_orders_new(SymbolKeeper *k, SymbolOrders **ret);
SymbolOrders *symbol_orders_free(SymbolOrders *o); /* waits until all are done */

bool symbol_orders_wait(SymbolOrders *o, unsigned max_msec); /* true: all are done */

/* Waits for max_msec, then has the thread leave out the rest, for which it gets a moment. False: it needs longer and goes on
 * by itself, so that it and its keeper can't be freed. */
bool symbol_orders_stop(SymbolOrders *o, unsigned max_msec);
bool symbol_orders_are_stopped(const SymbolOrders *o); /* what is not done yet is to be left out */

SymbolOrders *symbol_keeper_orders(SymbolKeeper *k);
