/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "frame-sources.h"
#include "sample-walk.h"
#include "script-fields.h"
#include "text-buffer.h"

/* Addresses of samples as text: what is behind one, or a whole call chain. */
typedef struct FrameTexts FrameTexts;

/* max_stack: addresses of a chain. json: objects instead of lines. walk must outlive it. 0, -ENOMEM. */
int frame_texts_new(SampleWalk *walk, size_t max_stack, bool json, FrameTexts **ret);
FrameTexts *frame_texts_free(FrameTexts *t);
DEFINE_CLEANUP(FrameTexts *, frame_texts_free);

/* The field srcline, and inlined functions if they were looked up, come out of these from now on; they must outlive it. */
void frame_texts_set_sources(FrameTexts *t, const FrameSources *sources);

/* Call chains end at the first of these functions from now on, which is shown; NULL: none. They must outlive it. */
void frame_texts_set_stop(FrameTexts *t, char *const *symbols);

/* Finds the places of all addresses that are shown of a sample. 0, -ENOMEM. */
int frame_texts_meet(FrameTexts *t, const WalkedSample *s);

/* Finds the number of the place of an address, see sample-walk.h. 0, -ENOMEM. */
int frame_texts_find(FrameTexts *t, const WalkedSample *s, uint16_t cpumode, uint64_t ip, uint32_t *ret);

/* Puts the name, offset and binary of an address, those of them that fields has: " name+0x7 (binary)", or
 * ',"symbol":"name","offset":7,"dso":"binary"' without those that are not known. 0, -ENOMEM. */
int frame_texts_put(FrameTexts *t, const WalkedSample *s, uint16_t cpumode, uint64_t ip, uint64_t fields, TextBuffer *out);

/* Puts the lines of the sample's call chain, or its objects with commas between them. 0, -ENOMEM. */
int frame_texts_put_chain(FrameTexts *t, const WalkedSample *s, uint64_t fields, TextBuffer *out);
