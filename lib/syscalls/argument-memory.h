/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdint.h>

/* The memory that an argument of a system call points to: how many bytes are to be read, and when. This header is also for the
 * program in the kernel that does it. */

typedef enum ArgumentMemoryKind {
        ARGUMENT_MEMORY_NONE,
        ARGUMENT_MEMORY_TEXT,    /* up to a NUL */
        ARGUMENT_MEMORY_FIXED,   /* "unit" bytes */
        ARGUMENT_MEMORY_COUNTED, /* as many units as argument "length" says */
        ARGUMENT_MEMORY_RESULT,  /* as many units as the result says, but not more than that argument */
        ARGUMENT_MEMORY_STRINGS, /* an array of pointers to texts, up to a NULL */
} ArgumentMemoryKind;

typedef struct ArgumentMemory {
        uint8_t kind;     /* ArgumentMemoryKind */
        uint8_t length;   /* the number of another argument, from 0 */
        uint8_t returned; /* the kernel writes it: it is there once the call has succeeded */
        uint8_t unit;     /* bytes */
} ArgumentMemory;
