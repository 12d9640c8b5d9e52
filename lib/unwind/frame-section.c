/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* .eh_frame_hdr is a table for binary search, in the one form that linkers write. Without it, or in .debug_frame, all entries are
 * listed once, in the order of their addresses.
 *
 * Anyone can write these bytes: all is checked when it is read, each entry anew, and nothing is trusted to be sorted or whole. To
 * find an entry takes a number of steps that grows with the logarithm of the section. */

#include "frame-section.h"

#include <dwarf.h>
#include <stdlib.h>

#include "array.h"
#include "elf-content.h"

#define PLACES_MAX ((size_t) 1 << 20)
#define RETURN_ADDRESS 16u /* DWARF's number of rip */
#define TABLE_HEAD 12u

/* Pointers in .eh_frame: a format, and what they are relative to (LSB 5, 10.5). */
enum {
        POINTER_ABSOLUTE = 0x00, POINTER_ULEB = 0x01, POINTER_2 = 0x02, POINTER_4 = 0x03, POINTER_8 = 0x04,
        POINTER_SLEB = 0x09, POINTER_S2 = 0x0a, POINTER_S4 = 0x0b, POINTER_S8 = 0x0c, POINTER_FORMAT = 0x0f,
        POINTER_RELATIVE = 0x10, /* to the pointer itself */
        POINTER_TABLE = 0x30,    /* to .eh_frame_hdr */
        POINTER_NONE = 0xff,
};

/* An entry as it lies in the section, or the one that several refer to (common information entry). */
typedef struct RawEntry {
        FrameBytes bytes; /* behind the reference */
        bool common;
        uint64_t reference; /* the offset of the common one */
        uint64_t next;      /* the offset behind this entry */
} RawEntry;

typedef struct CommonEntry {
        uint64_t code_unit;
        int64_t data_unit;
        uint8_t encoding;
        bool augmented, signal;
        FrameBytes begin;
} CommonEntry;

void frame_section_done(FrameSection *s) {
        elf_section_done(&s->section);
        elf_section_done(&s->table);
        free(s->places);
        *s = (FrameSection) {};
}

/* False: no entry is there. */
static bool read_raw(const FrameSection *s, uint64_t offset, RawEntry *ret) {
        uint64_t length, id, position;
        size_t word = 4;
        FrameBytes b;

        if (offset >= s->section.size)
                return false;
        b = (FrameBytes) { .at = s->section.data + offset, .end = s->section.data + s->section.size };
        length = frame_bytes_unsigned(&b, 4);
        if (length == UINT32_MAX) {
                length = frame_bytes_unsigned(&b, 8);
                word = 8;
        }
        if (length == 0)
                return false;
        b = frame_bytes_take(&b, length);
        position = (uint64_t) (b.at - s->section.data);
        ret->next = position + length;
        if (s->eh)
                word = 4;
        id = frame_bytes_unsigned(&b, word);
        ret->common = s->eh ? id == 0 : id == (word == 4 ? UINT32_MAX : UINT64_MAX);
        ret->reference = s->eh ? position - id : id;
        ret->bytes = b;
        return !b.broken;
}

/* Returns a number as encoded there; b is in the section. */
static uint64_t read_pointer(const FrameSection *s, FrameBytes *b, uint8_t encoding) {
        uint64_t base = (encoding & ~POINTER_FORMAT) == POINTER_RELATIVE ?
                s->section.header.sh_addr + (uint64_t) (b->at - s->section.data) : 0;

        if (encoding & ~(POINTER_FORMAT | POINTER_RELATIVE))
                b->broken = true;
        switch (encoding & POINTER_FORMAT) {
        case POINTER_ABSOLUTE:
        case POINTER_8:
        case POINTER_S8:
                return base + frame_bytes_unsigned(b, 8);
        case POINTER_2:
                return base + frame_bytes_unsigned(b, 2);
        case POINTER_4:
                return base + frame_bytes_unsigned(b, 4);
        case POINTER_S2:
                return base + (uint64_t) frame_bytes_signed(b, 2);
        case POINTER_S4:
                return base + (uint64_t) frame_bytes_signed(b, 4);
        case POINTER_ULEB:
                return base + frame_bytes_uleb(b);
        case POINTER_SLEB:
                return base + (uint64_t) frame_bytes_sleb(b);
        default:
                b->broken = true;
                return 0;
        }
}

