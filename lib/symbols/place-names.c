/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Places are sorted by binary and the address of the code that is meant, so that each table of symbols is walked once. Binaries
 * with one short name count as one, as in perf, if their functions have the same names: files of two containers may differ. A perf
 * map has the names of the last program that its process executed; what earlier ones generated has none.
 *
 * Names come from files that others wrote: here each becomes one line without control characters. */

#include "place-names.h"

#include "array.h"
#include "demangle.h"
#include "map-record.h"
#include "utf8.h"

#define NAME_MAX_BYTES ((size_t) 8192)

void place_names_done(PlaceNames *names) {
        for (size_t i = 0; i < names->n_symbols; i++)
                free(names->symbols[i].name);
        for (size_t i = 0; i < names->n_programs; i++)
                symbol_table_free(names->programs[i]);
        free(names->programs);
        free(names->symbols);
        free(names->symbol_of);
        free(names->chain_key);
        free(names->dso_name_of);
        free(names->outlived);
        free(names->line_of);
        free(names->file_of);
        hash_index_done(&names->index);
        byte_pool_done(&names->texts);
        *names = (PlaceNames) {};
}

/* "/lib/modules/…/nf-nat.ko.xz" is the module "[nf_nat]". */
static bool name_module(const char *base, char *buf, size_t size) {
        const char *end = strstr(base, ".ko");

        if (!end || (end[3] && end[3] != '.') || snprintf(buf, size, "[%.*s]", (int) (end - base), base) >= (int) size)
                return false;
        for (char *p = buf; *p; p++)
                if (*p == '-')
                        *p = '_';
        return true;
}

static int name_dso(PlaceNames *names, const DsoHit *dso, uint32_t *ret) {
        const char *slash = strrchr(dso->path, '/'), *base = slash && slash[1] ? slash + 1 : dso->path;
        _cleanup_free_ char *text = NULL;
        char made[256];

        if (symbols_are_generated(dso->path) && snprintf(made, sizeof(made), "[JIT] tid %u", dso->pid) > 0)
                base = made;
        else if (dso->cpumode == PERF_RECORD_MISC_KERNEL && name_module(base, made, sizeof(made)))
                base = made;
        text = utf8_line(base, SIZE_MAX, NAME_MAX_BYTES);
        return text ? byte_pool_intern(&names->texts, text, strlen(text) + 1, ret) : -ENOMEM;
}

static uint64_t symbol_hash(const NamedSymbol *s) {
        return hash_mix(hash_mix((uint64_t) s->recorded << 32 | s->dso_name, s->start), s->end);
}

static uint64_t symbol_hash_of(const void *owner, uintptr_t entry) {
        return symbol_hash(((const PlaceNames *) owner)->symbols + entry);
}

static int symbol_intern(PlaceNames *names, uint32_t dso_name, const Symbol *symbol, uint32_t *ret) {
        NamedSymbol s = { .dso_name = dso_name, .start = symbol->start, .end = symbol->end };
        _cleanup_free_ char *readable = NULL;
        int r = byte_pool_intern(&names->texts, symbol->name, strlen(symbol->name) + 1, &s.recorded);
        uintptr_t found;
        uint64_t hash;

        if (r < 0)
                return r;
        hash = symbol_hash(&s);
        found = HASH_INDEX_FIND(&names->index, hash, entry, names->symbols[entry].dso_name == s.dso_name &&
                                names->symbols[entry].recorded == s.recorded && names->symbols[entry].start == s.start &&
                                names->symbols[entry].end == s.end);
        if (found > 0) {
                *ret = (uint32_t) found;
                return 0;
        }
        if (ARRAY_RESERVE(names->symbols, names->symbols_allocated, names->n_symbols + 1) < 0)
                return -ENOMEM;
        readable = demangle_function(symbol->name);
        s.name = readable ? utf8_line(readable, SIZE_MAX, NAME_MAX_BYTES) : NULL;
        if (!s.name)
                return -ENOMEM;
        names->symbols[names->n_symbols] = s;
        r = hash_index_add(&names->index, hash, names->n_symbols, symbol_hash_of, names);
        *ret = (uint32_t) names->n_symbols++;
        return r;
}

