/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "build-id.h"

/* Finds the NT_GNU_BUILD_ID note among ELF notes. -ENODATA: there is none. An id of more than 20 bytes is cut, as perf
 * does. */
int build_id_from_notes(const void *notes, size_t size, BuildId *ret);

/* Reads the build id of an ELF file (32 or 64 bits, this machine's byte order) from the notes of its program headers,
 * otherwise from those of its sections. Only the headers and notes are read. -ENOEXEC (no ELF), -ENODATA (no id),
 * -EBADFD (no regular file), errors of open(2) and read(2). */
int build_id_of_file(int dir_fd, const char *path, BuildId *ret);
int build_id_of_fd(int fd, BuildId *ret);

/* Read the build id of the running kernel, or of a module, from root/sys/kernel/notes or
 * root/sys/module/NAME/notes. */
int build_id_of_kernel(const char *root, BuildId *ret);
int build_id_of_module(const char *root, const char *name, BuildId *ret);
