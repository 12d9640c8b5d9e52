/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* What standard output shows its text on, asked once and before any pager: */
typedef struct Terminal {
        bool tty;
        bool colour;      /* $SYSTEMD_COLORS, else $NO_COLOR, else a terminal that is not dumb */
        bool utf8;        /* by $LC_ALL, $LC_CTYPE, $LANG; yes if none is set */
        unsigned columns; /* $COLUMNS, else the terminal's; 0: not a terminal, no limit */
} Terminal;

const Terminal *terminal_get(void);

typedef enum Colour {
        COLOUR_NONE,
        COLOUR_RED,
        COLOUR_GREEN,
        COLOUR_YELLOW,
        COLOUR_GREY,
        COLOUR_BOLD,
        COLOUR_UNDERLINE,
        _COLOUR_MAX,
} Colour;

/* The escape sequence that begins a colour, or COLOUR_NONE's that ends any; "" where colours are not wanted. */
const char *colour_sequence(Colour colour);

/* The colour a session's state is shown in, as systemctl shows a unit's. */
Colour colour_of_state(const char *state);

const char *glyph_dot(void);    /* ● or * */
const char *glyph_circle(void); /* ○ or * : at rest */
const char *glyph_cross(void);  /* × or * : failed */
const char *glyph_branch(void); /* ├─ or |- */
const char *glyph_right(void);  /* └─ or `- */
