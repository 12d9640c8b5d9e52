/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "elf-image.h"
#include "frame-bytes.h"

/* A section of call frame information, .eh_frame or .debug_frame: the entry of an address is found in it (DWARF 5, 6.4.1; Linux
 * Standard Base 5, 10.6). Zero-initialise. */
typedef struct FramePlace {
        uint64_t start;  /* the first address of an entry */
        uint64_t offset; /* of the entry in the section */
} FramePlace;

typedef struct FrameSection {
        ElfSection section;
        bool eh;            /* .eh_frame */
        ElfSection table;   /* .eh_frame_hdr, if it is one for binary search */
        FramePlace *places; /* otherwise all entries, by start */
        size_t n_places, places_allocated;
} FrameSection;

/* The entry of a function, and what it has in common with others. */
typedef struct FrameEntry {
        uint64_t start, end;  /* addresses as linked */
        uint64_t code_unit;
        int64_t data_unit;
        bool signal;
        FrameBytes begin, program; /* instructions */
} FrameEntry;

void frame_section_done(FrameSection *s);

/* Takes the section of that image. 1; 0: there is none, or it is above the limits; -ENOMEM. */
int frame_section_open(FrameSection *s, ElfImage *e, bool eh);

/* Finds the entry of an address. False: there is none, or it is broken, for the addresses from ret->start to ret->end. */
bool frame_section_find(const FrameSection *s, uint64_t address, FrameEntry *ret);
