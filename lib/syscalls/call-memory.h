/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>
#include "syscall-text.h"

/* The memory that the arguments of one call point to, as far as it is known. */
typedef struct CallMemory {
        uint32_t number;
        size_t n;
        SyscallMemory pieces[SYSCALL_MAX_ARGUMENTS];
        uint8_t *bytes[SYSCALL_MAX_ARGUMENTS]; /* of pieces */
        uint64_t inodes[2]; /* of the descriptors that it opened, in their order; 0: not known */
} CallMemory;

CallMemory *call_memory_free(CallMemory *m);

/* Takes a record of call-memory-record.h, which comes from the kernel and may be cut. *m: NULL, or what the begin of a call had, to
 * which that of its end is added. 0, -ENOMEM. */
int call_memory_take(CallMemory **m, const void *record, size_t size);
