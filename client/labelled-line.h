/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

#define LABEL_WIDTH 11 /* of the longest label */

/* "    Label: text" and a newline. columns: of the terminal, 0: nothing is cut. */
void line_print(unsigned columns, const char *label, const char *format, ...) _printf_(3, 4);

/* The same if there is any text. */
void line_print_if_set(unsigned columns, const char *label, const char *text);

void line_print_label(const char *label);

/* Prints text behind the used columns that stand on the line already, cut to what is left of it, and ends the line. */
void line_print_rest(const char *text, unsigned columns, size_t used);
