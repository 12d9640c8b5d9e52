/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A module is an object file, whose sections the kernel lays out when it loads it: those of code follow each other in
 * their order in the file, aligned as they ask, from the start of the module's memory on; those of initialisation are
 * elsewhere, and freed (kernel/module/main.c, layout_sections()). The kernel gives sections of stubs a size of its own,
 * so that what follows them is not known. */

#include "module-layout.h"

#define MODULE_SECTIONS_MAX 1024u

/* The places of sections, by their numbers. */
struct ModuleLayout {
        struct {
                bool loaded;
                uint64_t offset, size;
        } sections[MODULE_SECTIONS_MAX];
};

/* Stubs of arm64 and others. */
static bool is_resized(const char *name) {
        return startswith(name, ".plt") || startswith(name, ".init.plt") || startswith(name, ".text.ftrace_trampoline") ||
               startswith(name, ".stubs");
}

static int layout_sections(ModuleLayout *l, const ElfImage *e, uint64_t size) {
        Elf_Scn *section = NULL;
        uint64_t end = 0;
        GElf_Shdr h;

        while ((section = elf_nextscn(e->elf, section))) {
                size_t number = elf_ndxscn(section);
                const char *name;

                if (!gelf_getshdr(section, &h) || number >= MODULE_SECTIONS_MAX)
                        return -EBADMSG;
                name = elf_image_section_name(e, &h);
                if (!(h.sh_flags & SHF_ALLOC) || !(h.sh_flags & SHF_EXECINSTR) || startswith(name, ".init"))
                        continue;
                if (is_resized(name))
                        return 0;
                if (h.sh_addralign > 1) {
                        if (h.sh_addralign & (h.sh_addralign - 1) || h.sh_addralign > size)
                                return -EBADMSG;
                        end = (end + h.sh_addralign - 1) & ~(h.sh_addralign - 1);
                }
                if (end > size || h.sh_size > size - end)
                        return -EBADMSG;
                l->sections[number].loaded = true;
                l->sections[number].offset = end;
                l->sections[number].size = h.sh_size;
                end += h.sh_size;
        }
        return 0;
}

int module_layout_new(const ElfImage *e, uint64_t size, ModuleLayout **ret) {
        _cleanup_(module_layout_freep) ModuleLayout *l = e->header.e_type == ET_REL ? calloc(1, sizeof(*l)) : NULL;
        int r;

        if (!l)
                return e->header.e_type == ET_REL ? -ENOMEM : -ENODATA;
        r = layout_sections(l, e, MIN_OF(size, (uint64_t) INT64_MAX));
        if (r < 0)
                return r;
        *ret = steal_ptr(l);
        return 0;
}

ModuleLayout *module_layout_free(ModuleLayout *l) {
        free(l);
        return NULL;
}

bool module_layout_offset(const ModuleLayout *l, size_t section, uint64_t value, uint64_t *ret) {
        if (section >= MODULE_SECTIONS_MAX || !l->sections[section].loaded || value >= l->sections[section].size)
                return false;
        *ret = l->sections[section].offset + value;
        return true;
}

bool module_layout_section(const ModuleLayout *l, uint64_t offset, uint64_t size, size_t *ret_section, uint64_t *ret_value) {
        for (size_t i = 0; i < MODULE_SECTIONS_MAX; i++) {
                uint64_t value = offset - l->sections[i].offset;

                if (!l->sections[i].loaded || offset < l->sections[i].offset || value >= l->sections[i].size)
                        continue;
                if (size > l->sections[i].size - value)
                        return false;
                *ret_section = i;
                *ret_value = value;
                return true;
        }
        return false;
}
