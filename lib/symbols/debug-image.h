/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <elfutils/libdw.h>

#include "elf-image.h"
#include "module-layout.h"

/* DWARF of a file that may hold any bytes. */
#define DEBUG_SECTION_MAX (UINT64_C(4) << 30)  /* bytes of one section; a browser's .debug_info has a quarter of it */
#define DEBUG_EXPANDED_MAX (UINT64_C(1) << 30) /* bytes of all compressed sections, expanded */

typedef struct DebugImage {
        Elf *elf;
        Dwarf *dwarf;
        void **expanded; /* the contents of compressed sections */
        size_t n_expanded, allocated;
} DebugImage;

#define DEBUG_IMAGE_EMPTY {}

/* memory: where a kernel's module was, whose addresses are resolved. The file is mapped: if it is truncated in the meantime, the
 * process is killed. fd must stay open as long as the image.
 * -ENODATA: it has no DWARF, or is another object file; -ENOMEM, and errors of elf_image_open() and elf_content_read(). */
int debug_image_open(DebugImage *d, int fd, const ModuleMemory *memory);
void debug_image_done(DebugImage *d);

/* The units of a file by their addresses. */
typedef struct DebugUnitRange {
        uint64_t start, end; /* end is exclusive */
        size_t unit;
} DebugUnitRange;

typedef struct DebugUnits {
        Dwarf_Die *units; /* the unit's own entry, which has its lines */
        Dwarf_Die *parts; /* of the same unit: the entry whose children are its functions */
        size_t n, allocated, parts_allocated;
        DebugUnitRange *ranges; /* sorted by start */
        size_t n_ranges, ranges_allocated;
} DebugUnits;

#define DEBUG_UNITS_MAX (1u << 20)
#define DEBUG_UNIT_RANGES_MAX (8u << 20)

/* 0; -EBADMSG: the rest is broken, those before it are known; -EFBIG, -ENOMEM. u is initialised, and done after a failure too. */
int debug_units_find(DebugUnits *u, const DebugImage *d);
void debug_units_done(DebugUnits *u);

/* Returns whether a unit has code at the address. */
bool debug_units_search(const DebugUnits *u, uint64_t address, size_t *ret);
