/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "byte-pool.h"
#include "code-places.h"
#include "symbols.h"

/* The names of code places, looked up once for each place after all samples were counted. */
typedef struct NamedSymbol {
        uint32_t dso_name;   /* of the binary, see place_names_text() */
        uint32_t recorded;   /* its name before it was made readable, likewise */
        uint64_t start, end; /* as symbols.h defines addresses */
        char *name;          /* one line of valid UTF-8, as the source has the name */
} NamedSymbol;

typedef struct PlaceNames {
        NamedSymbol *symbols; /* 0: none */
        size_t n_symbols, symbols_allocated;
        uint32_t *symbol_of;   /* for each place */
        uint32_t *chain_key;   /* for each place: equal for places that are one function of one binary in a call chain */
        uint32_t *dso_name_of; /* for each binary: the number of its short name */
        bool *outlived;        /* for each binary: generated code of a life of its process that was not the last one */
        size_t n_places, n_dsos;
        size_t places_allocated, keys_allocated, n_kernel_programs; /* of place_names_update() */
        uint32_t *line_of, *file_of; /* for each place: texts, see place-lines.h; NULL: not looked up */
        SymbolTable **programs; /* of BPF and the like, by the processor's addresses, for each recording */
        size_t n_programs;
        HashIndex index;       /* of symbols, by binary's name and range */
        BytePool texts;
} PlaceNames;

/* The name of no binary. */
#define PLACE_UNKNOWN_DSO "[unknown]"

/* The binaries' build ids must be known (recorded-paths.h). names is initialised, and done after a failure too. 0,
 * -ENOMEM. */
int place_names_init(PlaceNames *names, const CodePlaces *places, Symbols *symbols);
/* The same for places of several recordings, each with symbols of its own. */
int place_names_init_each(PlaceNames *names, const CodePlaces *places, Symbols *const *symbols, size_t n);
void place_names_done(PlaceNames *names);

/* Names the places that came since the last call, by symbols of the one recording; names is zero-initialised before the first
 * call. What has been named stays as it is. 0, -ENOMEM. */
int place_names_update(PlaceNames *names, const CodePlaces *places, Symbols *symbols);

/* For those that need names of places one by one, while further ones are found: names is initialised with those of
 * binaries, of which all must be known, as well as BPF programs. Done after a failure too. 0, -ENOMEM. */
int place_names_begin(PlaceNames *names, const CodePlaces *places, Symbols *symbols);
/* Looks up the symbol of a place in that binary; *ret is 0 if none is known. The arrays by place are not filled. 0,
 * -ENOMEM. */
int place_names_find(PlaceNames *names, const CodePlaces *places, Symbols *symbols, const DsoHit *dso, const CodePlace *place,
                     uint32_t *ret);

/* Returns the number of the short name of a place's binary: "libc.so.6", "[ext4]", "[JIT] tid 7", "[unknown]". */
static inline uint32_t place_names_dso(const PlaceNames *names, const CodePlace *place) {
        return names->dso_name_of[place->dso == DSO_NONE ? names->n_dsos : place->dso];
}

static inline const char *place_names_text(const PlaceNames *names, uint32_t number) {
        return (const char *) byte_pool_get(&names->texts, number)->data;
}
