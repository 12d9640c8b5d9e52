/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "flame-picture.h"
#include "heat-grid.h"

/* The looks of a heat map. A page shows the flame graph of what is selected in it, too. */
typedef struct HeatPicture {
        const FlamePicture *flame; /* texts and font, and the looks of the flame graph; count_name is what squares count */
        HeatGridPlan grid;         /* rows_of: what a page shows first */
        unsigned box;              /* pixels: the least height and width of a square */
        bool lines;                /* squares have lines between them */
} HeatPicture;

/* Each writes a map that is finished and has samples that count; errors are the buffer's. -ENOMEM and the like in its error. */
void heat_put_svg(const HeatPicture *p, const HeatMap *m, TextBuffer *out);
void heat_put_html(const HeatPicture *p, const HeatMap *m, TextBuffer *out);
