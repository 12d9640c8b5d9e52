/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Machine code as text, in the words of objdump(1). */
typedef enum InstructionType {
        INSTRUCTION_OTHER,
        INSTRUCTION_JUMP,
        INSTRUCTION_CALL,
        INSTRUCTION_RETURN,
        INSTRUCTION_NOTHING, /* nop and its longer forms */
} InstructionType;

typedef struct Instruction {
        uint64_t address;
        uint64_t target;    /* of a jump or call; 0: it depends on registers or memory */
        uint64_t reference; /* address of data that it refers to by its own place; 0: none */
        unsigned size;
        InstructionType type;
        char mnemonic[32];
        char operands[128]; /* without a target */
} Instruction;

typedef struct Disassembly {
        Instruction *instructions; /* in the order of addresses, without gaps; what is no instruction is ".byte" */
        size_t n, allocated;
} Disassembly;

#define DISASSEMBLY_CODE_MAX (1u << 20) /* bytes of a function; an interpreter's loop has less than a tenth of it */

/* The syntaxes of x86; other machines have one. */
typedef enum DisassemblySyntax {
        DISASSEMBLY_ATT,
        DISASSEMBLY_INTEL,
} DisassemblySyntax;

/* machine: of the ELF header. The code may be any bytes. 0; -EOPNOTSUPP: this machine's code is not known, -EFBIG, -ENOMEM. d is
 * initialised, and done after a failure too. */
int disassembly_init(Disassembly *d, unsigned machine, DisassemblySyntax syntax, const uint8_t *code, size_t size,
                     uint64_t address);
void disassembly_done(Disassembly *d);