static int names_compare_places(const void *a, const void *b, void *userdata) {
        const CodePlace *places = userdata, *x = places + *(const uint32_t *) a, *y = places + *(const uint32_t *) b;
        uint64_t of_x = x->address - x->caller, of_y = y->address - y->caller;

        if (x->dso != y->dso)
                return x->dso < y->dso ? -1 : 1;
        if (of_x != of_y)
                return of_x < of_y ? -1 : 1;
        return x->ip < y->ip ? -1 : x->ip > y->ip;
}

/* A perf map has the processor's addresses, the symbols of a file the offsets in it. */
static int names_find_generated(Symbols *symbols, const DsoHit *dso, const CodePlace *place, Symbol *ret) {
        char path[48];
        const DsoHit map = { .path = path, .cpumode = PERF_RECORD_MISC_USER, .pid = dso->pid };
        int r;

        (void) snprintf(path, sizeof(path), "/tmp/perf-%u.map", dso->pid);
        r = symbols_resolve(symbols, &map, place->ip, ret);
        if (r > 0) {
                ret->start += place->address - place->ip;
                ret->end += place->address - place->ip;
        }
        return r;
}

static int find_symbol_at(const SymbolTable *programs, Symbols *symbols, const DsoHit *dso, const CodePlace *place, Symbol *ret) {
        int r = 0;

        if (dso->cpumode == PERF_RECORD_MISC_KERNEL && symbol_table_find(programs, place->address, ret))
                return 1;
        if (symbols && map_record_is_memfd(dso->path))
                r = names_find_generated(symbols, dso, place, ret);
        return symbols && r == 0 ? symbols_resolve(symbols, dso, place->address, ret) : r;
}

/* A signal handler returns to the beginning of a function that nobody calls: before it no function may be. 1; 0: no symbol is
 * known. */
static int find_symbol_in(const SymbolTable *programs, Symbols *symbols, const DsoHit *dso, const CodePlace *place, Symbol *ret) {
        CodePlace call = *place;
        int r = 0;

        if (place->caller) {
                call.address--;
                call.ip--;
                r = find_symbol_at(programs, symbols, dso, &call, ret);
        }
        return r == 0 ? find_symbol_at(programs, symbols, dso, place, ret) : r;
}

static int find_symbol(const PlaceNames *names, const CodePlaces *places, Symbols *const *symbols, size_t n, const CodePlace *place,
                       Symbol *ret) {
        size_t recording = process_view_recording_of(places->view, place->dso);

        if (names->outlived[place->dso])
                return 0;
        return find_symbol_in(names->programs[recording],
                              recording < n ? symbols[recording] : NULL, places->dsos->dsos + place->dso, place, ret);
}

/* In a call chain, calls from one function are one, and so are those of one address without a name. */
static bool is_one_in_chains(const PlaceNames *names, const CodePlaces *places, uint32_t a, uint32_t b) {
        const CodePlace *x = places->places + a, *y = places->places + b;

        if (x->dso != y->dso || names->symbol_of[a] != names->symbol_of[b])
                return false;
        return names->symbol_of[a] > 0 || x->ip == y->ip;
}

/* Functions of several recordings are one if they have one number. */
static void set_chain_keys(PlaceNames *names, const CodePlaces *places, const uint32_t *order) {
        uint32_t key = (uint32_t) names->n_symbols;

        for (size_t i = 0; i < places->n; i++) {
                if (i == 0 || !is_one_in_chains(names, places, order[i - 1], order[i]))
                        key++;
                names->chain_key[order[i]] = places->view->n_earlier > 0 && names->symbol_of[order[i]] > 0 ?
                        names->symbol_of[order[i]] : key;
        }
}

static int name_places(PlaceNames *names, const CodePlaces *places, Symbols *const *symbols, size_t n, uint32_t *order) {
        Symbol last = {};
        int r = 0;

        for (uint32_t i = 0; i < places->n; i++)
                order[i] = i;
        qsort_r(order, places->n, sizeof(*order), names_compare_places, places->places);
        for (size_t i = 0; r >= 0 && i < places->n; i++) {
                const CodePlace *place = places->places + order[i], *previous = i > 0 ? places->places + order[i - 1] : NULL;
                Symbol symbol;

                if (place->ip == CODE_PLACE_NOWHERE)
                        r = symbol_intern(names, place_names_dso(names, place), &(Symbol) { .name = PLACE_UNKNOWN_DSO },
                                          names->symbol_of + order[i]);
                if (place->dso != DSO_NONE)
                        r = find_symbol(names, places, symbols, n, place, &symbol);
                if (place->dso == DSO_NONE || r <= 0)
                        continue;
                if (previous && previous->dso == place->dso && names->symbol_of[order[i - 1]] > 0 && last.start == symbol.start &&
                    last.end == symbol.end)
                        names->symbol_of[order[i]] = names->symbol_of[order[i - 1]];
                else
                        r = symbol_intern(names, place_names_dso(names, place), &symbol, names->symbol_of + order[i]);
                last = symbol;
        }
        if (r >= 0)
                set_chain_keys(names, places, order);
        return MIN_OF(r, 0);
}

