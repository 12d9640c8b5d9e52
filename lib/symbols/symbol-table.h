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

/* Has the name that was put last shown of several at one address, whatever its rank: code that was replaced. Call it
 * before the first one is put. */
void symbol_table_set_last_wins(SymbolTable *t);

/* The same, and a symbol that was put later removes what it covers from earlier ones, also a part of one: memory that is used
 * again for other code. All must have a size. */
void symbol_table_set_newest_covers(SymbolTable *t);

/* Has untyped names within a function whose size is known belong to that: they are labels in it. */
void symbol_table_set_labels_inside(SymbolTable *t);

/* Says whether functions between the symbols have none, as in a stripped file: a symbol without a size then has its first
 * byte only, unless a frame says how long it is. */
void symbol_table_set_incomplete(SymbolTable *t, bool incomplete);
bool symbol_table_is_incomplete(const SymbolTable *t);

/* Notes that symbols were left out because of a limit. */
void symbol_table_set_limited(SymbolTable *t);
bool symbol_table_is_limited(const SymbolTable *t);

/* Sorts the table. Call it after the last symbol is put and before the first is looked up. */
void symbol_table_sort(SymbolTable *t);

/* Finds the symbol that the address is in; if symbols are nested, the inner one. False also if its name cannot be read any more. */
bool symbol_table_find(const SymbolTable *t, uint64_t address, Symbol *ret);

size_t symbol_table_memory(const SymbolTable *t); /* bytes that it uses */

/* Symbols are in ascending order, one for each address at which a symbol begins. */
size_t symbol_table_size(const SymbolTable *t);
void symbol_table_get(const SymbolTable *t, size_t i, Symbol *ret);
