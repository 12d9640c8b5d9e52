/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* FNV-1a, 64 bits: a digest that another process, or a later version of this program, computes again and compares. It
 * does not withstand deliberate collisions. Tables use hash-index.h. */
#define FNV_BEGIN UINT64_C(0xcbf29ce484222325)

static inline uint64_t fnv_mix(uint64_t h, uint64_t v) {
        return (h ^ v) * UINT64_C(0x100000001b3);
}

/* NULL is as "". */
static inline uint64_t fnv_text(uint64_t h, const char *s) {
        for (; s && *s; s++)
                h = fnv_mix(h, (uint8_t) *s);
        return h;
}

/* Adds one of several words: "ab", "c" differs from "a", "bc". */
static inline uint64_t fnv_word(uint64_t h, const char *s) {
        return fnv_mix(fnv_text(h, s), 0xff);
}
