/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* The type information (BTF) that programs were loaded with: it has the names of their functions, and source lines for
 * readers of the file. */
typedef struct BpfTypes {
        uint32_t id;
        uint32_t size;
        void *data; /* as the kernel returns it */
} BpfTypes;

/* -ENOENT: it was unloaded in the meantime; -EPERM; -ENOMEM. */
int bpf_types_read(uint32_t id, BpfTypes *ret);
void bpf_types_done(BpfTypes *t);

/* Returns the name of type number type_id, in t; NULL: it has none, or does not exist. */
const char *bpf_types_name(const BpfTypes *t, uint32_t type_id);
