/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"

/* Replaces the specifiers in a value as a file has it (specifier.h), so that the session's name, which is the choice of
 * whoever starts an instance, fills places of the value and never adds to its structure: a command line is split into words
 * first and each word expanded by itself, as systemd does for ExecStart=; in other values a specifier may not bring in
 * what separates events, elements of lists, operators of filters or parts of a path. *ret is what session_settings_set()
 * takes. 0, -ENOMEM, -EINVAL, or what specifier_expand() answers, with d filled. */
int setting_expand(const char *section, const char *key, const char *value, const char *name, char **ret, Diagnosis *d);
