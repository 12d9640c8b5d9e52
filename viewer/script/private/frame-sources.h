/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "place-lookup.h"
#include "symbol-sources.h"

/* The source that the code of frames comes from. Debug information is read once for each binary, so all places must be
 * known before: those that a pass over the samples has met. */
typedef struct FrameSources FrameSources;

/* places must outlive it. sources: see debug-file.h. full: files have whole paths. 0, -ENOMEM, errors of fork(2). */
int frame_sources_new(const PlaceLookup *places, const SymbolSources *sources, bool inlined, bool full, FrameSources **ret);
FrameSources *frame_sources_free(FrameSources *f);
DEFINE_CLEANUP(FrameSources *, frame_sources_free);

typedef struct FrameSource {
        const char *file; /* base name or path, one line of UTF-8; NULL: not known */
        uint32_t line;
        size_t inlined, n_inlined; /* for frame_sources_inlined() */
} FrameSource;

/* Returns false if nothing is known of the place of that number. */
bool frame_sources_find(const FrameSources *f, uint32_t place, FrameSource *ret);

typedef struct FrameInlined {
        char *name;       /* readable, one line of UTF-8; NULL: no memory; the caller frees it */
        const char *file; /* that calls it, as above */
        uint32_t line;
} FrameInlined;

/* The i-th inlined function, from the innermost one on. */
void frame_sources_inlined(const FrameSources *f, const FrameSource *source, size_t i, FrameInlined *ret);

/* Files whose debug information is broken or too large. */
unsigned frame_sources_failed(const FrameSources *f);
