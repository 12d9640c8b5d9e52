/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "place-names.h"
#include "sample-table.h"

/* A wish to see only a part of the samples: those of a thread, of a library, with a function in their call chains … */
typedef enum ZoomKind {
        ZOOM_COMMAND,
        ZOOM_THREAD,
        ZOOM_UNIT,
        ZOOM_LIBRARY,
        ZOOM_FUNCTION, /* it, and all that it called */
        ZOOM_CPU,
        ZOOM_KERNEL,
        ZOOM_USER,
        _ZOOM_KIND_MAX,
        _ZOOM_KIND_INVALID = -EINVAL,
} ZoomKind;

typedef struct SampleZoom {
        ZoomKind kind;
        char *text;      /* what a user reads: "web.service", "python3/4711"; NULL: the kind says all */
        uint32_t number; /* a thread's or CPU's own; others' in the table, once bound */
} SampleZoom;

void sample_zoom_done(SampleZoom *z);

/* Returns a word for a title: "thread", "unit". */
const char *zoom_kind_to_string(ZoomKind kind);

/* The zoom into a number of that kind; thread: of a thread, its number in the view. 0; -ENODATA: the number is that of nothing, as
 * code without a symbol has no function; -ENOMEM. */
int sample_zoom_init(SampleZoom *ret, ZoomKind kind, uint32_t number, uint32_t thread, SampleTable *table,
                     const PlaceNames *names);

/* Copies it. 0, -ENOMEM. */
int sample_zoom_copy(SampleZoom *ret, const SampleZoom *z);

/* Finds its number in this table, which may be another one than it was made of. Nothing is selected if there is none. */
void sample_zoom_bind(SampleZoom *z, SampleTable *table, const PlaceNames *names);

/* Returns whether a row is of it. */
bool sample_zoom_has(const SampleZoom *z, SampleTable *table, const PlaceNames *names, const SampleRow *row);
