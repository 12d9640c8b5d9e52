/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* The functions of one binary, of one process's generated code, or of the kernel: ranges of addresses with names. The
 * loader defines what an address is: for an ELF file the offset in it, otherwise the processor's address. */
typedef struct SymbolTable SymbolTable;

typedef struct Symbol {
        uint64_t start, end; /* end is exclusive */
        const char *name;    /* the table's */
} Symbol;

/* The name of the highest rank is shown of several at one address. The order is perf's. */
typedef enum SymbolRank {
        SYMBOL_RANK_FRAME, /* a function without a symbol: only where nothing else is */
        SYMBOL_RANK_MADE, /* not in the binary itself, as that of a PLT's entry */
        SYMBOL_RANK_UNTYPED,
        SYMBOL_RANK_WEAK,
        SYMBOL_RANK_LOCAL,
        SYMBOL_RANK_GLOBAL,
        _SYMBOL_RANK_MAX,
} SymbolRank;

#define SYMBOL_TABLE_MAX (8u << 20)              /* symbols */
#define SYMBOL_TABLE_NAMES_MAX (UINT32_C(256) << 20) /* bytes */

int symbol_table_new(SymbolTable **ret);
SymbolTable *symbol_table_free(SymbolTable *t);
DEFINE_CLEANUP(SymbolTable *, symbol_table_free);

/* size 0: not known; the symbol ends at the next one. The name is copied. 0; -E2BIG (the limits above), -ENOMEM. */
int symbol_table_put(SymbolTable *t, uint64_t start, uint64_t size, SymbolRank rank, const char *name, size_t name_size);

/* The same for a symbol whose size is not known, and which ends before limit in any case. */
int symbol_table_put_open(SymbolTable *t, uint64_t start, uint64_t limit, SymbolRank rank, const char *name, size_t name_size);

/* Has names stay in a file, where they lie one behind the other; those that are asked for are read. A table has one such file:
 * -EEXIST. -ENOMEM and others. */
int symbol_table_set_file(SymbolTable *t, int fd, uint64_t offset, uint64_t size);
/* Puts a symbol whose name is in that file, at an offset from the first one. limit: as above, if the size is 0. */
int symbol_table_put_in_file(SymbolTable *t, uint64_t start, uint64_t size, uint64_t limit, SymbolRank rank, uint32_t name);
/* Reads a name of the file; "" if there is none. */
void symbol_table_read_name(const SymbolTable *t, uint32_t name, char *buf, size_t size);

/* Traits of a table, which it has before it is sorted. */
typedef enum SymbolTableTrait {
        SYMBOLS_LAST_WINS = 1 << 0,     /* of several names at one address the last one is shown, of any rank: replaced code */
        SYMBOLS_NEWEST_COVERS = 1 << 1, /* and a later symbol removes what it covers from earlier ones, also a part of one: memory
                                         * that is used again for other code; all symbols must have a size */
        SYMBOLS_LABELS_INSIDE = 1 << 2, /* untyped names within a function whose size is known are labels, and belong to it */
        SYMBOLS_INCOMPLETE = 1 << 3,    /* functions between the symbols have none, as in a stripped file: a symbol without a size
                                         * has its first byte only, unless a frame says how long it is */
        SYMBOLS_LIMITED = 1 << 4,       /* symbols were left out because of a limit */
} SymbolTableTrait;

void symbol_table_add_trait(SymbolTable *t, SymbolTableTrait trait);
bool symbol_table_has_trait(const SymbolTable *t, SymbolTableTrait trait);

/* Sorts the table. Call it after the last symbol is put and before the first is looked up. */
void symbol_table_sort(SymbolTable *t);

/* Finds the symbol that the address is in; if symbols are nested, the inner one. False also if its name cannot be read any more. */
bool symbol_table_find(const SymbolTable *t, uint64_t address, Symbol *ret);

size_t symbol_table_memory(const SymbolTable *t); /* bytes that it uses */

/* Symbols are in ascending order, one for each address at which a symbol begins. */
size_t symbol_table_size(const SymbolTable *t);
void symbol_table_get(const SymbolTable *t, size_t i, Symbol *ret);
