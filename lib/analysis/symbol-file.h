/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "build-id.h"
#include "elf-image.h"

/* What is left of a binary when only its symbols matter: an ELF file with the same segments and sections of code at
 * the same addresses, without their contents, its functions' symbols, what tells the names of calls into other
 * libraries, and its build id. Readers of recordings take it in place of the binary (perf report --symfs). */

/* Writes it to out, which is empty. separate: the file of its debug symbols, or NULL. max: bytes; where .symtab would
 * make it more, what is exported alone goes into it. *ret_size: bytes written. 0; -EFBIG (even so it would be more;
 * nothing was written), -ENODATA (no symbols), -ENOMEM, what write(2) answers. */
int symbol_file_write(ElfImage *e, ElfImage *separate, int out, uint64_t max, uint64_t *ret_size);

/* The same of the running kernel, its modules excepted, made of the text of /proc/kallsyms: an ELF file at the
 * addresses that it runs at, to be named vmlinux. like: a file of this machine's kind. -ENODATA: the text has no
 * addresses of it. */
int symbol_file_write_kernel(const char *kallsyms, size_t size, const BuildId *id, const ElfImage *like, int out, uint64_t max,
                             uint64_t *ret_size);
