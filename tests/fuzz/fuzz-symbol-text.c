/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Any bytes as the text of a perf map and of kallsyms: names lie within the text and have no character that breaks a
 * line, and a symbol that is found contains the address. */

#include <string.h>

#include "fuzz.h"
#include "symbol-text.h"

static void check_line(const char *text, size_t size, const SymbolLine *l) {
        if (l->name_size == 0)
                return;
        FUZZ_ASSERT(l->name >= text && l->name + l->name_size <= text + size);
        for (size_t i = 0; i < l->name_size; i++)
                FUZZ_ASSERT((unsigned char) l->name[i] >= ' ' && l->name[i] != 0x7f);
        FUZZ_ASSERT(!l->module || (l->module >= text && l->module + l->module_size <= text + size));
}

static void ask(SymbolTable *t) {
        Symbol s, found;

        symbol_table_sort(t);
        for (size_t i = 0; i < symbol_table_size(t); i++) {
                symbol_table_get(t, i, &s);
                FUZZ_ASSERT(s.start < s.end);
                FUZZ_ASSERT(symbol_table_find(t, s.start, &found) && found.start == s.start);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_(symbol_table_freep) SymbolTable *map = NULL, *kernel = NULL;
        const char *text = (const char *) data;
        SymbolLine l;

        FUZZ_ASSERT(symbol_table_new(&map) == 0 && symbol_table_new(&kernel) == 0);
        for (size_t cursor = 0; perf_map_next(text, size, &cursor, &l) == 1;)
                check_line(text, size, &l);
        for (size_t cursor = 0; kallsyms_next(text, size, &cursor, &l) == 1;)
                check_line(text, size, &l);
        FUZZ_ASSERT(symbol_table_add_perf_map(map, text, size) == 0);
        FUZZ_ASSERT(symbol_table_add_kallsyms(kernel, text, size, 0) == 0);
        ask(map);
        ask(kernel);
        return 0;
}
