/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* The names of a large table of symbols, which stay in their file: those that are asked for are read, and kept. */
typedef struct NameFile NameFile;

/* The bytes of the names lie there in the file, whose descriptor is duplicated. -ENOMEM and others. */
int name_file_new(int fd, uint64_t offset, uint64_t size, NameFile **ret);
NameFile *name_file_free(NameFile *f);
DEFINE_CLEANUP(NameFile *, name_file_free);

/* Reads the name at an offset from the first one into the buffer; "" if there is none, or it is longer. */
void name_file_read(const NameFile *f, uint64_t offset, char *buf, size_t size);

/* Returns the name, which stays valid as long as f. NULL: there is none, or no memory. */
const char *name_file_get(NameFile *f, uint64_t offset);