static int names_compare_paths(const void *a, const void *b, void *userdata) {
        const DsoHit *dsos = userdata;
        uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;

        return strcmp(dsos[x].path, dsos[y].path) ?: (x > y) - (x < y);
}

/* Binaries are numbered as they come, so that the last one of a path in a recording is that of the last life. */
static int find_outlived(PlaceNames *names, const CodePlaces *places) {
        const DsoTable *t = places->dsos;
        _cleanup_free_ uint32_t *order = calloc(t->n + 1, sizeof(*order));
        size_t n = 0;

        names->outlived = calloc(t->n + 1, sizeof(*names->outlived));
        if (!order || !names->outlived)
                return -ENOMEM;
        for (uint32_t i = 0; i < t->n; i++)
                if (t->dsos[i].path && symbols_is_perf_map(t->dsos[i].path))
                        order[n++] = i;
        if (n > 0)
                qsort_r(order, n, sizeof(*order), names_compare_paths, t->dsos);
        for (size_t i = 1; i < n; i++)
                names->outlived[order[i - 1]] = streq(t->dsos[order[i - 1]].path, t->dsos[order[i]].path) &&
                        process_view_recording_of(places->view, order[i - 1]) == process_view_recording_of(places->view, order[i]);
        return 0;
}

/* Makes the table of the names of a recording's programs. Names beyond its limits are left out. */
static int make_programs(const ProcessView *view, size_t number, SymbolTable **ret) {
        const ViewedRecording *recording = process_view_recording(view, number);
        int r = symbol_table_new(ret);

        for (size_t i = 0; r >= 0 && i < recording->n_programs; i++) {
                const KernelProgram *p = recording->programs + i;
                const char *name = view->dsos.dsos[p->dso].path;

                r = symbol_table_put(*ret, p->start, p->length, SYMBOL_RANK_GLOBAL, name, strlen(name));
                r = r == -ENOMEM ? r : 0;
        }
        if (r >= 0)
                symbol_table_sort(*ret);
        return r;
}

/* Fills in what does not depend on the places. */
static int names_begin(PlaceNames *names, const CodePlaces *places, Symbols *const *symbols, size_t n) {
        int r;

        *names = (PlaceNames) { .n_dsos = places->dsos->n };
        names->dso_name_of = calloc(places->dsos->n + 1, sizeof(*names->dso_name_of));
        if (!names->dso_name_of || ARRAY_RESERVE(names->symbols, names->symbols_allocated, 1) < 0)
                return -ENOMEM;
        names->symbols[0] = (NamedSymbol) {};
        names->n_symbols = 1;
        for (size_t i = 0; i < n; i++)
                if (symbols[i])
                        symbols_set_kernel(symbols[i], &process_view_recording(places->view, i)->kernel);
        names->programs = calloc(places->view->n_earlier + 1, sizeof(SymbolTable *));
        r = names->programs ? find_outlived(names, places) : -ENOMEM;
        for (; r >= 0 && names->n_programs <= places->view->n_earlier; names->n_programs++)
                r = make_programs(places->view, names->n_programs, names->programs + names->n_programs);
        if (r >= 0)
                r = byte_pool_intern(&names->texts, PLACE_UNKNOWN_DSO, sizeof(PLACE_UNKNOWN_DSO),
                                     names->dso_name_of + places->dsos->n);
        for (size_t i = 0; r >= 0 && i < places->dsos->n; i++)
                r = name_dso(names, places->dsos->dsos + i, names->dso_name_of + i);
        return r;
}

