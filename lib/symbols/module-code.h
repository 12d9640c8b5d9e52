/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "elf-image.h"

/* Code of a kernel's module as its file has it. The kernel fills in what it refers to when it loads the module; the file says by
 * relocations what that is. */

/* A field of the code that refers to something. */
typedef struct ModuleReference {
        uint64_t offset;  /* of the field, from the start of the code */
        uint64_t value;   /* if inside: offset from the start of the module's memory; otherwise, how far behind the name it is */
        char *name;       /* of what is elsewhere, one line of valid UTF-8; NULL: inside */
        bool relative;    /* the distance to the end of its instruction counts too */
} ModuleReference;

typedef struct ModuleCode {
        uint8_t *bytes;
        ModuleReference *references; /* in the order of their offsets */
        size_t n, allocated;
} ModuleCode;

#define MODULE_REFERENCES_MAX (1u << 16) /* of a function; further ones are left out */

/* Reads size bytes of the code that were at the offset from the start of the module's memory, of which mapped bytes were mapped. 0;
 * -ENODATA: the file does not have them; -EBADMSG, -ENOMEM and others. c is initialised, and done after a failure too. */
int module_code_read(ModuleCode *c, ElfImage *e, uint64_t mapped, uint64_t offset, size_t size);
void module_code_done(ModuleCode *c);
