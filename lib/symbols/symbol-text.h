/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "symbol-table.h"

/* Symbols as text, one a line. Lines of another form are ignored: the writer may not have finished. size bytes of
 * text, which need no terminating zero. 0, -E2BIG, -ENOMEM. */

/* /tmp/perf-PID.map, as interpreters and virtual machines write it for the code that they generate (perf's
 * jit-interface.txt): "START SIZE NAME", hexadecimal. Writers only append, so that a later line removes what it covers from
 * earlier ones. */
int symbol_table_add_perf_map(SymbolTable *t, const char *text, size_t size);

/* /proc/kallsyms: "ADDRESS TYPE NAME[<tab>[MODULE]]"; only code. If the kernel hides addresses from the reader, all
 * are 0, and nothing is added. moved: how much further up the kernel was than this says; unless that is 0, modules are left out,
 * which do not move with it. */
int symbol_table_add_kallsyms(SymbolTable *t, const char *text, size_t size, uint64_t moved);

/* Returns the address of a symbol of the kernel itself. 0: there is none, or addresses are hidden. */
uint64_t kallsyms_find(const char *text, size_t size, const char *name);

/* One line of either. Both functions read the line at *cursor and move that behind it. 1, or 0 at the end of the text.
 * size 0 and an empty name: no symbol. */
typedef struct SymbolLine {
        uint64_t address, size; /* size of kallsyms: 0 */
        char type;              /* of kallsyms, as nm(1) has it */
        const char *name;       /* of name_size bytes, in the text */
        size_t name_size;
        const char *module;     /* of kallsyms; NULL: the kernel itself */
        size_t module_size;
} SymbolLine;

int perf_map_next(const char *text, size_t size, size_t *cursor, SymbolLine *ret);
int kallsyms_next(const char *text, size_t size, size_t *cursor, SymbolLine *ret);

static inline bool symbol_line_is_code(const SymbolLine *l) {
        return l->type == 't' || l->type == 'T' || l->type == 'w' || l->type == 'W';
}
