/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The binaries are identified once, in a list of their own, since the places go on with what the records say. Binaries that come
 * later have no names: then the file changes while it is read. */

#include "place-lookup.h"

#include "array.h"
#include "utf8.h"

#define PATH_BYTES_MAX ((size_t) 8192)

struct PlaceLookup {
        const CodePlaces *places;
        Symbols *symbols;
        PlaceNames names;
        RecordedPaths paths;
        DsoTable files;      /* the binaries, with their build ids; paths are those of the view */
        char **path_texts;   /* of the binaries; NULL: not asked for yet */
        uint32_t *symbol_of; /* of the first n_symbols places: number + 1; 0: not asked for yet */
        size_t n_symbols, symbols_allocated;
};

PlaceLookup *place_lookup_free(PlaceLookup *l) {
        if (!l)
                return NULL;
        for (size_t i = 0; l->path_texts && i < l->names.n_dsos; i++)
                free(l->path_texts[i]);
        free(l->path_texts);
        free(l->files.dsos);
        free(l->symbol_of);
        recorded_paths_done(&l->paths);
        place_names_done(&l->names);
        free(l);
        return NULL;
}

int place_lookup_new(const CodePlaces *places, const PerfDataReader *reader, Symbols *symbols, PlaceLookup **ret) {
        _cleanup_(place_lookup_freep) PlaceLookup *l = calloc(1, sizeof(*l));
        const DsoTable *mapped = places->dsos;
        int r;

        if (!l)
                return -ENOMEM;
        l->places = places;
        l->symbols = symbols;
        l->files = (DsoTable) { .dsos = calloc(mapped->n + 1, sizeof(*mapped->dsos)), .n = mapped->n };
        l->path_texts = calloc(mapped->n + 1, sizeof(*l->path_texts));
        if (!l->files.dsos || !l->path_texts)
                return -ENOMEM;
        if (mapped->n > 0)
                memcpy(l->files.dsos, mapped->dsos, mapped->n * sizeof(*mapped->dsos));
        r = recorded_paths_identify(&l->paths, l->files.dsos, mapped->n, reader);
        if (r >= 0)
                r = place_names_begin(&l->names, places, symbols);
        if (r < 0)
                return r;
        *ret = steal_ptr(l);
        return 0;
}

static int lookup_path(PlaceLookup *l, uint32_t dso, const char **ret) {
        *ret = PLACE_UNKNOWN_DSO;
        if (dso >= l->names.n_dsos)
                return 0;
        if (!l->path_texts[dso]) {
                l->path_texts[dso] = utf8_line(l->places->dsos->dsos[dso].path, SIZE_MAX, PATH_BYTES_MAX);
                if (!l->path_texts[dso])
                        return -ENOMEM;
        }
        *ret = l->path_texts[dso];
        return 0;
}

static int lookup_symbol(PlaceLookup *l, uint32_t place, uint32_t *ret) {
        const CodePlaces *places = l->places;
        uint32_t dso = places->places[place].dso;
        int r;

        *ret = 0;
        if (dso >= l->names.n_dsos)
                return 0;
        if (place >= l->n_symbols) {
                if (ARRAY_RESERVE(l->symbol_of, l->symbols_allocated, places->n) < 0)
                        return -ENOMEM;
                memset(l->symbol_of + l->n_symbols, 0, (places->n - l->n_symbols) * sizeof(*l->symbol_of));
                l->n_symbols = places->n;
        }
        if (l->symbol_of[place] == 0) {
                r = place_names_find(&l->names, places, l->symbols, l->files.dsos + dso, places->places + place, ret);
                if (r < 0)
                        return r;
                l->symbol_of[place] = *ret + 1;
        }
        *ret = l->symbol_of[place] - 1;
        return 0;
}

int place_lookup_name(PlaceLookup *l, uint32_t place, NamedPlace *ret) {
        NamedPlace named = { .number = place, .place = l->places->places + place, .dso = PLACE_UNKNOWN_DSO };
        uint32_t dso = named.place->dso, symbol;
        int r = lookup_path(l, dso, &named.path);

        if (r >= 0)
                r = lookup_symbol(l, place, &symbol);
        if (r < 0)
                return r;
        named.symbol = l->names.symbols + symbol;
        if (dso < l->names.n_dsos) {
                named.dso = place_names_text(&l->names, place_names_dso(&l->names, named.place));
                named.kernel = l->places->dsos->dsos[dso].cpumode == PERF_RECORD_MISC_KERNEL;
        }
        *ret = named;
        return 0;
}

CodePlaces place_lookup_identified(const PlaceLookup *l) {
        CodePlaces places = *l->places;

        places.dsos = &l->files;
        if (l->places->dsos->n != l->names.n_dsos)
                places.n = 0;
        return places;
}
