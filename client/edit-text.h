/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* What the editor is given, and what is taken of it afterwards. */

/* A remark for the one who edits, then text (or, without any, room for some), then reference as comments, if there is
 * one. A new string, or NULL without memory. */
char *edit_text_make(const char *target, const char *text, const char *reference);

/* Cuts the remark and the reference off again, in place. Answers the rest, within s; "" if it is nothing but blanks.
 */
char *edit_text_strip(char *s);
