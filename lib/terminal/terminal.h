/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* The terminal of standard output, examined once and before any pager starts; again only in a process whose standard output became
 * another one. */
typedef struct Terminal {
        bool tty;
        bool colour;      /* by $SYSTEMD_COLORS, otherwise $NO_COLOR, otherwise true on a terminal that is not dumb */
        bool utf8;        /* by $LC_ALL, $LC_CTYPE or $LANG; true if none is set */
        unsigned columns; /* $COLUMNS, otherwise the terminal's; 0: no terminal, no limit */
} Terminal;

const Terminal *terminal_get(void);
void terminal_examine_again(void);

/* Returns whether a program can only print line by line: $TERM is not set, or "dumb". Asks the environment each time. */
bool terminal_is_dumb(void);

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

/* The escape sequence that begins a colour, or with COLOUR_NONE ends any. "" if colours are off. */
const char *colour_sequence(Colour colour);

/* The colour for a session's state, as systemctl has them for units. */
Colour colour_of_state(const char *state);

const char *glyph_dot(void);    /* ● or * */
const char *glyph_circle(void); /* ○ or *, inactive */
const char *glyph_cross(void);  /* × or *, failed */
const char *glyph_branch(void); /* ├─ or |- */
const char *glyph_down(void);   /* │ or |, beside what belongs to a branch */
const char *glyph_right(void);  /* └─ or `- */
