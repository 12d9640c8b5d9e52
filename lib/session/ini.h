/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "line-reader.h"

/* Files in the syntax of systemd.syntax(7). */

#define INI_KEYS_MAX 4096 /* assignments in a file */
#define INI_NAME_MAX 128  /* bytes of a section's or a key's name */

/* Called for each section line (key and value NULL) and each assignment, in the order of the file. section is without
 * brackets; value is joined over continuation lines, without blanks around it. If the handler returns a negative errno, it has
 * filled d, the parser adds the line to d and returns that errno. */
typedef int (*IniHandler)(const char *section, const char *key, const char *value, unsigned line, Diagnosis *d,
                          void *userdata);

/* Parses the text. 0, an error of the handler, -EINVAL (a syntax error), -E2BIG (a limit) or -ENOMEM. d gets the sentence and
 * the line (the first one of a continued line), but not the file. */
int ini_parse(const char *text, size_t size, IniHandler handler, void *userdata, Diagnosis *d);
