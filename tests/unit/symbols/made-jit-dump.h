/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "byte-buffer.h"

/* Jitdumps, byte for byte as perf's jitdump-specification.txt has them. */
void made_jit_begin(ByteBuffer *b, uint32_t pid, uint64_t flags);
/* code: whether the bytes of the function follow. */
void made_jit_load(ByteBuffer *b, uint64_t time, uint64_t address, uint64_t size, uint64_t index, const char *name, bool code);
void made_jit_move(ByteBuffer *b, uint64_t time, uint64_t from, uint64_t to, uint64_t size, uint64_t index);
void made_jit_other(ByteBuffer *b, uint32_t id, uint32_t size); /* size: of all the record */

/* Writes it to a file of that name in the scratch directory. A new string, its path. */
char *made_jit_file(const ByteBuffer *b, const char *name);
int made_jit_fd(const ByteBuffer *b); /* a descriptor */
