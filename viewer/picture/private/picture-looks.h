/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "view-options.h"

/* Options that all pictures have: each is the take() of a row (view-options.h). */

int picture_take_text(void *field, const ViewOption *option, const char *value);       /* const char *: a line of UTF-8 */
int picture_take_font(void *field, const ViewOption *option, const char *value);       /* const char * */
int picture_take_background(void *field, const ViewOption *option, const char *value); /* const char *: "#rrggbb" */
int picture_take_width(void *field, const ViewOption *option, const char *value);      /* unsigned: pixels, so with the next two */
int picture_take_height(void *field, const ViewOption *option, const char *value);
int picture_take_font_size(void *field, const ViewOption *option, const char *value);
int picture_take_max_stack(void *field, const ViewOption *option, const char *value);  /* size_t: addresses of a call chain */
