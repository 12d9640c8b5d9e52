/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <pthread.h>
#include "byte-pool.h"

/* The distinct call chains of a recording, as recorded: addresses and markers. One thread adds them, and another one may look at
 * those whose numbers it was given. */
typedef struct RecordedChains {
        BytePool pool;
        pthread_mutex_t lock; /* held while the pool changes */
} RecordedChains;

void recorded_chains_init(RecordedChains *c);
void recorded_chains_done(RecordedChains *c);

/* Forgets all. */
void recorded_chains_clear(RecordedChains *c);

/* Returns whether there is room for another one: there are less bytes than some limit. For the thread that adds. */
bool recorded_chains_has_room(const RecordedChains *c);

/* Finds or adds a call chain. 0, -ENOMEM, -ENOSPC. */
int recorded_chains_intern(RecordedChains *c, const uint64_t *chain, size_t n, uint32_t *ret);

/* Returns the words of a call chain, which stay where they are and may lie at any address. Number 0 has none. */
const void *recorded_chains_get(RecordedChains *c, uint32_t number, size_t *ret_n);
