/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "flame-picture.h"

/* The page of a flame graph, and what another page has beside it. */
typedef struct FlamePageAddition {
        const char *section; /* HTML, above the flame graph */
        size_t section_size;
        const char *script;  /* behind the page's data, before its own script */
        size_t script_size;
        /* Puts members of the page's data. places: of each node of the tree, the number of the page's node that has its weight. */
        void (*put)(void *userdata, const uint32_t *places, TextBuffer *out);
        void *userdata;
} FlamePageAddition;

/* addition: NULL: none. Errors are the buffer's. */
void flame_page_put(const FlamePicture *p, const FrameTree *t, const FlamePageAddition *addition, TextBuffer *out);