int place_names_begin(PlaceNames *names, const CodePlaces *places, Symbols *symbols) {
        return names_begin(names, places, &symbols, 1);
}

int place_names_find(PlaceNames *names, const CodePlaces *places, Symbols *symbols, const DsoHit *dso, const CodePlace *place,
                     uint32_t *ret) {
        Symbol symbol;
        bool outlived = place->dso < names->n_dsos && names->outlived[place->dso];
        int r = outlived ? 0 : find_symbol_in(names->programs[0], symbols, dso, place, &symbol);

        *ret = 0;
        return r > 0 ? symbol_intern(names, place_names_dso(names, place), &symbol, ret) : r;
}

int place_names_init_each(PlaceNames *names, const CodePlaces *places, Symbols *const *symbols, size_t n) {
        _cleanup_free_ uint32_t *order = calloc(places->n + 1, sizeof(*order));
        int r = names_begin(names, places, symbols, n);

        if (r < 0)
                return r;
        names->n_places = places->n;
        names->symbol_of = calloc(places->n + 1, sizeof(*names->symbol_of));
        names->chain_key = calloc(places->n + 1, sizeof(*names->chain_key));
        if (!order || !names->symbol_of || !names->chain_key)
                return -ENOMEM;
        return name_places(names, places, symbols, n, order);
}

int place_names_init(PlaceNames *names, const CodePlaces *places, Symbols *symbols) {
        return place_names_init_each(names, places, &symbols, 1);
}

/* Binaries have their names behind each other, and the name of none is the last one. */
static int names_update_dsos(PlaceNames *names, const CodePlaces *places) {
        uint32_t *grown = realloc(names->dso_name_of, (places->dsos->n + 1) * sizeof(*grown));
        int r = grown ? 0 : -ENOMEM;

        if (r < 0)
                return r;
        names->dso_name_of = grown;
        for (; r >= 0 && names->n_dsos < places->dsos->n; names->n_dsos++)
                r = name_dso(names, places->dsos->dsos + names->n_dsos, names->dso_name_of + names->n_dsos);
        free(names->outlived);
        names->outlived = NULL;
        if (r >= 0)
                r = find_outlived(names, places);
        return r < 0 ? r : byte_pool_intern(&names->texts, PLACE_UNKNOWN_DSO, sizeof(PLACE_UNKNOWN_DSO),
                                            names->dso_name_of + places->dsos->n);
}

/* In chains, places without a name are their own. */
static int names_update_place(PlaceNames *names, const CodePlaces *places, Symbols *symbols, uint32_t number) {
        const CodePlace *place = places->places + number;
        Symbol symbol;
        int r = 0;

        names->symbol_of[number] = 0;
        if (place->ip == CODE_PLACE_NOWHERE)
                r = symbol_intern(names, place_names_dso(names, place), &(Symbol) { .name = PLACE_UNKNOWN_DSO },
                                  names->symbol_of + number);
        else if (place->dso != DSO_NONE && (r = find_symbol(names, places, &symbols, 1, place, &symbol)) > 0)
                r = symbol_intern(names, place_names_dso(names, place), &symbol, names->symbol_of + number);
        names->chain_key[number] = names->symbol_of[number] > 0 ? 2 * names->symbol_of[number] : 2 * number + 1;
        return r;
}

int place_names_update(PlaceNames *names, const CodePlaces *places, Symbols *symbols) {
        const ViewedRecording *recording = process_view_recording(places->view, 0);
        int r = names->symbols ? 0 : names_begin(names, places, &symbols, 1);

        if (r >= 0 && names->n_dsos < places->dsos->n)
                r = names_update_dsos(names, places);
        if (r >= 0 && names->n_kernel_programs != recording->n_programs) {
                symbol_table_free(names->programs[0]);
                names->programs[0] = NULL;
                r = make_programs(places->view, 0, names->programs);
                names->n_kernel_programs = recording->n_programs;
        }
        if (r >= 0 && (ARRAY_RESERVE(names->symbol_of, names->places_allocated, places->n + 1) < 0 ||
                       ARRAY_RESERVE(names->chain_key, names->keys_allocated, places->n + 1) < 0))
                r = -ENOMEM;
        for (; r >= 0 && names->n_places < places->n; names->n_places++)
                r = names_update_place(names, places, symbols, (uint32_t) names->n_places);
        return MIN_OF(r, 0);
}
