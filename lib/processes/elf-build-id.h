/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "build-id.h"

/* The NT_GNU_BUILD_ID note among ELF notes. -ENODATA: there is none. A longer id than 20 bytes is cut, as perf does. */
int build_id_from_notes(const void *notes, size_t size, BuildId *ret);

/* Of an ELF file (32 or 64 bits, this machine's byte order): program headers' notes, else the section
 * .note.gnu.build-id. Reads the headers and the note only. -ENOEXEC (no ELF), -ENODATA (no id), -EBADFD (no regular
 * file), what open(2) and read(2) answer. */
int build_id_of_file(int dir_fd, const char *path, BuildId *ret);
int build_id_of_fd(int fd, BuildId *ret);

/* Of the running kernel and of a module, from root/sys/kernel/notes and root/sys/module/NAME/notes. */
int build_id_of_kernel(const char *root, BuildId *ret);
int build_id_of_module(const char *root, const char *name, BuildId *ret);
