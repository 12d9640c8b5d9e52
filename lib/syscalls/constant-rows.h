/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Arrays that make-constants.awk puts: for each set, one that ends with no name. It is included before headers of the kernel that
 * do not go with those of the C library, and includes nothing. */

typedef struct ConstantRow {
        const char *name;
        unsigned long long value;
} ConstantRow;

#define CONSTANTS(name, ...) extern const ConstantRow constant_rows_##name[];
#include "constant-sets.h"
#undef CONSTANTS
