/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Where in a file the names of symbols begin that demangle() gives up, among those that are large when they are readable.
 * Demanglers of others, perf's among them, have no limits: such a name costs them gigabytes. Zero-initialise; for several
 * files one after the other, as what it may take is for all of them. */
typedef struct CostlyNames {
        uint64_t *offsets; /* bytes from the file's beginning; some come twice */
        size_t n, allocated;
        uint64_t spent_usec;
} CostlyNames;

/* Of any file, in place of what was found in the previous one; what is no ELF file has none. -ENOMEM; -E2BIG: more than a
 * million. */
int costly_names_find(CostlyNames *c, int fd);
void costly_names_done(CostlyNames *c);
