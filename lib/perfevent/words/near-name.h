/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Names similar to one that was not found, for "did you mean". */

#define NEAR_NAMES_MAX 5

typedef struct NearNames {
        const char *wanted;
        struct {
                char *name;
                unsigned distance;
        } best[NEAR_NAMES_MAX]; /* nearest first */
        size_t n;
} NearNames;

/* Keeps a copy of the name if it is near enough and among the best. Without memory it is ignored. */
void near_names_offer(NearNames *n, const char *name);

/* Returns "a, b, c", or NULL if nothing was near (or without memory). */
char *near_names_join(const NearNames *n);

/* Returns "; did you mean a, b?", the end of a sentence; NULL as above. */
char *near_names_hint(const NearNames *n);

void near_names_done(NearNames *n);
