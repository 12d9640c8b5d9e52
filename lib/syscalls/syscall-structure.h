/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "syscall-text.h"

/* Structures that arguments point to, as text: {tv_sec=1, tv_nsec=0} in strace's style, { .tv_sec: 1, .tv_nsec: 0 } in
 * perf's. */

/* Bytes of the traced program's memory. */
typedef struct MemoryView {
        const uint8_t *bytes;
        size_t size;
} MemoryView;

/* A text to which structures are put, and the way they are written there. */
typedef struct StructureText {
        TextBuffer *b;
        SyscallStyle style;
        SyscallAbi abi;
        bool wide; /* its words have 64 bits */
} StructureText;

/* Puts bytes, escaped: quotes, backslashes and everything that is not printable. strace's style has only ASCII, the other keeps
 * characters. further: more characters that are escaped. */
void structure_put_escaped(TextBuffer *b, SyscallStyle style, const void *bytes, size_t size, const char *further);

/* Puts a string in quotes, of which only the first "limit" bytes are shown; cut: there is more than these bytes. */
void structure_put_string(TextBuffer *b, SyscallStyle style, const void *bytes, size_t size, size_t limit, bool cut);

/* The name of a signal, with or without SIG by the style: SIGRT_2 and 0x22 for those without a name. */
void structure_put_signal(TextBuffer *b, SyscallStyle style, uint32_t number);

/* Permissions, and (type) the type of the file: 0644, S_IFIFO|0600, or IRUGO|IWUSR. */
void structure_put_mode(TextBuffer *b, SyscallStyle style, uint32_t mode, bool type);

/* Puts a structure of this kind, or count of them (IOVEC, POLLFD, EPOLL_EVENTS_OUT). Returns false, and has put nothing, if the
 * memory is too short for one. */
bool structure_put(const StructureText *t, ArgumentKind kind, MemoryView m, size_t count);
