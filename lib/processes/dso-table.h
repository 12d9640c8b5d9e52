/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dso-hits.h"
#include "hash-index.h"

/* Every binary that a recording has mapped, once per path and inode, numbered from 0 in the order in which they came.
 * Long names get at most three quarters of the room, so that a process that makes up many of them leaves some to
 * others. */
typedef struct DsoTable {
        DsoHit *dsos;    /* path NULL: the number is free */
        bool *hit;
        size_t n, allocated;
        size_t bytes;    /* of names and elements */
        uint32_t *spare; /* free numbers, to be given again; room for all */
        size_t n_spare;
        HashIndex index; /* of number + 1, by path and inode */
} DsoTable;

#define DSO_TABLE_MAX (1u << 20)
#define DSO_TABLE_BYTES_MAX ((size_t) 64 * 1024 * 1024)
#define DSO_TABLE_LONG_NAME 512u /* bytes */
#define DSO_NONE UINT32_MAX

void dso_table_done(DsoTable *t);

/* Returns the number of that binary, which is added with a copy of its path if it is new; its pid becomes that of dso.
 * -ENOSPC beyond DSO_TABLE_MAX and DSO_TABLE_BYTES_MAX, -ENOMEM. */
int dso_table_intern(DsoTable *t, const DsoHit *dso, uint32_t *ret);

/* Has binaries that come from now on get numbers of their own, also if they equal some that are there. */
void dso_table_forget(DsoTable *t);

/* Removes binaries that are neither used (an element for each of t->n numbers) nor hit; their numbers are given
 * again. */
void dso_table_sweep(DsoTable *t, const bool *used);
