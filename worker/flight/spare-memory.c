/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The side band is allocated in pieces of all sizes, some of which stay: between them malloc(3) keeps tens of
 * megabytes unused for as long as the recorder runs. malloc_trim(3) returns those pages to the kernel, also in the
 * middle of the heap. Some are kept, since page faults cost the next dump time. */

#include "spare-memory.h"

#include <malloc.h>

#define INTERVAL_USEC (10 * USEC_PER_SEC)
#define SPARE_MIN (UINT64_C(8) << 20) /* bytes: not worth it below */

void spare_memory_give_back(usec_t *last) {
        usec_t now = now_usec(CLOCK_MONOTONIC);
        struct mallinfo2 m;

        if (*last > 0 && now - *last < INTERVAL_USEC)
                return;
        *last = now;
        m = mallinfo2();
        if (m.fordblks > SPARE_MIN && m.fordblks > m.uordblks)
                (void) malloc_trim(SPARE_MIN / 2);
}
