/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Symbols are a sorted array with all names in one block: a kernel has a hundred thousand, a browser a million. A name
 * that several symbols have is stored several times. A symbol without a size ends where the next one begins, unless
 * that is so far away that there must be a hole between them. */

#include "symbol-table.h"

#include "array.h"

#define OPEN_SIZE_MAX (UINT64_C(1) << 20) /* of a symbol whose size is not known */
#define PAGE 4096u
#define ENCLOSING_MAX 64u /* symbols before an address that are searched for one that reaches over it */

typedef struct Entry {
        uint64_t start, end;
        uint32_t name; /* offset in names */
        uint8_t rank;
        bool open;     /* the size is not known */
} Entry;

struct SymbolTable {
        Entry *entries;
        size_t n, allocated;
        char *names;
        size_t names_size, names_allocated;
        bool last_wins;
};

int symbol_table_new(SymbolTable **ret) {
        SymbolTable *t = calloc(1, sizeof(*t));

        if (!t)
                return -ENOMEM;
        *ret = t;
        return 0;
}

SymbolTable *symbol_table_free(SymbolTable *t) {
        if (!t)
                return NULL;
        free(t->entries);
        free(t->names);
        free(t);
        return NULL;
}

void symbol_table_set_last_wins(SymbolTable *t) {
        t->last_wins = true;
}

/* The allocation is a power of two, as the limit is, so that the last growth does not go far beyond it. */
static int reserve_names(SymbolTable *t, size_t size) {
        size_t room = MAX_OF(t->names_allocated, (size_t) 4096);

        while (room < size)
                room *= 2;
        if (size <= t->names_allocated)
                return 0;
        if (ARRAY_RESIZE(t->names, room) < 0)
                return -ENOMEM;
        t->names_allocated = room;
        return 0;
}

int symbol_table_put(SymbolTable *t, uint64_t start, uint64_t size, SymbolRank rank, const char *name, size_t name_size) {
        if (t->n >= SYMBOL_TABLE_MAX || name_size >= SYMBOL_TABLE_NAMES_MAX - t->names_size)
                return -E2BIG;
        if (ARRAY_RESERVE(t->entries, t->allocated, t->n + 1) < 0 || reserve_names(t, t->names_size + name_size + 1) < 0)
                return -ENOMEM;
        t->entries[t->n++] = (Entry) {
                .start = start, .end = size <= UINT64_MAX - start ? start + size : UINT64_MAX,
                .name = (uint32_t) t->names_size, .rank = (uint8_t) rank, .open = size == 0,
        };
        memcpy(t->names + t->names_size, name, name_size);
        t->names[t->names_size + name_size] = '\0';
        t->names_size += name_size + 1;
        return 0;
}

/* Orders names at one address so that the one to be shown comes first: one with a size, of the higher rank, with fewer
 * leading underscores, put earlier. */
static int compare_entries(const void *a, const void *b, void *userdata) {
        const SymbolTable *t = userdata;
        const Entry *x = a, *y = b;
        size_t left, right;

        if (x->start != y->start)
                return x->start < y->start ? -1 : 1;
        if (t->last_wins)
                return x->name > y->name ? -1 : x->name < y->name;
        if (x->open != y->open)
                return x->open ? 1 : -1;
        if (x->rank != y->rank)
                return x->rank > y->rank ? -1 : 1;
        left = strspn(t->names + x->name, "_");
        right = strspn(t->names + y->name, "_");
        if (left != right)
                return left < right ? -1 : 1;
        return x->name < y->name ? -1 : x->name > y->name;
}

static void entry_close(Entry *e, const Entry *next) {
        uint64_t page_end = (e->start | (PAGE - 1)) + 1;

        if (next && next->start - e->start <= OPEN_SIZE_MAX)
                e->end = next->start;
        else
                e->end = page_end > e->start ? page_end : UINT64_MAX;
        e->open = false;
}

void symbol_table_sort(SymbolTable *t) {
        size_t n = 0;

        if (t->n == 0)
                return;
        qsort_r(t->entries, t->n, sizeof(*t->entries), compare_entries, t);
        for (size_t i = 0; i < t->n; i++)
                if (n == 0 || t->entries[n - 1].start != t->entries[i].start)
                        t->entries[n++] = t->entries[i];
        t->n = n;
        for (size_t i = 0; i < n; i++)
                if (t->entries[i].open)
                        entry_close(t->entries + i, i + 1 < n ? t->entries + i + 1 : NULL);
}

void symbol_table_get(const SymbolTable *t, size_t i, Symbol *ret) {
        const Entry *e = t->entries + i;

        *ret = (Symbol) { .start = e->start, .end = e->end, .name = t->names + e->name };
}

bool symbol_table_find(const SymbolTable *t, uint64_t address, Symbol *ret) {
        size_t behind = LOWER_BOUND(t->n, k, t->entries[k].start <= address);

        for (size_t i = behind; i > 0 && behind - i < ENCLOSING_MAX; i--)
                if (address < t->entries[i - 1].end) {
                        symbol_table_get(t, i - 1, ret);
                        return true;
                }
        return false;
}

size_t symbol_table_size(const SymbolTable *t) {
        return t->n;
}

size_t symbol_table_memory(const SymbolTable *t) {
        return t->allocated * sizeof(*t->entries) + t->names_allocated;
}
