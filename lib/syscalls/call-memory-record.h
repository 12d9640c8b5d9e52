/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdint.h>

/* The memory that arguments of a system call point to, as the program in the kernel hands it over: a head, then pieces, each with
 * its bytes, padded to 8. Such a record lies before the event of the same call, its begin or its end. This header is for both
 * sides. */

#define CALL_MEMORY_BYTES 128u         /* of a piece, at most */
#define CALL_MEMORY_STRINGS_BYTES 256u /* of an argv, at most */
#define CALL_MEMORY_RECORD_MAX 2048u

typedef struct CallMemoryHead {
        uint64_t zero;     /* where tracepoints have their number, which is never 0 */
        uint32_t number;   /* of the call */
        uint32_t returned; /* it ends */
} CallMemoryHead;

#define CALL_MEMORY_INODES 0xf0u /* an "argument": the numbers (uint64_t) of what the new descriptors of the call are open to */

typedef struct CallMemoryPiece {
        uint8_t argument; /* from 0 */
        uint8_t cut;      /* there is more than these bytes */
        uint16_t size;
        uint32_t reserved;
        uint8_t bytes[];
} CallMemoryPiece;
