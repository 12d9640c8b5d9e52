/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* In a mangled name of C++ "S_", "S0_" … refer to an earlier part, "T_" … to an argument of its template, and "Dp" repeats
 * a pattern for each of several arguments; in one of Rust "B_", "B0_" … refer to an earlier part. Each can double the
 * readable name, so a few of them are harmless, and most names have few. Only the others are tried, since that costs a
 * round trip to another process (demangle.h). When the time for that is used up, all of them count as costly.
 *
 * Control characters are looked for in the whole block of names, since many symbols may share a long one. */

#include "costly-names.h"

#include "array.h"
#include "demangle.h"
#include "elf-image.h"
#include "parse-time.h"
#include "utf8.h"

#define REFERENCES_MAX 8u /* harmless: 256 times the name */
#define NAMES_MAX (1u << 20)
#define TRIES_MAX_USEC (UINT64_C(20) * 1000000) /* an honest name takes some microseconds */

/* "S_", "T0_", "Bz_": the letter, digits and letters, an underscore. */
static bool is_reference(const char *s) {
        return s[1 + strspn(s + 1, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")] == '_';
}

/* The parts of a name that come from the source are counted, too: a name that is tried needlessly does no harm. */
static bool may_be_large(const char *name) {
        const char *letters = startswith(name, "_R") ? "B" : "STD";
        unsigned n = 0;

        for (const char *s = strpbrk(name, letters); s && n <= REFERENCES_MAX; s = strpbrk(s + 1, letters))
                n += *s == 'D' ? s[1] == 'p' : is_reference(s);
        return n > REFERENCES_MAX;
}

static bool costly_names_try(CostlyNames *c, const char *name) {
        uint64_t begin = now_usec(CLOCK_MONOTONIC);
        _cleanup_free_ char *readable = c->spent_usec < TRIES_MAX_USEC ? demangle(name) : NULL;

        c->spent_usec += now_usec(CLOCK_MONOTONIC) - begin;
        return !readable || streq(readable, name);
}

static bool is_costly(CostlyNames *c, const char *name) {
        if (!startswith(name, "_Z") && !startswith(name, "_R"))
                return false;
        return strnlen(name, DEMANGLE_NAME_MAX + 1) > DEMANGLE_NAME_MAX || (may_be_large(name) && costly_names_try(c, name));
}

static int costly_names_add(CostlyNames *c, uint64_t offset) {
        if (c->n >= NAMES_MAX)
                return -E2BIG;
        if (ARRAY_RESERVE(c->offsets, c->allocated, c->n + 1) < 0)
                return -ENOMEM;
        c->offsets[c->n++] = offset;
        return 0;
}

/* Adds the bytes of what utf8_line_to() would replace in a name. */
static int costly_names_add_controls(CostlyNames *c, const ElfSection *names) {
        const char *text = (const char *) names->data;
        int r = 0;

        for (size_t i = 0, n; r >= 0 && i < names->size; i += n) {
                uint32_t character = 0;

                n = 1;
                if (text[i] == '\0' || (text[i] >= ' ' && text[i] < 0x7f))
                        continue;
                n = utf8_decode(text + i, names->size - i, &character);
                if (n > 0 && !utf8_is_control(character))
                        continue;
                n = MAX_OF(n, (size_t) 1);
                for (size_t k = 0; r >= 0 && k < n; k++)
                        r = costly_names_add(c, names->header.sh_offset + i + k);
        }
        return r;
}

static int costly_names_search(CostlyNames *c, ElfImage *e, Elf_Scn *section, const GElf_Shdr *header) {
        _cleanup_(elf_section_done) ElfSection symbols = ELF_SECTION_EMPTY, names = ELF_SECTION_EMPTY;
        GElf_Sym sym;
        int r;

        if (header->sh_size == 0)
                return 0;
        r = elf_section_read(&symbols, e, section, ELF_T_SYM);
        if (r >= 0)
                r = elf_section_read(&names, e, elf_getscn(e->elf, header->sh_link), ELF_T_BYTE);
        if (r < 0)
                return r == -ENOMEM ? r : -E2BIG;
        r = costly_names_add_controls(c, &names);
        for (size_t i = 1; r >= 0 && elf_section_symbol(&symbols, i, &sym); i++)
                if (sym.st_name < names.size && is_costly(c, (const char *) names.data + sym.st_name))
                        r = costly_names_add(c, names.header.sh_offset + sym.st_name);
        return r;
}

int costly_names_find(CostlyNames *c, int fd) {
        Elf_Scn *section = NULL;
        GElf_Shdr header;
        ElfImage e;
        int r = elf_image_open(&e, fd);

        c->n = 0;
        if (r < 0)
                return r == -ENOMEM ? r : 0;
        while (r >= 0 && (section = elf_nextscn(e.elf, section)))
                if (gelf_getshdr(section, &header) && (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM))
                        r = costly_names_search(c, &e, section, &header);
        elf_image_done(&e);
        return r;
}

void costly_names_done(CostlyNames *c) {
        free(c->offsets);
        *c = (CostlyNames) {};
}
