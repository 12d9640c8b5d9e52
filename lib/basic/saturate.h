/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdint.h>

/* Numbers that others wrote may be any: their sums and products are at most UINT64_MAX, and do not wrap. */

static inline uint64_t saturate_sum(uint64_t a, uint64_t b) {
        return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static inline uint64_t saturate_product(uint64_t a, uint64_t b) {
        uint64_t product;

        return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}
