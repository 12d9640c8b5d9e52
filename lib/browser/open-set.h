/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* The entries and calls of a browser that are open, each by a hash of what it shows, so that it stays open in a table made anew.
 * Zero-initialise. */
typedef struct OpenSet {
        uint64_t *hashes; /* sorted */
        size_t n, allocated;
} OpenSet;

void open_set_done(OpenSet *s);
bool open_set_has(const OpenSet *s, uint64_t hash);
int open_set_put(OpenSet *s, uint64_t hash, bool open); /* 0, -ENOMEM */
int open_set_copy(OpenSet *to, const OpenSet *from);    /* to is empty; 0, -ENOMEM */
