/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Any user's processes can map without end, so the messages about them are limited too. */

#include "left-out.h"

#include <inttypes.h>
#include "log.h"

#define MINUTE_USEC (60 * USEC_PER_SEC)

void left_out_tell(LeftOutNotes *n, uint32_t pid, const char *name, uint64_t mappings) {
        usec_t now = now_usec(CLOCK_MONOTONIC);
        char printed[32] = "";

        if (n->n == 0 || now - n->since > MINUTE_USEC)
                *n = (LeftOutNotes) { .since = now };
        n->n++;
        for (size_t i = 0; name[i] && i + 1 < sizeof(printed); i++) /* a process may choose any name */
                printed[i] = name[i] > ' ' && name[i] < 0x7f ? name[i] : '?';
        if (n->n <= LEFT_OUT_NOTES_MAX)
                log_warning("Process %u (%s) has more mappings than its share of the side band: at least %" PRIu64
                            " are left out, and some of its samples may have no symbols", pid, printed, mappings);
        else if (n->n == LEFT_OUT_NOTES_MAX + 1)
                log_warning("More processes have more mappings than their share of the side band");
}
