/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Lines and inlined functions of places, by their numbers. Those that are found later have none. */

#include "frame-sources.h"

#include "demangle.h"
#include "place-sources.h"
#include "utf8.h"

#define NAME_MAX_BYTES 8192u

struct FrameSources {
        SourceLines lines;
        bool full;            /* paths are shown */
        SourcePlace *sources; /* of the places */
        size_t n;
};

FrameSources *frame_sources_free(FrameSources *f) {
        if (!f)
                return NULL;
        source_lines_done(&f->lines);
        free(f->sources);
        free(f);
        return NULL;
}

int frame_sources_new(const PlaceLookup *places, const SymbolSources *sources, bool inlined, bool full, FrameSources **ret) {
        _cleanup_(frame_sources_freep) FrameSources *f = calloc(1, sizeof(*f));
        const CodePlaces identified = place_lookup_identified(places);
        int r;

        if (!f)
                return -ENOMEM;
        f->full = full;
        f->n = identified.n;
        f->sources = calloc(f->n + 1, sizeof(*f->sources));
        if (!f->sources)
                return -ENOMEM;
        r = place_sources_find(&f->lines, &identified, sources, inlined, f->sources);
        if (r < 0)
                return r;
        *ret = steal_ptr(f);
        return 0;
}

static const char *file_name(const FrameSources *f, uint32_t file) {
        const char *path = source_lines_text(&f->lines, file), *slash = path && !f->full ? strrchr(path, '/') : NULL;

        return slash ? slash + 1 : path;
}

bool frame_sources_find(const FrameSources *f, uint32_t place, FrameSource *ret) {
        const SourcePlace *found = f->sources + place;

        if (place >= f->n)
                return false;
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
