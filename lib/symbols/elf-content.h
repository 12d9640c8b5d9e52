/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "elf-image.h"

/* Sections of debug information may be compressed, in the form of the ELF specification (SHF_COMPRESSED) or in an older one of GNU
 * binutils, which has names that begin with ".z". A few kilobytes can promise gigabytes; honest ones become three to ten times as
 * large, so there is a limit in proportion. */
#define ELF_CONTENT_RATIO_MAX 100u               /* bytes that a compressed byte may become … */
#define ELF_CONTENT_FREE (UINT64_C(1) << 20)     /* … beyond this many */

/* Finds a section of debug information by its name (".debug_info"), or its older compressed form (".zdebug_info"). NULL: there is
 * neither. */
Elf_Scn *elf_content_section(const ElfImage *e, const char *name, GElf_Shdr *ret);

/* Returns whether a section of that name is in the older compressed form, and the part of it behind the "z". */
bool elf_content_is_old(const char *name, const char **ret);

/* Reads the bytes of a section, uncompressed: at most max of them, which count for e->left too. s->header is that of the section,
 * without SHF_COMPRESSED. -ENODATA: it has no contents, lies in a hole, or is longer than the file; -EFBIG: above the limits;
 * -EBADMSG: it is broken; -EOPNOTSUPP: its compression is not known; -ENOMEM and errors of pread(2). */
int elf_content_read(ElfSection *s, ElfImage *e, Elf_Scn *section, uint64_t max);
