/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A palette is a range of hues; where in it a function is, and how light, follows from a hash of its name. */

#include "flame-color.h"

#include <math.h>

#include "string-table.h"

static const char *const palettes[_FLAME_PALETTE_MAX] = {
        [FLAME_KINDS] = "kinds", [FLAME_HOT] = "hot", [FLAME_MEM] = "mem", [FLAME_IO] = "io", [FLAME_WAKEUP] = "wakeup",
        [FLAME_CHAIN] = "chain", [FLAME_JAVA] = "java", [FLAME_JS] = "js", [FLAME_PERL] = "perl", [FLAME_RED] = "red",
        [FLAME_GREEN] = "green", [FLAME_BLUE] = "blue", [FLAME_AQUA] = "aqua", [FLAME_YELLOW] = "yellow",
        [FLAME_PURPLE] = "purple", [FLAME_ORANGE] = "orange",
};

static const HueRange ranges[_FLAME_PALETTE_MAX] = {
        [FLAME_HOT] = { 2, 52, 0.90f, 0.58f, 0.68f }, [FLAME_MEM] = { 95, 165, 0.55f, 0.56f, 0.70f },
        [FLAME_IO] = { 195, 225, 0.75f, 0.66f, 0.78f }, [FLAME_WAKEUP] = { 185, 215, 0.30f, 0.66f, 0.78f },
        [FLAME_CHAIN] = { 165, 215, 0.55f, 0.64f, 0.76f }, [FLAME_RED] = { 0, 10, 0.80f, 0.64f, 0.76f },
        [FLAME_GREEN] = { 100, 130, 0.55f, 0.58f, 0.72f }, [FLAME_BLUE] = { 210, 230, 0.75f, 0.70f, 0.80f },
        [FLAME_AQUA] = { 175, 190, 0.55f, 0.58f, 0.70f }, [FLAME_YELLOW] = { 48, 58, 0.80f, 0.58f, 0.70f },
        [FLAME_PURPLE] = { 275, 300, 0.55f, 0.70f, 0.80f }, [FLAME_ORANGE] = { 22, 34, 0.90f, 0.60f, 0.70f },
};

static const HueRange kinds[_FRAME_KIND_MAX] = {
        [FRAME_GROUP] = { 210, 220, 0.18f, 0.78f, 0.84f }, [FRAME_USER] = { 40, 54, 0.85f, 0.62f, 0.72f },
        [FRAME_KERNEL] = { 12, 26, 0.88f, 0.62f, 0.72f }, [FRAME_INLINED] = { 175, 190, 0.50f, 0.62f, 0.74f },
        [FRAME_GENERATED] = { 95, 120, 0.50f, 0.60f, 0.72f }, [FRAME_IDLE] = { 210, 220, 0.10f, 0.88f, 0.90f },
};

FlamePalette flame_palette_from_string(const char *s) {
        return (FlamePalette) string_table_value(palettes, ELEMENTSOF(palettes), s);
}

/* A channel of a colour of that hue, as CSS defines hsl(); offset: 0 red, 8 green, 4 blue. */
static uint32_t color_channel(float hue, float saturation, float lightness, float offset) {
        float k = fmodf(offset + hue / 30, 12), a = saturation * fminf(lightness, 1 - lightness);
        float value = lightness - a * fmaxf(-1, fminf(fminf(k - 3, 9 - k), 1));

        return (uint32_t) lroundf(255 * value);
}

static uint32_t color_of(float hue, float saturation, float lightness) {
        return color_channel(hue, saturation, lightness, 0) << 16 | color_channel(hue, saturation, lightness, 8) << 8 |
               color_channel(hue, saturation, lightness, 4);
}

const HueRange *flame_hues(FlamePalette p, FrameKind kind) {
        bool by_kind = p == FLAME_KINDS || p == FLAME_JAVA || p == FLAME_JS || p == FLAME_PERL || kind == FRAME_GROUP ||
                       kind == FRAME_IDLE;

        return by_kind ? kinds + kind : ranges + p;
}

uint32_t flame_color(FlamePalette p, FrameKind kind, const char *name) {
        const HueRange *range = flame_hues(p, kind);
        uint64_t hash = hash_bytes(0, name, strlen(name));
        float a = (float) (hash & 0xff) / 255, b = (float) (hash >> 8 & 0xff) / 255;
        float hue = range->first + a * (range->last - range->first), lightness = range->dark + b * (range->light - range->dark);

        return color_of(hue, range->saturation, lightness);
}

/* pictures/flame.html has the same colours. The root of the part, so that small changes are seen beside a large one. */
uint32_t flame_change_color(const FrameDifference *d, uint32_t node) {
        double now = frame_difference_percent(d, node, FRAME_COMPARED), before = frame_difference_percent(d, node, FRAME_BASELINE);
        double strength = d->strongest > 0 ? sqrt(MIN_OF(fabs(now - before) / d->strongest, 1.0)) : 0;

        if (d->changed[node] == 0)
                return color_of(0, 0, 0.82f);
        return color_of(d->changed[node] > 0 ? 6 : 216, 0.9f, 0.9f - 0.26f * (float) strength);
}
