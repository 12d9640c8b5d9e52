/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* libdw takes every section that it knows when it opens a file: those that are mapped cost nothing until they are read, but
 * compressed ones are expanded, and may state any size. */

#include "debug-image.h"

#include <dwarf.h>

#include "array.h"
#include "debug-relocations.h"

static int check_section(const ElfImage *e, Elf_Scn *section, uint64_t *expanded) {
        GElf_Shdr header;
        GElf_Chdr compression;
        const char *name;

        if (!gelf_getshdr(section, &header))
                return -ENOEXEC;
        name = elf_image_section_name(e, &header);
        if (!startswith(name, ".debug_") && !startswith(name, ".zdebug_") && !startswith(name, ".gnu.debuglto_"))
                return 0;
        if (header.sh_size > DEBUG_SECTION_MAX)
                return -EFBIG;
        if (startswith(name, ".z") || startswith(name, ".gnu"))
                return -ENODATA; /* a form from before 2015, whose size libdw does not check; and object files */
        if (header.sh_flags & SHF_COMPRESSED) {
                if (!gelf_getchdr(section, &compression))
                        return -ENOEXEC;
                if (compression.ch_size > DEBUG_EXPANDED_MAX - *expanded)
                        return -EFBIG;
                *expanded += compression.ch_size;
        }
        return 0;
}

/* *ret: of a module. */
static int check_file(int fd, const ModuleMemory *memory, ModuleLayout **ret) {
        Elf_Scn *section = NULL;
        uint64_t expanded = 0;
        ElfImage e;
        int r = elf_image_open(&e, fd);

        if (r < 0)
                return r;
        if (e.header.e_type == ET_REL)
                r = memory->size > 0 ? module_layout_new(&e, memory->size, ret) : -ENODATA;
        while (r >= 0 && (section = elf_nextscn(e.elf, section)))
                r = check_section(&e, section, &expanded);
        elf_image_done(&e);
        return r;
}

int debug_image_open(DebugImage *d, int fd, const ModuleMemory *memory) {
        _cleanup_(module_layout_freep) ModuleLayout *layout = NULL;
        int r = check_file(fd, memory, &layout);

        *d = (DebugImage) DEBUG_IMAGE_EMPTY;
        if (r < 0)
                return r;
        d->elf = elf_begin(fd, layout ? ELF_C_READ_MMAP_PRIVATE : ELF_C_READ_MMAP, NULL);
        if (d->elf && layout)
                debug_relocate(d->elf, layout, memory->start);
        d->dwarf = d->elf ? dwarf_begin_elf(d->elf, DWARF_C_READ, NULL) : NULL;
        if (d->dwarf)
                return 0;
        debug_image_done(d);
        return -ENODATA;
}

void debug_image_done(DebugImage *d) {
        if (d->dwarf)
                (void) dwarf_end(d->dwarf);
        if (d->elf)
                (void) elf_end(d->elf);
        *d = (DebugImage) DEBUG_IMAGE_EMPTY;
}

static int add_range(DebugUnits *u, uint64_t start, uint64_t end) {
        if (start >= end || start == 0) /* a linker gives functions that it left out the address 0 */
                return 0;
        if (u->n_ranges >= DEBUG_UNIT_RANGES_MAX)
                return -EFBIG;
        if (ARRAY_RESERVE(u->ranges, u->ranges_allocated, u->n_ranges + 1) < 0)
                return -ENOMEM;
        u->ranges[u->n_ranges++] = (DebugUnitRange) { .start = start, .end = end, .unit = u->n };
        return 0;
}

static int add_unit(DebugUnits *u, Dwarf_Die *unit, const Dwarf_Die *part) {
        Dwarf_Addr base, start, end;
        ptrdiff_t next = 0;
        int r = 0;

        if (u->n >= DEBUG_UNITS_MAX)
                return -EFBIG;
        if (ARRAY_RESERVE(u->units, u->allocated, u->n + 1) < 0 || ARRAY_RESERVE(u->parts, u->parts_allocated, u->n + 1) < 0)
                return -ENOMEM;
        while (r >= 0 && (next = dwarf_ranges(unit, next, &base, &start, &end)) > 0)
                r = add_range(u, start, end);
        u->units[u->n] = *unit;
        u->parts[u->n++] = *part;
        return r;
}

static int compare_ranges(const void *a, const void *b) {
        const DebugUnitRange *x = a, *y = b;

        if (x->start != y->start)
                return x->start < y->start ? -1 : 1;
        return x->unit < y->unit ? -1 : x->unit > y->unit;
}

int debug_units_find(DebugUnits *u, const DebugImage *d) {
        Dwarf_CU *unit = NULL;
        int found = 0, r = 0;

        *u = (DebugUnits) {};
        while (r >= 0) {
                Dwarf_Die die = {}, part = {};
                uint8_t type = 0;

                found = dwarf_get_units(d->dwarf, unit, &unit, NULL, &type, &die, &part);
                if (found != 0)
                        break;
                if (type == DW_UT_compile || type == DW_UT_skeleton)
                        r = add_unit(u, &die, type == DW_UT_skeleton && part.addr ? &part : &die);
        }
        if (u->n_ranges > 0)
                qsort(u->ranges, u->n_ranges, sizeof(*u->ranges), compare_ranges);
        return r < 0 ? r : found < 0 ? -EBADMSG : 0;
}

void debug_units_done(DebugUnits *u) {
        free(u->units);
        free(u->parts);
        free(u->ranges);
        *u = (DebugUnits) {};
}

/* Ranges of honest files do not overlap. */
bool debug_units_search(const DebugUnits *u, uint64_t address, size_t *ret) {
        size_t i = LOWER_BOUND(u->n_ranges, k, u->ranges[k].start <= address);

        if (i == 0 || u->ranges[i - 1].end <= address)
                return false;
        *ret = u->ranges[i - 1].unit;
        return true;
}
