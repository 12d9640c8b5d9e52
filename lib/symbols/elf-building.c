/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* libelf writes the file in the layout that it is given: header, segments, the data of the sections one after the
 * other, the table of sections. Sections without data keep the offset that they had in their original file. */

#include "elf-building.h"

#include <sys/stat.h>

#include "array.h"

void elf_building_done(ElfBuilding *b) {
        for (size_t i = 0; i < b->n; i++)
                free(b->sections[i].data);
        free(b->sections);
        free(b->segments);
        byte_buffer_done(&b->names);
        *b = (ElfBuilding) {};
}

/* Names follow each other; the first byte is the empty name. */
static int building_put_name(ElfBuilding *b, const char *name, GElf_Word *ret) {
        if (b->names.size == 0)
                byte_buffer_put(&b->names, "", 1);
        *ret = (GElf_Word) b->names.size;
        byte_buffer_put(&b->names, name, strlen(name) + 1);
        return b->names.error;
}

int elf_building_add(ElfBuilding *b, const char *name, const GElf_Shdr *header, void *data, Elf_Type type) {
        _cleanup_free_ void *owned = data;
        BuiltSection s = { .header = *header, .type = type };
        int r = b->n < ELF_BUILDING_SECTIONS_MAX ? ARRAY_RESERVE(b->sections, b->allocated, b->n + 1) : -E2BIG;

        if (r >= 0)
                r = building_put_name(b, name, &s.header.sh_name);
        if (r < 0)
                return r;
        s.data = steal_ptr(owned);
        b->sections[b->n++] = s;
        return (int) b->n;
}

int elf_building_add_build_id(ElfBuilding *b, const BuildId *id) {
        const Elf64_Nhdr head = { .n_namesz = 4, .n_descsz = id->size, .n_type = NT_GNU_BUILD_ID };
        GElf_Shdr header = { .sh_type = SHT_NOTE, .sh_size = sizeof(head) + 4 + (id->size + 3u) / 4 * 4, .sh_addralign = 4 };
        uint8_t *note = calloc(1, header.sh_size);

        if (!note)
                return -ENOMEM;
        memcpy(note, &head, sizeof(head));
        memcpy(note + sizeof(head), ELF_NOTE_GNU, 4);
        memcpy(note + sizeof(head) + 4, id->bytes, id->size);
        return elf_building_add(b, ".note.gnu.build-id", &header, note, ELF_T_NHDR);
}

uint64_t elf_building_size(const ElfBuilding *b) {
        uint64_t size = sizeof(Elf64_Ehdr) + b->n_segments * sizeof(Elf64_Phdr) + (b->n + 2) * sizeof(Elf64_Shdr) + b->names.size;

        for (size_t i = 0; i < b->n; i++)
                size += b->sections[i].data ? b->sections[i].header.sh_size + 8 : 0;
        return size;
}

static int building_add_names(ElfBuilding *b) {
        GElf_Shdr header = { .sh_type = SHT_STRTAB, .sh_addralign = 1 };
        void *copy;
        int r = building_put_name(b, ".shstrtab", &header.sh_name);

        if (r < 0)
                return r;
        b->names.size -= sizeof(".shstrtab"); /* it is put again below */
        header.sh_size = b->names.size + sizeof(".shstrtab");
        copy = malloc(header.sh_size);
        if (!copy)
                return -ENOMEM;
        memcpy(copy, b->names.data, b->names.size);
        memcpy((char *) copy + b->names.size, ".shstrtab", sizeof(".shstrtab"));
        return elf_building_add(b, ".shstrtab", &header, copy, ELF_T_BYTE);
}

static bool built_section_put(Elf *elf, const BuiltSection *s, uint64_t *offset) {
        GElf_Shdr header = s->header;
        Elf_Scn *section = elf_newscn(elf);
        Elf_Data *data;

        if (!section)
                return false;
        if (s->data) {
                data = elf_newdata(section);
                if (!data)
                        return false;
                *offset = (*offset + 7) / 8 * 8;
                header.sh_offset = *offset;
                *data = (Elf_Data) { .d_buf = s->data, .d_type = s->type, .d_size = header.sh_size, .d_align = 1,
                                     .d_version = EV_CURRENT };
                *offset += header.sh_size;
                header.sh_addralign = MAX_OF(header.sh_addralign, (GElf_Xword) 1);
        }
        return gelf_update_shdr(section, &header);
}

/* Only the bytes of the note's segment have moved. */
static void place_notes(ElfBuilding *b, const GElf_Shdr *note, uint64_t offset) {
        for (size_t i = 0; i < b->n_segments; i++)
                if (b->segments[i].p_type == PT_NOTE) {
                        b->segments[i].p_offset = offset;
                        b->segments[i].p_vaddr = b->segments[i].p_paddr = note->sh_addr;
                        b->segments[i].p_filesz = b->segments[i].p_memsz = note->sh_size;
                }
}

static bool elf_building_put(Elf *elf, ElfBuilding *b, const GElf_Ehdr *like, int class, uint64_t *ret_size) {
        size_t segment_size = gelf_fsize(elf, ELF_T_PHDR, 1, EV_CURRENT), section_size = gelf_fsize(elf, ELF_T_SHDR, 1, EV_CURRENT);
        uint64_t offset = gelf_fsize(elf, ELF_T_EHDR, 1, EV_CURRENT);
        GElf_Ehdr header;

        if (b->n_segments > 0 && !gelf_newphdr(elf, b->n_segments))
                return false;
        if (!gelf_getehdr(elf, &header))
                return false;
        header.e_phoff = b->n_segments > 0 ? offset : 0;
        offset += b->n_segments * segment_size;
        for (size_t i = 0; i < b->n; i++) {
                if (!built_section_put(elf, b->sections + i, &offset))
                        return false;
                if (b->sections[i].header.sh_type == SHT_NOTE && b->sections[i].data)
                        place_notes(b, &b->sections[i].header, offset - b->sections[i].header.sh_size);
        }
        for (size_t i = 0; i < b->n_segments; i++)
                if (!gelf_update_phdr(elf, (int) i, b->segments + i))
                        return false;
        memcpy(header.e_ident, like->e_ident, EI_NIDENT);
        header.e_type = like->e_type;
        header.e_machine = like->e_machine;
        header.e_version = EV_CURRENT;
        header.e_flags = like->e_flags;
        header.e_entry = like->e_entry;
        header.e_shstrndx = (GElf_Half) b->n;
        header.e_shoff = (offset + 7) / 8 * 8;
        *ret_size = header.e_shoff + (b->n + 1) * section_size;
        return gelf_update_ehdr(elf, &header);
}

int elf_building_write(ElfBuilding *b, const GElf_Ehdr *like, int class, int fd, uint64_t *ret_size) {
        bool done = false;
        Elf *elf;
        int r;

        if (elf_version(EV_CURRENT) == EV_NONE)
                return -ELIBBAD;
        r = building_add_names(b);
        if (r < 0)
                return r;
        errno = 0;
        elf = elf_begin(fd, ELF_C_WRITE, NULL);
        if (!elf)
                return -ENOMEM;
        if (gelf_newehdr(elf, class)) {
                (void) elf_flagelf(elf, ELF_C_SET, ELF_F_LAYOUT);
                done = elf_building_put(elf, b, like, class, ret_size) && elf_update(elf, ELF_C_WRITE) >= 0;
        }
        r = done ? 0 : errno != 0 ? -errno : -EIO;
        (void) elf_end(elf);
        return r;
}
