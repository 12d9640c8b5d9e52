/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* libelf and libdw expand sections themselves, but they believe any size, and libelf before 0.189 knows no zstd. */

#include "elf-content.h"

#include <endian.h>
#include <zlib.h>

#include "decompress.h"
#include "fd-file.h"

#ifndef ELFCOMPRESS_ZSTD
#define ELFCOMPRESS_ZSTD 2
#endif

#define OLD_PREFIX ".zdebug_"

bool elf_content_is_old(const char *name, const char **ret) {
        *ret = startswith(name, OLD_PREFIX) ? name + strlen(".z") : NULL;
        return *ret;
}

Elf_Scn *elf_content_section(const ElfImage *e, const char *name, GElf_Shdr *ret) {
        Elf_Scn *section = elf_image_section(e, name, ret);
        char old[64];
        int n;

        if (section || !startswith(name, ".debug_"))
                return section;
        n = snprintf(old, sizeof(old), ".z%s", name + 1);
        return n > 0 && (size_t) n < sizeof(old) ? elf_image_section(e, old, ret) : NULL;
}

/* The bytes of a compressed section: a head, and what zlib or zstd made of the contents. */
typedef struct Compressed {
        uint64_t offset, size; /* in the file, behind the head */
        uint64_t expanded;
        uint32_t type;         /* ELFCOMPRESS_…; 0: it is not compressed */
} Compressed;

static int content_read_head(const ElfImage *e, const GElf_Shdr *header, Compressed *ret) {
        bool wide = e->header.e_ident[EI_CLASS] == ELFCLASS64;
        size_t size = wide ? sizeof(Elf64_Chdr) : sizeof(Elf32_Chdr);
        union {
                Elf32_Chdr h32;
                Elf64_Chdr h64;
        } h = {};
        Elf_Data data = { .d_buf = &h, .d_type = ELF_T_CHDR, .d_size = size, .d_version = EV_CURRENT };
        int r = header->sh_size < size ? -EBADMSG : pread_exactly(e->fd, header->sh_offset, &h, size);

        if (r < 0)
                return r;
        if (!gelf_xlatetom(e->elf, &data, &data, e->header.e_ident[EI_DATA]))
                return -EBADMSG;
        *ret = (Compressed) {
                .offset = header->sh_offset + size, .size = header->sh_size - size, .type = wide ? h.h64.ch_type : h.h32.ch_type,
                .expanded = wide ? h.h64.ch_size : h.h32.ch_size,
        };
        return ret->type == ELFCOMPRESS_ZLIB || ret->type == ELFCOMPRESS_ZSTD ? 0 : -EOPNOTSUPP;
}

static int read_old_head(const ElfImage *e, const GElf_Shdr *header, Compressed *ret) {
        uint8_t head[4 + sizeof(uint64_t)]; /* "ZLIB", and the size, big endian on each machine */
        uint64_t size;
        int r = header->sh_size < sizeof(head) ? -EBADMSG : pread_exactly(e->fd, header->sh_offset, head, sizeof(head));

        if (r < 0)
                return r;
        if (memcmp(head, "ZLIB", 4) != 0)
                return -EBADMSG;
        memcpy(&size, head + 4, sizeof(size));
        *ret = (Compressed) { .offset = header->sh_offset + sizeof(head), .size = header->sh_size - sizeof(head),
                              .type = ELFCOMPRESS_ZLIB, .expanded = be64toh(size) };
        return 0;
}

static int content_expand(const Compressed *c, const void *bytes, uint8_t *to) {
        uLongf n = c->expanded;
        int result;

        if (c->type == ELFCOMPRESS_ZSTD)
                return block_decompress(bytes, c->size, to, c->expanded);
        result = uncompress(to, &n, bytes, c->size);
        return result == Z_MEM_ERROR ? -ENOMEM : result == Z_OK && n == c->expanded ? 0 : -EBADMSG;
}

static int read_expanded(ElfSection *s, ElfImage *e, const Compressed *c) {
        _cleanup_free_ uint8_t *bytes = malloc(c->size + 1);
        int r;

        s->data = malloc(c->expanded + 1);
        if (!bytes || !s->data)
                return -ENOMEM;
        r = pread_exactly(e->fd, c->offset, bytes, c->size);
        if (r >= 0)
                r = content_expand(c, bytes, s->data);
        if (r < 0)
                return r;
        s->size = c->expanded;
        s->data[s->size] = '\0';
        e->left -= s->size;
        return 0;
}

static bool is_within(const Compressed *c, const ElfImage *e, uint64_t max) {
        return c->expanded <= max && c->expanded <= e->left && c->size <= MIN_OF(max, e->left) &&
               c->expanded <= ELF_CONTENT_FREE + c->size * ELF_CONTENT_RATIO_MAX;
}

int elf_content_read(ElfSection *s, ElfImage *e, Elf_Scn *section, uint64_t max) {
        ElfSection new = { .class = gelf_getclass(e->elf) };
        Compressed c = {};
        const char *name;
        int r;

        if (!section || !gelf_getshdr(section, &new.header))
                return -ENODATA;
        if (!(new.header.sh_flags & SHF_COMPRESSED) && !elf_content_is_old(elf_image_section_name(e, &new.header), &name))
                return new.header.sh_size > max ? -EFBIG : elf_section_read(s, e, section, ELF_T_BYTE);
        r = elf_section_check(e, &new.header, max);
        if (r >= 0)
                r = new.header.sh_flags & SHF_COMPRESSED ? content_read_head(e, &new.header, &c) :
                    read_old_head(e, &new.header, &c);
        if (r >= 0)
                r = is_within(&c, e, max) ? read_expanded(&new, e, &c) : -EFBIG;
        if (r < 0) {
                elf_section_done(&new);
                return r;
        }
        new.header.sh_flags &= ~(GElf_Xword) SHF_COMPRESSED;
        *s = new;
        return 0;
}
