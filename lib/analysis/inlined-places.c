/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* As in perf, a function that is inlined in two others is two functions, and one in a call chain. Which samples hit it is not
 * changed: that is the function that has the code. */

#include "inlined-places.h"

#include "array.h"
#include "demangle.h"
#include "place-sources.h"
#include "utf8.h"

#define NAME_MAX_BYTES 8192u

/* An inlined function, by the binary's name and its own, and the function that it is in. */
typedef struct InlinedFunction {
        uint32_t dso_name, name, base; /* name: of SourceLines; base: the symbol */
        uint32_t symbol, key;          /* of PlaceNames */
} InlinedFunction;

typedef struct Inlining {
        SampleTable *table;
        PlaceNames *names;
        SourceLines source;
        SourcePlace *sources;
        InlinedFunction *functions;
        size_t n_functions, allocated;
        HashIndex index, keys; /* of number + 1; keys: those of equal name */
        uint32_t next_key;
        uint32_t *first;       /* for each place: what replaces it in chains, in list */
        uint32_t *list;
        size_t n_list, list_allocated;
} Inlining;

static void inlining_done(Inlining *in) {
        source_lines_done(&in->source);
        free(in->sources);
        free(in->functions);
        hash_index_done(&in->index);
        hash_index_done(&in->keys);
        free(in->first);
        free(in->list);
}

static uint64_t key_hash(const InlinedFunction *f) {
        return hash_mix(f->dso_name, f->name);
}

static uint64_t key_hash_of(const void *owner, uintptr_t entry) {
        return key_hash(((const Inlining *) owner)->functions + entry - 1);
}

static uint64_t function_hash(const InlinedFunction *f) {
        return hash_mix(key_hash(f), f->base);
}

static uint64_t function_hash_of(const void *owner, uintptr_t entry) {
        return function_hash(((const Inlining *) owner)->functions + entry - 1);
}

static bool is_same_name(const InlinedFunction *a, const InlinedFunction *b) {
        return a->dso_name == b->dso_name && a->name == b->name;
}

static int inlined_add_symbol(Inlining *in, InlinedFunction *f) {
        PlaceNames *names = in->names;
        NamedSymbol s = { .dso_name = f->dso_name, .start = names->symbols[f->base].start, .end = names->symbols[f->base].end };
        _cleanup_free_ char *readable = NULL, *whole = NULL;

        if (ARRAY_RESERVE(names->symbols, names->symbols_allocated, names->n_symbols + 1) < 0)
                return -ENOMEM;
        readable = demangle_function(source_lines_text(&in->source, f->name) ?: "??");
        if (!readable || asprintf(&whole, "%s (inlined)", readable) < 0) {
                whole = NULL;
                return -ENOMEM;
        }
        s.name = utf8_line(whole, SIZE_MAX, NAME_MAX_BYTES);
        if (!s.name)
                return -ENOMEM;
        f->symbol = (uint32_t) names->n_symbols;
        names->symbols[names->n_symbols++] = s;
        return 0;
}

static int function_intern(Inlining *in, InlinedFunction f, uint32_t *ret) {
        uint64_t hash = function_hash(&f), by_name = key_hash(&f);
        uintptr_t found = HASH_INDEX_FIND(&in->index, hash, entry, is_same_name(in->functions + entry - 1, &f) &&
                                          in->functions[entry - 1].base == f.base), same;
        int r;

        if (found > 0) {
                *ret = (uint32_t) found - 1;
                return 0;
        }
        if (ARRAY_RESERVE(in->functions, in->allocated, in->n_functions + 1) < 0)
                return -ENOMEM;
        r = inlined_add_symbol(in, &f);
        if (r < 0)
                return r;
        same = HASH_INDEX_FIND(&in->keys, by_name, entry, is_same_name(in->functions + entry - 1, &f));
        f.key = same > 0 ? in->functions[same - 1].key : in->next_key++;
        in->functions[in->n_functions] = f;
        r = hash_index_add(&in->index, hash, in->n_functions + 1, function_hash_of, in);
        if (r >= 0 && same == 0)
                r = hash_index_add(&in->keys, by_name, in->n_functions + 1, key_hash_of, in);
        *ret = (uint32_t) in->n_functions++;
        return r;
}

static int list_put(Inlining *in, uint32_t place) {
        if (ARRAY_RESERVE(in->list, in->list_allocated, in->n_list + 1) < 0)
                return -ENOMEM;
        in->list[in->n_list++] = place;
        return 0;
}

/* Makes room for n more places. The table is read: nobody looks for its places any more. */
static int reserve_places(Inlining *in, size_t n) {
        CodePlaces *places = sample_table_places(in->table);
        PlaceNames *names = in->names;

        if (n == 0)
                return 0;
        if (ARRAY_RESERVE(places->places, places->allocated, places->n + n) < 0 ||
            ARRAY_RESIZE(names->symbol_of, places->n + n + 1) < 0 || ARRAY_RESIZE(names->chain_key, places->n + n + 1) < 0)
                return -ENOMEM;
        return 0;
}

static int inlined_put_inlined(Inlining *in, uint32_t place, const InlinedCall *call) {
        CodePlaces *places = sample_table_places(in->table);
        PlaceNames *names = in->names;
        InlinedFunction f = {
                .dso_name = place_names_dso(names, places->places + place), .name = call->name, .base = names->symbol_of[place],
        };
        uint32_t number = 0;
        int r = function_intern(in, f, &number);

        if (r < 0)
                return r;
        places->places[places->n] = places->places[place];
        names->symbol_of[places->n] = in->functions[number].symbol;
        names->chain_key[places->n] = in->functions[number].key;
        r = list_put(in, (uint32_t) places->n);
        places->n++;
        return r;
}

/* A function's inlined ones come first: call chains begin at the innermost one. */
static int inlined_put_all(Inlining *in) {
        CodePlaces *places = sample_table_places(in->table);
        size_t n = places->n, more = 0;
        int r;

        for (size_t i = 0; i < n; i++)
                more += in->sources[i].n_inlined;
        r = more > CODE_PLACES_MAX ? -ENOMEM : reserve_places(in, more);
        for (uint32_t i = 0; r >= 0 && i < n; i++) {
                const SourcePlace *source = in->sources + i;

                in->first[i] = (uint32_t) in->n_list;
                for (size_t k = 0; r >= 0 && k < source->n_inlined; k++)
                        r = inlined_put_inlined(in, i, in->source.inlined + source->inlined + k);
                if (r >= 0)
                        r = list_put(in, i);
        }
        in->first[n] = (uint32_t) in->n_list;
        in->names->n_places = places->n;
        return r;
}

int inlined_places_add(SampleTable *table, PlaceNames *names, const SymbolSources *sources, unsigned *ret_failed) {
        const CodePlaces *places = sample_table_places(table);
        _cleanup_(inlining_done) Inlining in = { .table = table, .names = names };
        int r;

        in.sources = calloc(places->n + 1, sizeof(*in.sources));
        in.first = calloc(places->n + 1, sizeof(*in.first));
        if (!in.sources || !in.first)
                return -ENOMEM;
        for (size_t i = 0; i < names->n_places; i++)
                in.next_key = MAX_OF(in.next_key, names->chain_key[i] + 1);
        r = place_sources_find(&in.source, places, sources, true, in.sources);
        if (r >= 0)
                r = inlined_put_all(&in);
        if (r >= 0)
                r = sample_table_replace_places(table, in.first, in.list);
        *ret_failed = in.source.failed;
        return r;
}
