/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

#define LABEL_WIDTH 11 /* columns of the longest label */

/* Prints "    Label: text" and a newline. columns: the terminal's width, 0: text is not cut. */
void line_print(unsigned columns, const char *label, const char *format, ...) _printf_(3, 4);

/* Does the same unless the text is empty. */
void line_print_if_set(unsigned columns, const char *label, const char *text);

/* Prints the numbers of samples and lost samples, and that of other lost records if there are any. UINT64_MAX of these: they
 * are not told from lost samples, whose number is that of both. */
void line_print_samples(unsigned columns, uint64_t samples, uint64_t lost, uint64_t lost_records);

void line_print_label(const char *label);

/* Prints text behind the used columns of the line, cut to the remaining width, and ends the line. */
void line_print_rest(const char *text, unsigned columns, size_t used);

/* The same for text that is never cut: what does not fit goes on in further lines, below its beginning. columns 0: it fits. */
void line_print_wrapped(const char *text, unsigned columns, size_t used);
