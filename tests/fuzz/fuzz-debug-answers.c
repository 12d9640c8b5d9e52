/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Any bytes as the answers of the process that reads DWARF. */

#include "fuzz.h"
#include "source-lines.h"

#define ADDRESSES 8u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_fclose_ FILE *f = size > 0 ? fmemopen((void *) data, size, "r") : NULL;
        _cleanup_(source_lines_done) SourceLines s = {};
        SourcePlace places[ADDRESSES] = {};

        if (!f)
                return 0;
        (void) source_lines_take(&s, f, ADDRESSES, places);
        for (size_t i = 0; i < ADDRESSES; i++) {
                FUZZ_ASSERT(places[i].n_inlined <= INLINED_DEPTH_MAX && places[i].inlined + places[i].n_inlined <= s.n_inlined);
                for (const char *p = source_lines_text(&s, places[i].file); p && *p; p++)
                        FUZZ_ASSERT((unsigned char) *p >= ' ');
        }
        return 0;
}
