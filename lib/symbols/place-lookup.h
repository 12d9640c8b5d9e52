/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "place-names.h"
#include "recorded-paths.h"

/* The names of the places of one recording, looked up one by one while further places are found: each once, when it is first asked
 * for. */
typedef struct PlaceLookup PlaceLookup;

typedef struct NamedPlace {
        uint32_t number; /* of the place */
        const CodePlace *place;
        const char *path, *dso;    /* of its binary, as mapped, and for short, as lines of UTF-8; PLACE_UNKNOWN_DSO: not mapped */
        const NamedSymbol *symbol; /* without a name: none is known */
        bool kernel;
} NamedPlace;

/* All maps of the recording must have been taken by the places, since build ids follow from all of a path. places, reader and
 * symbols (NULL: no functions are named) must outlive it. 0, -ENOMEM. */
int place_lookup_new(const CodePlaces *places, const PerfDataReader *reader, Symbols *symbols, PlaceLookup **ret);
PlaceLookup *place_lookup_free(PlaceLookup *l);
DEFINE_CLEANUP(PlaceLookup *, place_lookup_free);

/* Names the place of that number. All texts are the lookup's; place and symbol are valid until the next call. 0 or -ENOMEM. */
int place_lookup_name(PlaceLookup *l, uint32_t place, NamedPlace *ret);

/* All places so far, with the build ids of their binaries, for those that look into these (place-sources.h). All is the lookup's;
 * none, if the recording has changed since the lookup was made. */
CodePlaces place_lookup_identified(const PlaceLookup *l);
