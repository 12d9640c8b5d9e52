/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* libdw takes every section that it knows when it opens a file: those that are mapped cost nothing until they are read, but it
 * believes compressed ones any size, and does not know all forms. So these are expanded here, and put into the place of the file's
 * bytes in a private mapping. */

#include "debug-image.h"

#include <dwarf.h>

#include "array.h"
#include "debug-relocations.h"
#include "elf-content.h"

/* Has libdw know a section by its new name; the strings of names are of the private mapping. */
static void rename_section(Elf *elf, const GElf_Shdr *header) {
        Elf_Data *names;
        size_t number;
        char *name, *end;

        if (elf_getshdrstrndx(elf, &number) < 0)
                return;
        names = elf_rawdata(elf_getscn(elf, number), NULL);
        if (!names || !names->d_buf || header->sh_name >= names->d_size)
                return;
        name = (char *) names->d_buf + header->sh_name;
        end = memchr(name, '\0', names->d_size - header->sh_name);
        if (end && startswith(name, ".z")) /* another section may have the same string */
                memmove(name + 1, name + 2, (size_t) (end - name) - 1);
}

/* Puts the bytes into the place of those in the file: in libelf's own descriptions of these, a raw and a converted one. The header
 * must be changed between the two, since the file does not have as many bytes, and the type of the second follows from it. */
static int replace_section(DebugImage *d, const ElfImage *e, size_t number, ElfSection *content) {
        Elf_Scn *section = elf_getscn(d->elf, number);
        Elf_Data *raw = elf_rawdata(section, NULL), *converted;
        const char *name;

        content->header.sh_size = content->size;
        if (!raw || !gelf_update_shdr(section, &content->header))
                return -EBADMSG;
        converted = elf_getdata(section, NULL);
        if (!converted)
                return -EBADMSG;
        if (ARRAY_RESERVE(d->expanded, d->allocated, d->n_expanded + 1) < 0)
                return -ENOMEM;
        raw->d_buf = converted->d_buf = d->expanded[d->n_expanded++] = steal_ptr(content->data);
        raw->d_size = converted->d_size = content->size;
        if (elf_content_is_old(elf_image_section_name(e, &content->header), &name))
                rename_section(d->elf, &content->header);
        return 0;
}

static int image_take_section(DebugImage *d, ElfImage *e, Elf_Scn *section) {
        _cleanup_(elf_section_done) ElfSection content = ELF_SECTION_EMPTY;
        GElf_Shdr header;
        const char *name, *rest;
        int r;

        if (!gelf_getshdr(section, &header))
                return -ENOEXEC;
        name = elf_image_section_name(e, &header);
        if (startswith(name, ".gnu.debuglto_"))
                return -ENODATA; /* an object file of a compiler that optimises when it links */
        if (!startswith(name, ".debug_") && !elf_content_is_old(name, &rest))
                return 0;
        if (header.sh_type == SHT_NOBITS || (!(header.sh_flags & SHF_COMPRESSED) && startswith(name, ".debug_")))
                return header.sh_type != SHT_NOBITS && header.sh_size > DEBUG_SECTION_MAX ? -EFBIG : 0;
        r = elf_content_read(&content, e, section, DEBUG_EXPANDED_MAX);
        return r < 0 ? r == -ENODATA ? 0 : r : replace_section(d, e, elf_ndxscn(section), &content);
}

static int debug_image_take(DebugImage *d, ElfImage *e, const ModuleMemory *memory) {
        _cleanup_(module_layout_freep) ModuleLayout *layout = NULL;
        Elf_Scn *section = NULL;
        int r = 0;

        if (e->header.e_type == ET_REL)
                r = memory->size > 0 ? module_layout_new(e, memory->size, &layout) : -ENODATA;
        if (r < 0)
                return r;
        d->elf = elf_begin(e->fd, ELF_C_READ_MMAP_PRIVATE, NULL);
        if (!d->elf)
                return -ENODATA;
        e->left = DEBUG_EXPANDED_MAX;
        while (r >= 0 && (section = elf_nextscn(e->elf, section)))
                r = image_take_section(d, e, section);
        if (r >= 0 && layout)
                debug_relocate(d->elf, layout, memory->start);
        return r;
}

int debug_image_open(DebugImage *d, int fd, const ModuleMemory *memory) {
        ElfImage e;
        int r = elf_image_open(&e, fd);

        *d = (DebugImage) DEBUG_IMAGE_EMPTY;
        if (r < 0)
                return r;
        r = debug_image_take(d, &e, memory);
        elf_image_done(&e);
        if (r >= 0) {
                d->dwarf = dwarf_begin_elf(d->elf, DWARF_C_READ, NULL);
                r = d->dwarf ? 0 : -ENODATA;
        }
        if (r < 0)
                debug_image_done(d);
        return r;
}

void debug_image_done(DebugImage *d) {
        if (d->dwarf)
                (void) dwarf_end(d->dwarf);
        if (d->elf)
                (void) elf_end(d->elf);
        for (size_t i = 0; i < d->n_expanded; i++)
                free(d->expanded[i]);
        free(d->expanded);
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

static int image_compare_ranges(const void *a, const void *b) {
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
                qsort(u->ranges, u->n_ranges, sizeof(*u->ranges), image_compare_ranges);
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
