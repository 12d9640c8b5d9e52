/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A build id as recordings have it: up to 20 bytes and their number. elf-build-id.c reads it from files. */

#include "build-id.h"

bool build_id_equal(const BuildId *a, const BuildId *b) {
        return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

char *build_id_format(const BuildId *id, char buf[static BUILD_ID_TEXT_SIZE]) {
        size_t n = MIN_OF((size_t) id->size, (size_t) PERF_BUILD_ID_SIZE);

        for (size_t i = 0; i < n; i++)
                (void) snprintf(buf + 2 * i, 3, "%02x", id->bytes[i]);
        buf[2 * n] = '\0';
        return buf;
}
