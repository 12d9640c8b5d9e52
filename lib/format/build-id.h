/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"
#include "format.h"

typedef struct BuildId {
        uint8_t bytes[PERF_BUILD_ID_SIZE];
        uint8_t size; /* 0: none */
} BuildId;

bool build_id_equal(const BuildId *a, const BuildId *b);

/* "1a2b…": 2 * PERF_BUILD_ID_SIZE + 1 bytes. buf is filled and returned. */
#define BUILD_ID_TEXT_SIZE (2 * PERF_BUILD_ID_SIZE + 1)
char *build_id_format(const BuildId *id, char buf[static BUILD_ID_TEXT_SIZE]);
