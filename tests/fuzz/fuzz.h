/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* The entry point that libFuzzer calls; fuzz-driver.c calls it with each sample. Always returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A property that must hold for every input. */
#define FUZZ_ASSERT(condition)                                                            \
        do {                                                                              \
                if (!(condition)) {                                                       \
                        fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);   \
                        abort();                                                          \
                }                                                                         \
        } while (0)
