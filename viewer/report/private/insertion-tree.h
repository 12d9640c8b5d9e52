/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Returns whether a comes before b, for numbers of the caller's. */
typedef bool ComesBefore(const void *userdata, size_t a, size_t b);

/* Brings numbers into the order that they have in a red-black tree after they were inserted one by one, which is a property of the
 * numbers only if before is an order. 0 or -ENOMEM. */
int insertion_tree_sort(size_t *numbers, size_t n, ComesBefore *before, const void *userdata);
