/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"

/* The functions of a program or library: offsets in its file, which the kernel needs for a uprobe. */

typedef struct ElfFile ElfFile;

/* Opens a regular file that is a program, library or object of the running system. -ENOENT …: as open(2); -ENOEXEC:
 * not one; d is filled. */
int elf_file_open(const char *path, ElfFile **ret, Diagnosis *d);
ElfFile *elf_file_free(ElfFile *f);
DEFINE_CLEANUP(ElfFile *, elf_file_free);

typedef struct ElfFunction {
        uint64_t offset; /* in the file */
        uint64_t size;   /* bytes; 0: not known */
} ElfFunction;

/* Finds the function of that name in .symtab or .dynsym, with or without its version ("malloc", "malloc@@GLIBC_2.2.5";
 * of several versions the default one). -ENOENT: there is none; -EOPNOTSUPP: it cannot be probed (chosen at run time,
 * imported, data); -ENOTUNIQ: several have the name; d names them, or similar ones. */
int elf_file_find_function(const ElfFile *f, const char *name, ElfFunction *ret, Diagnosis *d);

/* Finds the function that the byte at offset belongs to; *ret_name is a new string. False: not known. */
bool elf_file_function_at(const ElfFile *f, uint64_t offset, ElfFunction *ret, char **ret_name);

bool elf_file_is_code(const ElfFile *f, uint64_t offset);
bool elf_file_is_go(const ElfFile *f); /* compiled by Go */
