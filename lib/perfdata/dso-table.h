/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dso-hits.h"

/* Every binary that a recording has mapped, once per path and inode, numbered from 0 in the order they came. */
typedef struct DsoTable {
        DsoHit *dsos;
        bool *hit;
        size_t n, allocated;
        uint32_t *slots; /* number + 1 by hash; 0: free */
        size_t n_slots;  /* a power of two */
} DsoTable;

#define DSO_TABLE_MAX (1u << 20)
#define DSO_NONE UINT32_MAX

void dso_table_done(DsoTable *t);

/* The number of that binary, which is added (its path copied) if it is new; its pid becomes that of dso.
 * -ENOSPC beyond DSO_TABLE_MAX, -ENOMEM. */
int dso_table_intern(DsoTable *t, const DsoHit *dso, uint32_t *ret);
