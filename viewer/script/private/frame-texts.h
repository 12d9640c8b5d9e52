/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "frame-sources.h"
#include "replay.h"
#include "script-fields.h"
#include "text-buffer.h"

/* Addresses of samples as text: what is behind one, or a whole call chain. */
typedef struct FrameTexts FrameTexts;

typedef struct FramePlan {
        size_t max_stack;            /* addresses of a call chain */
        bool json;                   /* objects instead of lines */
        const FrameSources *sources; /* for the field srcline and inlined functions; NULL: none */
        char *const *stop;           /* a call chain ends at the first of these functions, which is shown; NULL: none */
} FramePlan;

/* replay, which has names, and what the plan refers to must outlive it. 0, -ENOMEM. */
int frame_texts_new(Replay *replay, const FramePlan *plan, FrameTexts **ret);
FrameTexts *frame_texts_free(FrameTexts *t);
DEFINE_CLEANUP(FrameTexts *, frame_texts_free);

/* Finds the places of all addresses that are shown of a sample. 0, -ENOMEM. */
int frame_texts_meet(FrameTexts *t, const Moment *s);

/* Finds the number of the place of an address, see replay.h. 0, -ENOMEM. */
int frame_texts_find(FrameTexts *t, const Moment *s, uint16_t cpumode, uint64_t ip, uint32_t *ret);

/* Puts the name, offset and binary of an address, those of them that fields has: " name+0x7 (binary)", or
 * ',"symbol":"name","offset":7,"dso":"binary"' without those that are not known. 0, -ENOMEM. */
int frame_texts_put(FrameTexts *t, const Moment *s, uint16_t cpumode, uint64_t ip, uint64_t fields, TextBuffer *out);

/* Puts the lines of the sample's call chain, or its objects with commas between them. 0, -ENOMEM. */
int frame_texts_put_chain(FrameTexts *t, const Moment *s, uint64_t fields, TextBuffer *out);
