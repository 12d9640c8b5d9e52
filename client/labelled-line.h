/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

#define LABEL_WIDTH 11 /* columns of the longest label */

/* Prints "    Label: text" and a newline. columns: the terminal's width, 0: text is not cut. */
void line_print(unsigned columns, const char *label, const char *format, ...) _printf_(3, 4);

/* Does the same unless the text is empty. */
void line_print_if_set(unsigned columns, const char *label, const char *text);

void line_print_label(const char *label);

/* Prints text behind the used columns of the line, cut to the remaining width, and ends the line. */
void line_print_rest(const char *text, unsigned columns, size_t used);
