/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "module-layout.h"

/* Reads DWARF and writes what it says to a descriptor: the work of the process that source-lines.c forks. */

typedef enum DebugAnswerType {
        DEBUG_ANSWER_TEXT,    /* number: of bytes, which follow; texts are numbered from 1 on in the order in which they come */
        DEBUG_ANSWER_LINE,    /* number: of the address; text and line: its place */
        DEBUG_ANSWER_INLINED, /* number: the text of the inlined function's name; text and line: of the call. They follow the
                               * line of their address, the innermost first */
        DEBUG_ANSWER_END,     /* there is no more */
        _DEBUG_ANSWER_TYPE_MAX,
} DebugAnswerType;

typedef struct DebugAnswer {
        uint32_t type, number, text, line;
} DebugAnswer;

/* Addresses are in ascending order; memory: see debug_image_open(). 0; -EBADMSG: it is broken; -EFBIG: it is above the
 * limits; -ENOMEM, -EIO: nobody reads the answers. */
int debug_reader_run(int debug, const ModuleMemory *memory, const uint64_t *addresses, size_t n, bool inlined, FILE *answers);
