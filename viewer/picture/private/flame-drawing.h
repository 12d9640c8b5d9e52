/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "caption.h"
#include "flame-options.h"
#include "frame-tree.h"

/* The steps of a picture that do not depend on its subject. */

/* The content of a picture. */
typedef struct FlameContent {
        const uint64_t *weights;  /* of all rows; NULL: the samples of one event are drawn */
        bool labels;              /* see FrameTreePlan */
        const Timeline *timeline; /* they are drawn one by one; NULL: they are not */
} FlameContent;

/* Makes the tree of what was counted; it is initialised, and done after a failure too. event: the one that is drawn, if there are
 * no weights. 0, -EFBIG, -ENOMEM. */
int flame_drawing_tree(const CountedSamples *c, const FlameOptions *o, const FlameContent *content, uint32_t event,
                       FrameTree *tree);

/* Describes it, with what the pictures' own options select, and, in place of samples, the time that threads waited, in
 * microseconds. As caption_init(). */
int flame_drawing_describe(const CountedSamples *c, const FlameOptions *o, const FrameTree *t, const SampleEvent *e,
                           Caption *caption);

/* Puts it in the format of the options. Errors are the buffer's. */
void flame_drawing_put(const FlameOptions *o, const FlamePicture *picture, const FrameTree *t, TextBuffer *out);
