/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "text-buffer.h"

/* Names of the constants that arguments of system calls are made of. Which there are says constant-sets.h; names and values come
 * from the headers of the kernel and the C library when the project is built. */

typedef enum ConstantSet {
        CONSTANTS_NONE,
#define CONSTANTS(name, ...) CONSTANTS_##name,
#include "constant-sets.h"
#undef CONSTANTS
        CONSTANTS_MAX,
} ConstantSet;

/* Returns the name of a number of a set, in full ("SEEK_SET"); NULL: it has none. */
const char *constant_name(ConstantSet set, uint64_t value);

/* Returns the value of a name; -ENOENT. */
int constant_value(ConstantSet set, const char *name, uint64_t *ret);

/* Returns name without what all names of the set begin with: "SET" for SEEK_SET, as perf trace has them. */
const char *constant_short_name(ConstantSet set, const char *name);

/* Returns that beginning. */
const char *constant_prefix(ConstantSet set);

/* Puts the names of the bits of value, and the rest in hexadecimal: "O_RDWR|O_CLOEXEC|0x80000000". Returns false if none of the
 * bits has a name. */
bool constant_put_flags(TextBuffer *b, ConstantSet set, uint64_t value, bool short_names);
