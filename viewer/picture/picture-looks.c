/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Values of options, each checked before it becomes a part of a picture. */

#include "picture-looks.h"

#include "parse-number.h"
#include "utf8.h"

#define MAX_STACK_MAX 4096u

int picture_take_max_stack(void *field, const ViewOption *option, const char *value) {
        unsigned n;

        if (parse_uint(value, &n) < 0 || n == 0 || n > MAX_STACK_MAX)
                return option_fail(option->name, value, "not a number of addresses up to 4096");
        *(size_t *) field = n;
        return 0;
}

static int parse_pixels(const ViewOption *option, const char *value, unsigned least, unsigned most, unsigned *ret) {
        char why[64];

        if (parse_uint(value, ret) >= 0 && *ret >= least && *ret <= most)
                return 0;
        (void) snprintf(why, sizeof(why), "not a number of pixels from %u to %u", least, most);
        return option_fail(option->name, value, why);
}

int picture_take_width(void *field, const ViewOption *option, const char *value) {
        return parse_pixels(option, value, 100, 100000, field);
}

int picture_take_height(void *field, const ViewOption *option, const char *value) {
        return parse_pixels(option, value, 4, 200, field);
}

int picture_take_font_size(void *field, const ViewOption *option, const char *value) {
        return parse_pixels(option, value, 4, 100, field);
}

int picture_take_background(void *field, const ViewOption *option, const char *value) {
        static const struct {
                const char *name, *color;
        } colors[] = {
                { "yellow", "#fbfbe2" }, { "blue", "#eaeefb" }, { "green", "#eafbea" }, { "grey", "#f2f2f2" },
                { "gray", "#f2f2f2" },
        };
        const char **background = field;

        *background = value;
        for (size_t i = 0; i < ELEMENTSOF(colors); i++)
                if (streq(value, colors[i].name)) {
                        *background = colors[i].color;
                        return 0;
                }
        return *value == '#' && strlen(value) == 7 && strspn(value + 1, "0123456789abcdefABCDEF") == 6 ? 0 :
               option_fail(option->name, value, "not yellow, blue, green, grey or #rrggbb");
}

/* A text of the picture; the words of the command line may be anything. */
int picture_take_text(void *field, const ViewOption *option, const char *value) {
        for (const char *p = value; *p;) {
                uint32_t c;
                size_t n = utf8_decode(p, SIZE_MAX, &c);

                if (n == 0 || utf8_is_control(c))
                        return option_fail(option->name, "", "not a line of UTF-8");
                p += n;
        }
        *(const char **) field = value;
        return 0;
}

int picture_take_font(void *field, const ViewOption *option, const char *value) {
        static const char characters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 ,-";

        if (!*value || value[strspn(value, characters)])
                return option_fail(option->name, value, "not the name of a font");
        *(const char **) field = value;
        return 0;
}
