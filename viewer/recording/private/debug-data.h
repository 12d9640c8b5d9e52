/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Expands the contents of a .gnu_debugdata section, a small ELF file compressed by xz, or those of a module's file that is
 * compressed by xz or zstd, into a file in memory. Returns its descriptor; -EBADMSG: it is broken, -EFBIG: larger than a debug
 * file may be, or than *left, from which the bytes are taken in any case; -ENOMEM and others. */
int debug_data_expand(const void *data, size_t size, uint64_t *left);

#define DEBUG_DATA_MAX (UINT64_C(1) << 30) /* bytes that a program expands in all */
