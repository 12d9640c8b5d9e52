/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "text-buffer.h"

/* Texts of pictures. They are valid UTF-8. */

#define SVG_GLYPH 0.59 /* the width of a character, as a part of the font's size */

/* Puts the rules of a style that all pictures have: the ground, the font and the colour of texts. background: a colour; NULL:
 * white, until svg_put_dark_style(). */
void svg_put_style(TextBuffer *b, const char *background, const char *font, unsigned font_size);
/* Puts the beginning of the rules for a reader that has a dark ground; the caller adds his own, and a bracket. */
void svg_put_dark_style(TextBuffer *b);

/* Puts a text, or the value of an attribute. What XML 1.0 does not allow becomes '?'. */
void svg_put_escaped(TextBuffer *b, const char *text);
/* Puts a text element. attributes: further ones, behind a blank. x: also a part of the width, which then needs no script to follow
 * it. */
void svg_put_text(TextBuffer *b, const char *attributes, const char *x, double y, const char *text);
/* Puts the phrases, ended by NULL, as lines of a group "caption", the first of which is at y, the next ones that much below; NULL:
 * there are none. room: of a line, in characters; it may end behind a dot between two phrases, not before. Returns where the next
 * line would be. */
unsigned svg_put_phrases(TextBuffer *b, char *const *phrases, size_t room, unsigned y, unsigned line_height);