/* Letters say what the data of the augmentation are, as far as they are known; their length is known in any case. */
static void section_read_augmentation(const FrameSection *s, FrameBytes *b, const char *letters, CommonEntry *c) {
        FrameBytes data = frame_bytes_take(b, frame_bytes_uleb(b));

        c->augmented = true;
        for (letters++; *letters && !data.broken; letters++)
                switch (*letters) {
                case 'R':
                        c->encoding = (uint8_t) frame_bytes_unsigned(&data, 1);
                        break;
                case 'L':
                        (void) frame_bytes_unsigned(&data, 1);
                        break;
                case 'P': /* where it points to is of no interest: only how long it is */
                        (void) read_pointer(s, &data, frame_bytes_unsigned(&data, 1) & POINTER_FORMAT);
                        break;
                case 'S':
                        c->signal = true;
                        break;
                default:
                        return;
                }
}

static bool section_read_common(const FrameSection *s, uint64_t offset, CommonEntry *ret) {
        CommonEntry c = {};
        const char *letters;
        uint64_t version;
        RawEntry raw;
        FrameBytes b;

        if (!read_raw(s, offset, &raw) || !raw.common)
                return false;
        b = raw.bytes;
        version = frame_bytes_unsigned(&b, 1);
        letters = (const char *) b.at;
        (void) frame_bytes_take(&b, strnlen(letters, frame_bytes_left(&b)) + 1); /* a zero byte follows behind the section */
        if (b.broken || (*letters && *letters != 'z') || (version != 1 && version != 3 && version != 4))
                return false;
        if (version == 4 && (frame_bytes_unsigned(&b, 1) != sizeof(uint64_t) || frame_bytes_unsigned(&b, 1) != 0))
                return false;
        c.code_unit = frame_bytes_uleb(&b);
        c.data_unit = frame_bytes_sleb(&b);
        if ((version == 1 ? frame_bytes_unsigned(&b, 1) : frame_bytes_uleb(&b)) != RETURN_ADDRESS)
                return false;
        if (*letters)
                section_read_augmentation(s, &b, letters, &c);
        c.begin = b;
        *ret = c;
        return !b.broken;
}

static bool read_entry(const FrameSection *s, const RawEntry *raw, const CommonEntry *c, FrameEntry *ret) {
        FrameBytes b = raw->bytes;
        uint64_t start = read_pointer(s, &b, c->encoding), length = read_pointer(s, &b, c->encoding & POINTER_FORMAT);

        if (c->augmented)
                (void) frame_bytes_take(&b, frame_bytes_uleb(&b));
        *ret = (FrameEntry) {
                .start = start, .end = start + length, .code_unit = c->code_unit, .data_unit = c->data_unit, .signal = c->signal,
                .begin = c->begin, .program = b,
        };
        return !b.broken && length > 0 && ret->end > start;
}

