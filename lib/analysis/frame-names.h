/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "place-names.h"
#include "sample-table.h"

/* The names that functions have where a call chain is shown as a whole: equal functions are one frame. */

typedef enum FrameKind {
        FRAME_GROUP,     /* no function, but what functions are grouped by */
        FRAME_USER,
        FRAME_KERNEL,    /* and hypervisors */
        FRAME_INLINED,   /* a function inside of another one's code; its name ends in " (inlined)" */
        FRAME_GENERATED, /* code that a process made while it ran */
        FRAME_IDLE,      /* the group of the idle task, which is below other groups but no function's */
        _FRAME_KIND_MAX,
} FrameKind;

/* A function, or a group. */
typedef struct Frame {
        uint32_t name;   /* see frame_names_text(): one line of valid UTF-8 */
        uint32_t binary; /* its short name, likewise; 0: a group, of either kind */
        FrameKind kind;
} Frame;

typedef struct FrameNames {
        const SampleTable *table;
        const PlaceNames *names;
        BytePool texts;
        Frame *frames;       /* by number - 1 */
        size_t n, allocated;
        HashIndex index;
        uint32_t *of_place;  /* the frame of each place; 0: not looked up yet */
} FrameNames;

/* The arguments must outlive it. f is initialised, and done after a failure too. 0, -ENOMEM. */
int frame_names_init(FrameNames *f, const SampleTable *table, const PlaceNames *names);
void frame_names_done(FrameNames *f);

/* Return the number of a place's function, or of a group of that kind. Code without a name is named by its binary, as "[libx.so]",
 * or "[unknown]". 0, -ENOMEM. */
int frame_names_place(FrameNames *f, uint32_t place, uint32_t *ret);
int frame_names_group(FrameNames *f, const char *text, FrameKind kind, uint32_t *ret);

/* Returns the number of a function or group that others have. Likewise. */
int frame_names_copy(FrameNames *f, const FrameNames *others, uint32_t number, uint32_t *ret);

static inline const char *frame_names_text(const FrameNames *f, uint32_t text) {
        return (const char *) byte_pool_get(&f->texts, text)->data;
}

static inline const Frame *frame_names_frame(const FrameNames *f, uint32_t number) {
        return f->frames + number - 1;
}
