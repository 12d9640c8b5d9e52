/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "frame-tree.h"
#include "view-options.h"

struct Caption;

/* Call chains that a picture has: those that match one pattern, and not another, as "GROUP;OUTER;…;INNER". Zero-initialise. */
typedef struct ChainPatterns {
        regex_t only, exclude;
        const char *only_words, *exclude_words; /* as they were given; NULL: there is no such pattern */
} ChainPatterns;

void chain_patterns_done(ChainPatterns *p);

/* For tables of options: the field is a ChainPatterns. */
int chain_patterns_take_only(void *field, const ViewOption *option, const char *value);
int chain_patterns_take_exclude(void *field, const ViewOption *option, const char *value);

static inline bool chain_patterns_are_set(const ChainPatterns *p) {
        return p->only_words || p->exclude_words;
}

/* Gives them to the plan of a tree, which they must outlive. */
void chain_patterns_apply(const ChainPatterns *p, FrameTreePlan *plan);
/* Adds them to what a caption says was selected. 0, -ENOMEM. */
int chain_patterns_describe(const ChainPatterns *p, struct Caption *caption);
