/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* The type information (BTF) that programs were loaded with: names of their functions, and lines for whoever reads the
 * file later. */
typedef struct BpfTypes {
        uint32_t id;
        uint32_t size;
        void *data; /* as the kernel gives it out */
} BpfTypes;

/* -ENOENT: unloaded meanwhile; -EPERM; -ENOMEM. */
int bpf_types_read(uint32_t id, BpfTypes *ret);
void bpf_types_done(BpfTypes *t);

/* The name of type number type_id, in t; NULL: it has none, or is not there. */
const char *bpf_types_name(const BpfTypes *t, uint32_t type_id);
