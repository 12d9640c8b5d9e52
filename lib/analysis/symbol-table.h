/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* The functions of one binary, of one process's generated code, or of the kernel: ranges of addresses with names. What
 * an address means is the loader's to say: of an ELF file the offset in it, else what the processor sees. */
typedef struct SymbolTable SymbolTable;

typedef struct Symbol {
        uint64_t start, end; /* end is outside */
        const char *name;    /* the table's */
} Symbol;

/* Which of several names at one address is shown: the highest. */
typedef enum SymbolRank {
        SYMBOL_RANK_MADE, /* no name of the binary's own, as that of a PLT's entry */
        SYMBOL_RANK_UNTYPED,
        SYMBOL_RANK_LOCAL,
        SYMBOL_RANK_WEAK,
        SYMBOL_RANK_GLOBAL,
        _SYMBOL_RANK_MAX,
} SymbolRank;

#define SYMBOL_TABLE_MAX (8u << 20)              /* symbols */
#define SYMBOL_TABLE_NAMES_MAX (UINT32_C(256) << 20) /* bytes */

int symbol_table_new(SymbolTable **ret);
SymbolTable *symbol_table_free(SymbolTable *t);
DEFINE_CLEANUP(SymbolTable *, symbol_table_free);

/* size 0: up to the next one. The name is copied. 0; -E2BIG (the limits above), -ENOMEM. */
int symbol_table_put(SymbolTable *t, uint64_t start, uint64_t size, SymbolRank rank, const char *name, size_t name_size);

/* Of several names at one address the one that was put last is shown, whatever its rank: code that was replaced.
 * Before the first one is put. */
void symbol_table_set_last_wins(SymbolTable *t);

/* After the last one was put, and before one is looked for. */
void symbol_table_settle(SymbolTable *t);

/* The symbol that the address is in; where one lies in another, the inner one. */
bool symbol_table_find(const SymbolTable *t, uint64_t address, Symbol *ret);

size_t symbol_table_memory(const SymbolTable *t); /* bytes that it takes */

/* In ascending order, one for each address that a symbol begins at. */
size_t symbol_table_size(const SymbolTable *t);
void symbol_table_get(const SymbolTable *t, size_t i, Symbol *ret);
