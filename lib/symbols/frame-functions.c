/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Reads .eh_frame as the Linux Standard Base describes it: entries of a length and an id, which is 0 for a common entry
 * (CIE); otherwise it is the distance back to the common entry whose augmentation says how the function's range is
 * encoded. The index in .eh_frame_hdr has starts only and may be missing, so the entries themselves are walked, once.
 *
 * The bytes are hostile input: nothing is read beyond an entry, and a common entry that is not understood costs the
 * functions that refer to it. */

#include "frame-functions.h"

#include <dwarf.h>
#include <endian.h>

#define NAME_MAX_BYTES 255u
#define AUGMENTATION_MAX 16u /* letters; compilers use up to five */

#if __BYTE_ORDER == __LITTLE_ENDIAN
#define THIS_ORDER ELFDATA2LSB
#else
#define THIS_ORDER ELFDATA2MSB
#endif

/* Bytes that are left to be read of the section. */
typedef struct Bytes {
        const uint8_t *at, *end;
} Bytes;

typedef struct Frames {
        const ElfSection *section;
        size_t common;      /* the offset of the entry that was read last; SIZE_MAX: none */
        uint8_t encoding;   /* of it; DW_EH_PE_omit: not known */
} Frames;

static bool frames_take(Bytes *b, void *ret, size_t size) {
        if ((size_t) (b->end - b->at) < size)
                return false;
        memcpy(ret, b->at, size);
        b->at += size;
        return true;
}

static bool skip(Bytes *b, size_t size) {
        if ((size_t) (b->end - b->at) < size)
                return false;
        b->at += size;
        return true;
}

static bool skip_leb(Bytes *b) {
        uint8_t byte;

        do
                if (!frames_take(b, &byte, 1))
                        return false;
        while (byte & 0x80);
        return true;
}

static bool take_leb(Bytes *b, uint64_t *ret) {
        uint64_t value = 0;
        uint8_t byte;

        for (unsigned shift = 0; shift < 64; shift += 7) {
                if (!frames_take(b, &byte, 1))
                        return false;
                value |= (uint64_t) (byte & 0x7f) << shift;
                if (!(byte & 0x80)) {
                        *ret = value;
                        return true;
                }
        }
        return false;
}

/* Reads a number of that format; signed ones are extended. */
static bool frames_take_number(Bytes *b, uint8_t format, int class, uint64_t *ret) {
        const bool is_signed = format & DW_EH_PE_signed;
        uint16_t two;
        uint32_t four;
        unsigned form = format & 0x07;

        if (form == DW_EH_PE_absptr)
                form = class == ELFCLASS64 ? DW_EH_PE_udata8 : DW_EH_PE_udata4;
        switch (form) {
        case DW_EH_PE_udata2:
                if (!frames_take(b, &two, sizeof(two)))
                        return false;
                *ret = is_signed ? (uint64_t) (int16_t) two : two;
                return true;
        case DW_EH_PE_udata4:
                if (!frames_take(b, &four, sizeof(four)))
                        return false;
                *ret = is_signed ? (uint64_t) (int32_t) four : four;
                return true;
        case DW_EH_PE_udata8:
                return frames_take(b, ret, sizeof(*ret));
        default:
                return false;
        }
}

/* Cuts the next entry from what is left. *ret_id: its id, which *ret begins behind. False: there is none. */
static bool frames_next_entry(Bytes *left, Bytes *ret, uint32_t *ret_id, const uint8_t **ret_id_at) {
        uint64_t size = 0;
        uint32_t word;

        if (!frames_take(left, &word, sizeof(word)) || word == 0)
                return false;
        size = word;
        if (word == UINT32_MAX && !frames_take(left, &size, sizeof(size)))
                return false;
        if (size < sizeof(*ret_id) || size > (uint64_t) (left->end - left->at))
                return false;
        *ret = (Bytes) { left->at, left->at + size };
        left->at += size;
        *ret_id_at = ret->at;
        return frames_take(ret, ret_id, sizeof(*ret_id));
}

/* Finds 'R' among the letters, each of which has its value behind the length of all. */
static uint8_t frames_read_augmentation(Bytes *b, const char *letters, int class) {
        uint8_t encoding = DW_EH_PE_absptr, other;
        uint64_t number;

        for (const char *c = letters; *c; c++)
                switch (*c) {
                case 'R':
                        return frames_take(b, &encoding, 1) ? encoding : DW_EH_PE_omit;
                case 'L':
                        if (!skip(b, 1))
                                return DW_EH_PE_omit;
                        break;
                case 'P':
                        if (!frames_take(b, &other, 1) || (other & 0x70) == DW_EH_PE_aligned ||
                            !frames_take_number(b, other & 0x0f, class, &number))
                                return DW_EH_PE_omit;
                        break;
                case 'S':
                case 'B':
                case 'G':
                        break;
                default:
                        return DW_EH_PE_omit;
                }
        return encoding;
}

