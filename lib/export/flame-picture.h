/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "flame-color.h"
#include "frame-difference.h"
#include "text-buffer.h"

/* The looks of a flame graph; the words are options of flamegraph.pl. Texts are lines of valid UTF-8. */
typedef struct FlamePicture {
        const char *title, *subtitle, *notes; /* NULL: none */
        const char *name;         /* of the document, as a window or a tab shows it */
        char *const *caption;     /* what it is of: phrases, ended by NULL; NULL: none */
        const char *count_name;   /* what weights count: "samples" */
        const char *name_type;    /* "Function:" */
        const char *search;       /* what is searched for at the beginning; NULL: nothing */
        const char *font;
        unsigned font_size;       /* pixels, as are the next two */
        unsigned width, frame_height;
        double least;             /* the narrowest frame that is drawn: pixels, or a percentage */
        bool least_percent;
        bool inverted;            /* the root is at the top */
        bool busy;                /* a page leaves idle CPUs out at the beginning */
        double factor;            /* weights are shown multiplied by it */
        uint64_t unit;            /* a weight is that many nanoseconds, and shown as a time; 0: it is a number of count_name */
        bool times_of_day;        /* the moments of a chart are nanoseconds since the epoch, and not of another clock */
        FlamePalette palette;
        const FrameDifference *difference; /* of the tree, which gives frames their colours; NULL: nothing is compared */
        const char *background;   /* a colour, "#rrggbb"; NULL: light or dark, as the reader has it */
} FlamePicture;

/* Each writes one event's samples; errors are the buffer's. -ENOMEM and the like in its error. */
void flame_put_svg(const FlamePicture *p, const FrameTree *t, TextBuffer *out);
void flame_put_html(const FlamePicture *p, const FrameTree *t, TextBuffer *out);
void flame_put_json(const FrameTree *t, TextBuffer *out); /* as d3-flame-graph reads it: name, value, children */

/* "GROUP;OUTER;…;INNER WEIGHT", a line for each call chain, as stackcollapse-perf.pl writes it. */
typedef struct FoldedStyle {
        bool kernel;  /* the kernel's functions get "_[k]" */
        bool jit;     /* generated code gets "_[j]" */
        bool inlined; /* "_[i]" in place of " (inlined)" */
} FoldedStyle;

void flame_put_folded(const FoldedStyle *style, const FrameTree *t, TextBuffer *out);