static int section_compare_places(const void *a, const void *b) {
        const FramePlace *x = a, *y = b;

        if (x->start != y->start)
                return x->start < y->start ? -1 : 1;
        return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Entries mostly follow the one that they have in common. */
static int list_places(FrameSection *s) {
        uint64_t known = UINT64_MAX;
        CommonEntry common;
        FrameEntry entry;
        RawEntry raw;

        for (uint64_t at = 0; s->n_places < PLACES_MAX && read_raw(s, at, &raw); at = raw.next) {
                if (raw.common)
                        continue;
                if (raw.reference != known) {
                        known = UINT64_MAX;
                        if (!section_read_common(s, raw.reference, &common))
                                continue;
                        known = raw.reference;
                }
                if (!read_entry(s, &raw, &common, &entry))
                        continue;
                if (ARRAY_RESERVE(s->places, s->places_allocated, s->n_places + 1) < 0)
                        return -ENOMEM;
                s->places[s->n_places++] = (FramePlace) { .start = entry.start, .offset = at };
        }
        qsort(s->places, s->n_places, sizeof(*s->places), section_compare_places);
        return 0;
}

/* Version 1; a pointer to .eh_frame of 4 bytes, a number of 4 bytes, and pairs of addresses of 4 bytes relative to the table. */
static int open_table(FrameSection *s, ElfImage *e) {
        static const uint8_t forms[] = { 1, POINTER_RELATIVE | POINTER_S4, POINTER_4, POINTER_TABLE | POINTER_S4 };
        GElf_Shdr header;
        Elf_Scn *section = elf_image_section(e, ".eh_frame_hdr", &header);
        int r = section ? elf_section_read(&s->table, e, section, ELF_T_BYTE) : -ENODATA;

        if (r >= 0 && (s->table.size <= TABLE_HEAD || memcmp(s->table.data, forms, sizeof(forms)) != 0))
                elf_section_done(&s->table);
        return r == -ENOMEM ? r : 0;
}

int frame_section_open(FrameSection *s, ElfImage *e, bool eh) {
        GElf_Shdr header;
        Elf_Scn *section = elf_content_section(e, eh ? ".eh_frame" : ".debug_frame", &header);
        int r = section ? elf_content_read(&s->section, e, section, ELF_SECTION_MAX) : -ENODATA;

        s->eh = eh;
        if (r >= 0 && eh)
                r = open_table(s, e);
        if (r >= 0 && !s->table.data)
                r = list_places(s);
        if (r < 0)
                frame_section_done(s);
        return r < 0 ? (r == -ENOMEM ? r : 0) : 1;
}

static FramePlace table_place(const FrameSection *s, size_t i) {
        uint64_t base = s->table.header.sh_addr;
        int32_t pair[2];

        memcpy(pair, s->table.data + TABLE_HEAD + 8 * i, sizeof(pair));
        return (FramePlace) {
                .start = base + (uint64_t) (int64_t) pair[0],
                .offset = base + (uint64_t) (int64_t) pair[1] - s->section.header.sh_addr,
        };
}

static FramePlace section_place(const FrameSection *s, size_t i) {
        return s->table.data ? table_place(s, i) : s->places[i];
}

/* The entries around an address: the last one that does not begin behind it, and the next. */
static bool section_find_place(const FrameSection *s, uint64_t address, FramePlace *ret, uint64_t *ret_next) {
        size_t low = 0, n = s->n_places, high;
        uint32_t length;

        if (s->table.data) {
                memcpy(&length, s->table.data + 8, sizeof(length));
                n = MIN_OF((size_t) length, (s->table.size - TABLE_HEAD) / 8);
        }
        high = n;
        while (low < high) {
                size_t middle = low + (high - low) / 2;

                if (section_place(s, middle).start <= address)
                        low = middle + 1;
                else
                        high = middle;
        }
        *ret_next = low < n ? section_place(s, low).start : UINT64_MAX;
        if (low > 0)
                *ret = section_place(s, low - 1);
        return low > 0;
}

bool frame_section_find(const FrameSection *s, uint64_t address, FrameEntry *ret) {
        FramePlace place = {};
        CommonEntry common;
        FrameEntry entry;
        uint64_t next;
        RawEntry raw;

        if (!section_find_place(s, address, &place, &next)) {
                *ret = (FrameEntry) { .end = next };
                return false;
        }
        if (!read_raw(s, place.offset, &raw) || raw.common || !section_read_common(s, raw.reference, &common) ||
            !read_entry(s, &raw, &common, &entry) || address < entry.start) {
                *ret = (FrameEntry) { .start = place.start, .end = next };
                return false;
        }
        *ret = entry;
        if (address < entry.end)
                return true;
        *ret = (FrameEntry) { .start = entry.end, .end = next };
        return false;
}
