/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "build-id.h"
#include "elf-image.h"

/* A binary reduced to its symbols: an ELF file with the same segments and sections of code at the same addresses,
 * without their contents, its functions' symbols, the names of its calls into other libraries, and its build id;
 * without .symtab also where its
 * functions begin (.eh_frame), and .gnu_debugdata.
 * Readers of recordings take it in place of the binary (perf report --symfs). */

/* Writes it to out, which is empty. separate: the file of its debug symbols, or NULL. max: bytes; if .symtab would
 * exceed it, only exported symbols are written. *ret_size: bytes written. 0; -EFBIG (the exported ones exceed it too;
 * nothing was written), -E2BIG (the only symbols have names above ELF_NAME_MAX or tables above what max permits),
 * -EBADMSG (their tables are broken), -ENODATA (no symbols), -ENOMEM, an error of write(2). */
int symbol_file_write(ElfImage *e, ElfImage *separate, int out, uint64_t max, uint64_t *ret_size);

/* Writes the same for the running kernel without its modules, from the text of /proc/kallsyms: an ELF file with the
 * addresses at which the kernel runs, to be named vmlinux. like: a file of this machine's kind. -ENODATA: the text has
 * no addresses. */
int symbol_file_write_kernel(const char *kallsyms, size_t size, const BuildId *id, const ElfImage *like, int out, uint64_t max,
                             uint64_t *ret_size);
