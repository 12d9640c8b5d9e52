/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Symbols are a sorted array with all names in one block: a kernel has a hundred thousand, a browser a million. A name
 * that several symbols have is stored several times. Names of a large file stay there (name-file.h). A symbol without a
 * size ends where the next one begins, unless that is so far away that there must be a hole between them, or the
 * functions between them are known to have no symbols.
 *
 * Names lie in the order in which they were put, so that the place of a name says which of two symbols is newer. */

#include "symbol-table.h"

#include "array.h"
#include "name-file.h"

#define OPEN_SIZE_MAX (UINT64_C(1) << 20) /* of a symbol whose size is not known */
#define PAGE 4096u
#define CROWD 16u         /* of more symbols at one address, names of the file are not compared: each costs a read */
#define ENCLOSING_MAX 64u /* symbols before an address that are searched for one that reaches over it */

typedef struct Entry {
        uint64_t start, end;
        uint32_t name; /* offset in names, or in the file */
        uint8_t rank;
        bool in_file;  /* the name is in the file */
        bool open;     /* the size is not known; end is where it ends at the latest */
} Entry;

struct SymbolTable {
        Entry *entries;
        size_t n, allocated;
        char *names;
        size_t names_size, names_allocated;
        NameFile *file;
        unsigned traits; /* SymbolTableTrait */
        bool crowded;
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
        name_file_free(t->file);
        free(t);
        return NULL;
}

void symbol_table_add_trait(SymbolTable *t, SymbolTableTrait trait) {
        t->traits |= trait;
}

