/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* The offsets in a file of the bytes that "?" has to replace, so that other readers may have its symbol names: the first
 * one of each name that demangle() gives up, among those that would be large when readable, and all of control
 * characters. Other demanglers, perf's among them, have no limits, so that such a name costs them gigabytes, and other
 * readers pass control characters on to the terminal. Zero-initialise. Use one object for several files, one after the
 * other: the limit of time is for all of them. */
typedef struct CostlyNames {
        uint64_t *offsets; /* bytes from the file's beginning; may have duplicates */
        size_t n, allocated;
        uint64_t spent_usec;
} CostlyNames;

/* Finds those of any file, in place of what was found in the previous one; a file that is not ELF has none. 0,
 * -ENOMEM; -E2BIG: more than a million, or a table of symbols that elf_section_read() refuses. Readers without limits take
 * memory for the size that it states, and a hole of gigabytes takes no space in the file. */
int costly_names_find(CostlyNames *c, int fd);
void costly_names_done(CostlyNames *c);
