/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dso-hits.h"
#include "hash-index.h"

/* Every binary that a recording has mapped, once per path and inode, numbered from 0 in the order they came. Long names have
 * three quarters of the room at most, so that whoever makes up many of them leaves some to the others. */
typedef struct DsoTable {
        DsoHit *dsos;    /* path NULL: the number is free */
        bool *hit;
        size_t n, allocated;
        size_t bytes;    /* of names and what belongs to them */
        uint32_t *spare; /* numbers that are free, to be given again; room for all */
        size_t n_spare;
        HashIndex index; /* of number + 1, by path and inode */
} DsoTable;

#define DSO_TABLE_MAX (1u << 20)
#define DSO_TABLE_BYTES_MAX ((size_t) 64 * 1024 * 1024)
#define DSO_TABLE_LONG_NAME 512u /* bytes */
#define DSO_NONE UINT32_MAX

void dso_table_done(DsoTable *t);

/* The number of that binary, which is added (its path copied) if it is new; its pid becomes that of dso.
 * -ENOSPC beyond DSO_TABLE_MAX and DSO_TABLE_BYTES_MAX, -ENOMEM. */
int dso_table_intern(DsoTable *t, const DsoHit *dso, uint32_t *ret);

/* Forgets what is neither used (a byte for each of t->n numbers) nor hit; those numbers are given again. */
void dso_table_sweep(DsoTable *t, const bool *used);
