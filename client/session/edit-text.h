/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Makes the text for the editor: a remark, then text (or empty lines if that is NULL), then reference, if not NULL, as
 * comments. A new string, or NULL without memory. */
char *edit_text_make(const char *target, const char *text, const char *reference);

/* Removes the remark and the reference again, in place. Returns the rest, within s, or "" if it is only white space. */
char *edit_text_strip(char *s);
