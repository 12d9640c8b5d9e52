/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "frame-difference.h"

/* The colours of frames. Names are those of flamegraph.pl; the same function always has the same colour. */
typedef enum FlamePalette {
        FLAME_KINDS, /* kernel, user, inlined and generated code told apart */
        FLAME_HOT,
        FLAME_MEM,
        FLAME_IO,
        FLAME_WAKEUP,
        FLAME_CHAIN,
        FLAME_JAVA,  /* these three are FLAME_KINDS, as flamegraph.pl colours annotated frames */
        FLAME_JS,
        FLAME_PERL,
        FLAME_RED,
        FLAME_GREEN,
        FLAME_BLUE,
        FLAME_AQUA,
        FLAME_YELLOW,
        FLAME_PURPLE,
        FLAME_ORANGE,
        _FLAME_PALETTE_MAX,
        _FLAME_PALETTE_INVALID = -EINVAL,
} FlamePalette;

/* Hues of a palette, of which a function's name chooses one. */
typedef struct HueRange {
        float first, last;  /* degrees */
        float saturation;   /* 0 to 1 */
        float dark, light;  /* lightness, 0 to 1 */
} HueRange;

FlamePalette flame_palette_from_string(const char *s);

const HueRange *flame_hues(FlamePalette p, FrameKind kind);

/* Return 0xRRGGBB, light enough for black text. */
uint32_t flame_color(FlamePalette p, FrameKind kind, const char *name);
/* A node of a comparison is red if it takes more, blue if it takes less, the stronger the more; grey if chance explains it. */
uint32_t flame_change_color(const FrameDifference *d, uint32_t node);
