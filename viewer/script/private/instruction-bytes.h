/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "place-lookup.h"
#include "symbol-sources.h"

/* The instructions that samples of user space hit, as the binaries have them. */
typedef struct InstructionBytes InstructionBytes;

#define INSTRUCTION_BYTES_MAX 15u /* of an instruction of x86; others are shorter */

typedef struct InstructionCode {
        uint8_t size; /* 0: not known */
        uint8_t bytes[INSTRUCTION_BYTES_MAX];
        const char *text; /* in the words of objdump(1); NULL: not asked for */
} InstructionCode;

/* places and what the sources refer to must outlive it. texts: instructions get one. 0, -ENOMEM. */
int instruction_bytes_new(const PlaceLookup *places, const SymbolSources *sources, bool texts, InstructionBytes **ret);
InstructionBytes *instruction_bytes_free(InstructionBytes *b);
DEFINE_CLEANUP(InstructionBytes *, instruction_bytes_free);

/* Finds the instruction at a place, by its number. Valid until the next call. 0, -ENOMEM. */
int instruction_bytes_find(InstructionBytes *b, uint32_t place, const InstructionCode **ret);
