/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The end of a call has what its begin could not read; it replaces nothing that is known. */

#include "call-memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "call-memory-record.h"

CallMemory *call_memory_free(CallMemory *m) {
        for (size_t i = 0; m && i < m->n; i++)
                free(m->bytes[i]);
        free(m);
        return NULL;
}

static int call_memory_add(CallMemory *m, const CallMemoryPiece *piece) {
        uint8_t *bytes;

        if (piece->argument == CALL_MEMORY_INODES)
                memcpy(m->inodes, piece->bytes, piece->size < sizeof(m->inodes) ? piece->size : sizeof(m->inodes));
        if (piece->argument >= SYSCALL_MAX_ARGUMENTS)
                return 0;
        for (size_t i = 0; i < m->n; i++)
                if (m->pieces[i].argument == piece->argument)
                        return 0;
        if (m->n == SYSCALL_MAX_ARGUMENTS)
                return 0;
        bytes = malloc(piece->size + 1u);
        if (!bytes)
                return -ENOMEM;
        memcpy(bytes, piece->bytes, piece->size);
        m->bytes[m->n] = bytes;
        m->pieces[m->n++] = (SyscallMemory) { .argument = piece->argument, .cut = piece->cut, .size = piece->size, .bytes = bytes };
        return 0;
}

int call_memory_take(CallMemory **m, const void *record, size_t size) {
        const uint8_t *p = record;
        CallMemoryHead head;
        int r = 0;

        if (size < sizeof(head))
                return 0;
        memcpy(&head, p, sizeof(head));
        if (*m && (!head.returned || (*m)->number != head.number))
                *m = call_memory_free(*m);
        if (!*m) {
                *m = calloc(1, sizeof(**m));
                if (!*m)
                        return -ENOMEM;
                (*m)->number = head.number;
        }
        for (size_t at = sizeof(head); r >= 0 && at + sizeof(CallMemoryPiece) <= size;) {
                union { /* records lie at any address */
                        CallMemoryPiece piece;
                        uint8_t bytes[sizeof(CallMemoryPiece) + CALL_MEMORY_STRINGS_BYTES];
                } u;

                memcpy(u.bytes, p + at, sizeof(CallMemoryPiece));
                if (u.piece.size > CALL_MEMORY_STRINGS_BYTES || u.piece.size > size - at - sizeof(CallMemoryPiece))
                        return 0;
                memcpy(u.bytes + sizeof(CallMemoryPiece), p + at + sizeof(CallMemoryPiece), u.piece.size);
                r = call_memory_add(*m, &u.piece);
                at += sizeof(CallMemoryPiece) + ((u.piece.size + 7u) & ~7u);
        }
        return r;
}
