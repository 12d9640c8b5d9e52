/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "strv.h"

/* The words of SampleFields=: the names of perf script -F, with "_" and "-" equivalent, and a few more. */

/* The option of perf record that records the field, NULL: there is no such field. */
const char *sample_field_option(const char *word);

/* All words, separated by commas. A new string, or NULL without memory. */
char *sample_field_list(void);

/* Appends the options of these fields to line, each once. 0 or -ENOMEM. */
int sample_field_add_options(char *const *fields, char ***line);
