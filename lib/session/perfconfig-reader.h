/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"

/* The syntax of perfconfig files, which is git-config's, as perf reads it: [section] in lower case, key = value with
 * quotes, backslash escapes and # or ; comments. */

#define PERFCONFIG_NAME_MAX 256   /* bytes of a section's or a key's name */
#define PERFCONFIG_VALUE_MAX 8192 /* bytes of a value */

/* Called for each section (key NULL) and each assignment; value is NULL for a key without one. A negative errno ends the
 * reading. */
typedef int (*PerfconfigHandler)(const char *section, const char *key, const char *value, unsigned line,
                                 void *userdata);

/* Reads the text. 0, the handler's error, or -EINVAL, -E2BIG with sentence and line in d. */
int perfconfig_read(const char *text, size_t size, PerfconfigHandler handler, void *userdata, Diagnosis *d);
