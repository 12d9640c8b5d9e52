/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "symbol-keeper.h"

/* What a keeper's thread has to do; a part of the keeper. */
typedef struct SymbolOrders SymbolOrders;

int symbol_orders_new(SymbolKeeper *k, SymbolOrders **ret);
SymbolOrders *symbol_orders_free(SymbolOrders *o); /* waits until all are done */

SymbolOrders *symbol_keeper_orders(SymbolKeeper *k);
