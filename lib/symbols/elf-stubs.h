/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "elf-image.h"

/* The stubs by which a file calls other libraries (x86-64, arm64): those of .plt or .plt.sec, and those of .plt.got, which call
 * functions whose address the file takes, too. */
typedef struct ElfStub {
        uint64_t address, size; /* as linked */
        uint64_t slot;          /* that has the function's address, which the stub jumps to */
        uint64_t symbol;        /* of .dynsym; 0: the function is chosen when the file is loaded */
        uint64_t chooser;       /* in this case: the address of the one that chooses */
} ElfStub;

/* Zero-initialise. */
typedef struct ElfStubs {
        ElfSection entries, names; /* .dynsym */
        ElfStub *stubs;
        size_t n, allocated;
} ElfStubs;

#define ELF_STUBS_MAX (1u << 20)
#define ELF_STUB_NAME_MAX 512u /* bytes; a stub of a longer name has none */

/* The section of a file of symbols (symbol-file.h) in the place of .plt.got, which tells the function of a stub by its code: a
 * relocation for each, whose offset is the stub's address, and whose addend its size. */
#define ELF_STUBS_NOTED ".perf-recorder.stubs"

/* 0, -ENOMEM; broken parts are ignored. Done after a failure too. */
int elf_stubs_read(ElfStubs *s, ElfImage *e);
/* Only those of .plt.got. */
int elf_stubs_read_got(ElfStubs *s, ElfImage *e);
void elf_stubs_done(ElfStubs *s);

/* Writes "FUNCTION@plt"; of a function that is chosen when the file is loaded the name of objdump and of newer versions of perf,
 * "*ABS*+0x9f550@plt". False: the name is not known, or too long. */
bool elf_stub_name(const ElfStubs *s, size_t i, char name[static ELF_STUB_NAME_MAX]);
