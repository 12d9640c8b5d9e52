/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The forms of lines are perf's. */

#include "place-lines.h"

#include <inttypes.h>

#include "place-sources.h"

static int lines_put_text(PlaceNames *names, const char *text, uint32_t *ret) {
        return byte_pool_intern(&names->texts, text, strlen(text) + 1, ret);
}

static int lines_put_line(PlaceNames *names, uint32_t place, const char *path, unsigned line, bool full) {
        const char *slash = strrchr(path, '/'), *file = full || !slash ? path : slash + 1;
        _cleanup_free_ char *text = NULL;
        int r;

        if (asprintf(&text, "%s:%u", file, line) < 0) {
                text = NULL;
                return -ENOMEM;
        }
        r = lines_put_text(names, text, names->line_of + place);
        return r < 0 ? r : lines_put_text(names, file, names->file_of + place);
}

static int put_without_line(PlaceNames *names, const CodePlaces *places, uint32_t number) {
        const CodePlace *place = places->places + number;
        const NamedSymbol *symbol = names->symbols + names->symbol_of[number];
        _cleanup_free_ char *text = NULL;
        int n;

        if (place->dso == DSO_NONE)
                return lines_put_text(names, "??:0", names->line_of + number);
        if (symbol->name)
                n = asprintf(&text, "%s+%" PRIu64, symbol->name, place->address - symbol->start);
        else
                n = asprintf(&text, "%s[%" PRIx64 "]", place_names_text(names, place_names_dso(names, place)), place->address);
        if (n < 0)
                text = NULL;
        return text ? lines_put_text(names, text, names->line_of + number) : -ENOMEM;
}

int place_lines_find(PlaceNames *names, const CodePlaces *places, const SymbolSources *sources, bool full, unsigned *ret_failed) {
        _cleanup_free_ SourcePlace *found = calloc(places->n + 1, sizeof(*found));
        _cleanup_(source_lines_done) SourceLines source = {};
        int r;

        names->line_of = calloc(names->n_places + 1, sizeof(*names->line_of));
        names->file_of = calloc(names->n_places + 1, sizeof(*names->file_of));
        if (!found || !names->line_of || !names->file_of)
                return -ENOMEM;
        r = place_sources_find(&source, places, sources, false, found);
        for (uint32_t i = 0; r >= 0 && i < names->n_places; i++)
                r = found[i].file > 0 ? lines_put_line(names, i, source_lines_text(&source, found[i].file), found[i].line, full) :
                                        put_without_line(names, places, i);
        *ret_failed = source.failed;
        return r;
}