bool symbol_table_has_trait(const SymbolTable *t, SymbolTableTrait trait) {
        return t->traits & trait;
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

static int table_put_entry(SymbolTable *t, const Entry *e) {
        if (t->n >= SYMBOL_TABLE_MAX)
                return -E2BIG;
        if (ARRAY_RESERVE(t->entries, t->allocated, t->n + 1) < 0)
                return -ENOMEM;
        t->entries[t->n++] = *e;
        return 0;
}

static int table_put_named(SymbolTable *t, Entry e, const char *name, size_t name_size) {
        int r = name_size >= SYMBOL_TABLE_NAMES_MAX - t->names_size ? -E2BIG : reserve_names(t, t->names_size + name_size + 1);

        e.name = (uint32_t) t->names_size;
        if (r >= 0)
                r = table_put_entry(t, &e);
        if (r < 0)
                return r;
        memcpy(t->names + t->names_size, name, name_size);
        t->names[t->names_size + name_size] = '\0';
        t->names_size += name_size + 1;
        return 0;
}

int symbol_table_put(SymbolTable *t, uint64_t start, uint64_t size, SymbolRank rank, const char *name, size_t name_size) {
        uint64_t end = size == 0 || size > UINT64_MAX - start ? UINT64_MAX : start + size;

        return table_put_named(t, (Entry) { .start = start, .end = end, .rank = (uint8_t) rank, .open = size == 0 }, name,
                               name_size);
}

int symbol_table_put_open(SymbolTable *t, uint64_t start, uint64_t limit, SymbolRank rank, const char *name, size_t name_size) {
        return table_put_named(t, (Entry) { .start = start, .end = limit, .rank = (uint8_t) rank, .open = true }, name, name_size);
}

int symbol_table_set_file(SymbolTable *t, int fd, uint64_t offset, uint64_t size) {
        return t->file ? -EEXIST : name_file_new(fd, offset, size, &t->file);
}

void symbol_table_read_name(const SymbolTable *t, uint32_t name, char *buf, size_t size) {
        name_file_read(t->file, name, buf, size);
}

int symbol_table_put_in_file(SymbolTable *t, uint64_t start, uint64_t size, uint64_t limit, SymbolRank rank, uint32_t name) {
        uint64_t end = size == 0 ? limit : size > UINT64_MAX - start ? UINT64_MAX : start + size;

        return table_put_entry(t, &(Entry) { .start = start, .end = end, .rank = (uint8_t) rank, .open = size == 0, .name = name,
                                             .in_file = true });
}

/* Finds what is compared of a name. A longer one of the file counts as empty. */
static void measure_name(const SymbolTable *t, const Entry *e, size_t *ret_underscores, size_t *ret_size) {
        char buf[512] = "";
        const char *name = buf;

        if (e->in_file && !t->crowded)
                name_file_read(t->file, e->name, buf, sizeof(buf));
        else if (!e->in_file)
                name = t->names + e->name;
        *ret_underscores = strspn(name, "_");
        *ret_size = strlen(name);
}

/* Orders names at one address so that the one to be shown comes first: one with a size, of the higher rank, with fewer
 * leading underscores, the longer one, put earlier: as perf chooses. */
static int table_compare_entries(const void *a, const void *b, void *userdata) {
        const SymbolTable *t = userdata;
        const Entry *x = a, *y = b;
        size_t left, right, left_size, right_size;

        if (x->start != y->start)
                return x->start < y->start ? -1 : 1;
        if (t->traits & (SYMBOLS_LAST_WINS | SYMBOLS_NEWEST_COVERS))
                return x->name > y->name ? -1 : x->name < y->name;
        if ((x->rank == SYMBOL_RANK_FRAME) != (y->rank == SYMBOL_RANK_FRAME))
                return x->rank == SYMBOL_RANK_FRAME ? 1 : -1;
        if (x->open != y->open)
                return x->open ? 1 : -1;
        if (x->rank != y->rank)
                return x->rank > y->rank ? -1 : 1;
        measure_name(t, x, &left, &left_size);
        measure_name(t, y, &right, &right_size);
        if (left != right)
                return left < right ? -1 : 1;
        if (left_size != right_size)
                return left_size > right_size ? -1 : 1;
        if (x->in_file != y->in_file)
                return x->in_file ? 1 : -1;
        return x->name < y->name ? -1 : x->name > y->name;
}

static void entry_close(Entry *e, const Entry *next, bool incomplete) {
        uint64_t end = (e->start | (PAGE - 1)) + 1;

        if (incomplete)
                end = e->start + 1;
        else if (next && next->start - e->start <= OPEN_SIZE_MAX)
                end = next->start;
        if (end <= e->start)
                end = UINT64_MAX;
        e->end = MIN_OF(e->end, end);
        e->open = false;
}

/* Keeps one entry for each address, and a frame's only outside of symbols; a symbol without a size has its frame's. Labels are
 * left out within functions whose size is known. */
static size_t choose_entries(Entry *entries, size_t n_all, bool labels_inside) {
        uint64_t covered = 0, functions = 0;
        size_t n = 0;

        for (size_t i = 0; i < n_all; i++) {
                Entry e = entries[i], *last = n > 0 && entries[n - 1].start == e.start ? entries + n - 1 : NULL;

                if (last && last->open && e.rank == SYMBOL_RANK_FRAME) {
                        last->end = e.end;
                        last->open = false;
                        covered = MAX_OF(covered, last->end);
                }
                if (last || (e.rank == SYMBOL_RANK_FRAME && e.start < covered) ||
                    (labels_inside && e.rank == SYMBOL_RANK_UNTYPED && e.start < functions))
                        continue;
                if (e.rank != SYMBOL_RANK_FRAME && !e.open)
                        covered = MAX_OF(covered, e.end);
                if (e.rank > SYMBOL_RANK_UNTYPED && !e.open)
                        functions = MAX_OF(functions, e.end);
                entries[n++] = e;
        }
        return n;
}

#define DIGITS sizeof(uint64_t) /* of an address, one byte each */

/* Sorts by address, digit by digit from the lowest one, so that entries of one address stay as they are. A digit that all have is
 * passed over, as most are. Returns the array that is sorted now. */
static Entry *sort_by_address(Entry *entries, Entry *room, size_t n) {
        size_t counts[DIGITS][256] = {};

        for (size_t i = 0; i < n; i++)
                for (size_t digit = 0; digit < DIGITS; digit++)
                        counts[digit][entries[i].start >> 8 * digit & 0xff]++;
        for (size_t digit = 0; digit < DIGITS; digit++) {
                size_t *places = counts[digit], before = 0;
                Entry *sorted = room;

                if (places[entries->start >> 8 * digit & 0xff] == n)
                        continue;
                for (size_t value = 0; value < 256; value++) {
                        size_t count = places[value];

                        places[value] = before;
                        before += count;
                }
                for (size_t i = 0; i < n; i++)
                        sorted[places[entries[i].start >> 8 * digit & 0xff]++] = entries[i];
                room = entries;
                entries = sorted;
        }
        return entries;
}

/* Call frame information alone has tens of thousands of functions, in no order. Without memory for another array it takes
 * longer. */
static void sort_entries(SymbolTable *t) {
        Entry *room = calloc(t->n, sizeof(*room)), *sorted;
        size_t end;

        t->crowded = !room;
        if (!room) {
                qsort_r(t->entries, t->n, sizeof(*t->entries), table_compare_entries, t);
                return;
        }
        sorted = sort_by_address(t->entries, room, t->n);
        if (sorted == room) {
                room = t->entries;
                t->entries = sorted;
                t->allocated = t->n;
        }
        free(room);
        for (size_t i = 0; i < t->n; i = end) {
                for (end = i + 1; end < t->n && sorted[end].start == sorted[i].start; end++)
                        ;
                t->crowded = end - i > CROWD;
                if (end > i + 1)
                        qsort_r(sorted + i, end - i, sizeof(*sorted), table_compare_entries, t);
        }
}

/* Symbols that reach over an address, the newest one on top: a heap of indices of entries. */
typedef struct Reaching {
        const Entry *entries;
        uint32_t *heap;
        size_t n;
} Reaching;

static bool reaching_is_newer(const Reaching *r, size_t a, size_t b) {
        return r->entries[r->heap[a]].name > r->entries[r->heap[b]].name;
}

static void reaching_swap(Reaching *r, size_t a, size_t b) {
        uint32_t entry = r->heap[a];

        r->heap[a] = r->heap[b];
        r->heap[b] = entry;
}

static void reaching_push(Reaching *r, uint32_t entry) {
        size_t i = r->n++;

        r->heap[i] = entry;
        for (; i > 0 && reaching_is_newer(r, i, (i - 1) / 2); i = (i - 1) / 2)
                reaching_swap(r, i, (i - 1) / 2);
}

static void reaching_pop(Reaching *r) {
        r->heap[0] = r->heap[--r->n];
        for (size_t i = 0, child = 1; child < r->n; i = child, child = 2 * i + 1) {
                child += child + 1 < r->n && reaching_is_newer(r, child + 1, child);
                if (!reaching_is_newer(r, child, i))
                        break;
                reaching_swap(r, i, child);
        }
}

/* Cuts sorted entries at all addresses at which another one becomes the newest; each begins and ends at most one part. Returns how
 * many parts there are; parts has room for twice the entries. */
static size_t cut_covered(const Entry *entries, size_t n, Reaching *r, Entry *parts) {
        size_t next = 0, n_parts = 0;
        uint64_t at = 0;

        while (next < n || r->n > 0) {
                const Entry *top;
                uint64_t end;

                if (r->n == 0)
                        at = entries[next].start;
                for (; next < n && entries[next].start == at; next++)
                        reaching_push(r, (uint32_t) next);
                top = entries + r->heap[0];
                end = next < n ? MIN_OF(top->end, entries[next].start) : top->end;
                if (n_parts > 0 && parts[n_parts - 1].name == top->name && parts[n_parts - 1].end == at)
                        parts[n_parts - 1].end = end;
                else {
                        parts[n_parts] = *top;
                        parts[n_parts].start = at;
                        parts[n_parts++].end = end;
                }
                for (at = end; r->n > 0 && entries[r->heap[0]].end <= at;)
                        reaching_pop(r);
        }
        return n_parts;
}

/* Without memory for it, newer symbols only replace those of their own address. */
static void cover_older(SymbolTable *t) {
        _cleanup_free_ uint32_t *heap = calloc(t->n, sizeof(*heap));
        Entry *parts = heap ? calloc(2 * t->n, sizeof(*parts)) : NULL;
        Reaching reaching = { .entries = t->entries, .heap = heap };

        if (!parts)
                return;
        t->allocated = 2 * t->n;
        t->n = cut_covered(t->entries, t->n, &reaching, parts);
        free(t->entries);
        t->entries = parts;
}

void symbol_table_sort(SymbolTable *t) {
        size_t n;

        if (t->n == 0)
                return;
        sort_entries(t);
        if (t->traits & SYMBOLS_NEWEST_COVERS)
                cover_older(t);
        n = t->n = choose_entries(t->entries, t->n, t->traits & SYMBOLS_LABELS_INSIDE);
        for (size_t i = 0; i < n; i++)
                if (t->entries[i].open)
                        entry_close(t->entries + i, i + 1 < n ? t->entries + i + 1 : NULL, t->traits & SYMBOLS_INCOMPLETE);
}

void symbol_table_get(const SymbolTable *t, size_t i, Symbol *ret) {
        const Entry *e = t->entries + i;
        const char *name = e->in_file ? name_file_get(t->file, e->name) : t->names + e->name;

        *ret = (Symbol) { .start = e->start, .end = e->end, .name = name ?: "" };
}

bool symbol_table_find(const SymbolTable *t, uint64_t address, Symbol *ret) {
        size_t behind = LOWER_BOUND(t->n, k, t->entries[k].start <= address);

        for (size_t i = behind; i > 0 && behind - i < ENCLOSING_MAX; i--)
                if (address < t->entries[i - 1].end) {
                        symbol_table_get(t, i - 1, ret);
                        return *ret->name;
                }
        return false;
}

size_t symbol_table_size(const SymbolTable *t) {
        return t->n;
}

size_t symbol_table_memory(const SymbolTable *t) {
        return t->allocated * sizeof(*t->entries) + t->names_allocated;
}