/* Returns the encoding of addresses in entries of a common one. */
static uint8_t frames_read_common(Bytes b, int class) {
        const char *letters = (const char *) b.at + 1;
        uint64_t size;
        uint8_t version;
        size_t n;

        if (!frames_take(&b, &version, 1) || (version != 1 && version != 3))
                return DW_EH_PE_omit;
        n = strnlen(letters, (size_t) (b.end - b.at));
        if (n > AUGMENTATION_MAX || !skip(&b, n + 1))
                return DW_EH_PE_omit;
        for (int i = 0; i < 2; i++) /* the alignments of code and data */
                if (!skip_leb(&b))
                        return DW_EH_PE_omit;
        if (!(version == 1 ? skip(&b, 1) : skip_leb(&b)))
                return DW_EH_PE_omit;
        if (*letters == '\0')
                return DW_EH_PE_absptr;
        if (*letters != 'z' || !take_leb(&b, &size) || size > (uint64_t) (b.end - b.at))
                return DW_EH_PE_omit;
        b.end = b.at + size;
        return frames_read_augmentation(&b, letters + 1, class);
}

/* Files have few common entries, and functions follow theirs. */
static uint8_t encoding_of(Frames *f, size_t common) {
        Bytes left = { f->section->data + common, f->section->data + f->section->size }, b;
        const uint8_t *at;
        uint32_t id;

        if (common == f->common)
                return f->encoding;
        f->common = common;
        f->encoding = frames_next_entry(&left, &b, &id, &at) && id == 0 ? frames_read_common(b, f->section->class) : DW_EH_PE_omit;
        return f->encoding;
}

/* Reads a function's range; false: it is in a form that is not known. */
static bool read_function(Frames *f, Bytes b, size_t common, uint64_t *ret_start, uint64_t *ret_size) {
        uint8_t encoding = encoding_of(f, common);
        const uint64_t here = f->section->header.sh_addr + (uint64_t) (b.at - f->section->data);

        if ((encoding & 0xf0) != DW_EH_PE_absptr && (encoding & 0xf0) != DW_EH_PE_pcrel)
                return false;
        if (!frames_take_number(&b, encoding & 0x0f, f->section->class, ret_start))
                return false;
        if (*ret_start == 0) /* the linker dropped the function */
                return false;
        if ((encoding & 0xf0) == DW_EH_PE_pcrel)
                *ret_start += here;
        if (f->section->class == ELFCLASS32)
                *ret_start = (uint32_t) *ret_start;
        return frames_take_number(&b, encoding & 0x07, f->section->class, ret_size) && *ret_size > 0;
}

/* "file+0x1234", of which the part before the digits stays from function to function: a file has tens of thousands. */
typedef struct FunctionName {
        char text[NAME_MAX_BYTES + sizeof("+0x0123456789abcdef")];
        size_t prefix;
} FunctionName;

static int add_function(SymbolTable *t, const ElfImage *e, FunctionName *name, uint64_t start, uint64_t size) {
        uint64_t offset;
        size_t digits;

        if (start == 0 || !elf_image_offset(e, start, &offset))
                return 0;
        digits = (size_t) (64 - __builtin_clzll(start) + 3) / 4;
        for (size_t i = 0; i < digits; i++)
                name->text[name->prefix + i] = "0123456789abcdef"[start >> 4 * (digits - 1 - i) & 0xf];
        return symbol_table_put(t, offset, size, SYMBOL_RANK_FRAME, name->text, name->prefix + digits);
}

static int add_functions(SymbolTable *t, const ElfImage *e, const ElfSection *section, const char *file) {
        Frames f = { .section = section, .common = SIZE_MAX };
        FunctionName name;
        Bytes left = { section->data, section->data + section->size }, b;
        const uint8_t *id_at;
        uint32_t id;
        int r = 0;

        name.prefix = (size_t) snprintf(name.text, sizeof(name.text), "%.*s+0x", (int) NAME_MAX_BYTES, file);
        while (r >= 0 && frames_next_entry(&left, &b, &id, &id_at)) {
                size_t place = (size_t) (id_at - section->data);
                uint64_t start, size;

                if (id > 0 && id <= place && read_function(&f, b, place - id, &start, &size))
                        r = add_function(t, e, &name, start, size);
        }
        return r == -E2BIG ? 0 : r;
}

int symbol_table_add_frames(SymbolTable *t, ElfImage *e, const char *file) {
        _cleanup_(elf_section_done) ElfSection frames = ELF_SECTION_EMPTY;
        GElf_Shdr header;
        Elf_Scn *section = e->header.e_type != ET_REL ? elf_image_section(e, ".eh_frame", &header) : NULL;
        int r;

        if (!section || e->header.e_ident[EI_DATA] != THIS_ORDER)
                return 0;
        r = elf_section_read(&frames, e, section, ELF_T_BYTE);
        if (r < 0)
                return r == -ENOMEM ? r : 0;
        return add_functions(t, e, &frames, file);
}
