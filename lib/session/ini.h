/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "line-reader.h"

/* Files in the syntax of systemd.syntax(7). */

#define INI_KEYS_MAX 4096 /* assignments in a file */
#define INI_NAME_MAX 128  /* bytes of a section's or a key's name */

/* Called for each section line (key and value NULL) and each assignment, in the order of the file. section is without
 * brackets; the value is joined over continuation lines and without blanks around it. A negative answer ends the
 * parsing and is its answer; the handler has filled d then, the line is added here. */
typedef int (*IniHandler)(const char *section, const char *key, const char *value, unsigned line, Diagnosis *d,
                          void *userdata);

/* 0, what the handler answered, -EINVAL (not in that syntax), -E2BIG (a limit), -ENOMEM. d gets the sentence and the
 * line (the first one of a continued line), not the file. */
int ini_parse(const char *text, size_t size, IniHandler handler, void *userdata, Diagnosis *d);
