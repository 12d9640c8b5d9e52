/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Places are found again by binary and address: the numbers of binaries follow from the recording, those of places from what was
 * asked for. */

#include "frame-sources.h"

#include "demangle.h"
#include "place-sources.h"
#include "utf8.h"

#define NAME_MAX_BYTES 8192u

struct FrameSources {
        CodePlaces places;    /* the lookup's */
        SourceLines lines;
        bool full;            /* paths are shown */
        SourcePlace *sources; /* of the places */
        uint32_t *order;      /* their numbers, by binary and address */
};

FrameSources *frame_sources_free(FrameSources *f) {
        if (!f)
                return NULL;
        source_lines_done(&f->lines);
        free(f->sources);
        free(f->order);
        free(f);
        return NULL;
}

static int compare_places(const CodePlace *a, const CodePlace *b) {
        if (a->dso != b->dso)
                return a->dso < b->dso ? -1 : 1;
        if (a->address != b->address)
                return a->address < b->address ? -1 : 1;
        return a->caller - b->caller;
}

static int compare_numbers(const void *a, const void *b, void *places) {
        const CodePlace *all = places;

        return compare_places(all + *(const uint32_t *) a, all + *(const uint32_t *) b);
}

int frame_sources_new(const PlaceLookup *places, const SymbolSources *sources, bool inlined, bool full, FrameSources **ret) {
        _cleanup_(frame_sources_freep) FrameSources *f = calloc(1, sizeof(*f));
        int r;

        if (!f)
                return -ENOMEM;
        f->full = full;
        f->places = place_lookup_identified(places);
        f->sources = calloc(f->places.n + 1, sizeof(*f->sources));
        f->order = calloc(f->places.n + 1, sizeof(*f->order));
        if (!f->sources || !f->order)
                return -ENOMEM;
        r = place_sources_find(&f->lines, &f->places, sources, inlined, f->sources);
        if (r < 0)
                return r;
        for (uint32_t i = 0; i < f->places.n; i++)
                f->order[i] = i;
        if (f->places.n > 0)
                qsort_r(f->order, f->places.n, sizeof(*f->order), compare_numbers, f->places.places);
        *ret = steal_ptr(f);
        return 0;
}

static const char *file_name(const FrameSources *f, uint32_t file) {
        const char *path = source_lines_text(&f->lines, file), *slash = path && !f->full ? strrchr(path, '/') : NULL;

        return slash ? slash + 1 : path;
}

bool frame_sources_find(const FrameSources *f, const CodePlace *place, FrameSource *ret) {
        size_t low = 0, high = f->places.n;
        const SourcePlace *found;

        while (low < high) {
                size_t middle = low + (high - low) / 2;

                if (compare_places(f->places.places + f->order[middle], place) < 0)
                        low = middle + 1;
                else
                        high = middle;
        }
        if (low == f->places.n || compare_places(f->places.places + f->order[low], place) != 0)
                return false;
        found = f->sources + f->order[low];
        *ret = (FrameSource) { .line = found->line, .inlined = found->inlined, .n_inlined = found->n_inlined };
        ret->file = file_name(f, found->file);
        return ret->file || ret->n_inlined > 0;
}

void frame_sources_inlined(const FrameSources *f, const FrameSource *source, size_t i, FrameInlined *ret) {
        const InlinedCall *call = f->lines.inlined + source->inlined + i;
        _cleanup_free_ char *readable = demangle_function(source_lines_text(&f->lines, call->name) ?: "??");

        *ret = (FrameInlined) {
                .name = readable ? utf8_line(readable, SIZE_MAX, NAME_MAX_BYTES) : NULL, .file = file_name(f, call->file),
                .line = call->line,
        };
}

unsigned frame_sources_failed(const FrameSources *f) {
        return f->lines.failed;
}
