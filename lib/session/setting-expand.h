/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"

/* Replaces the specifiers (specifier.h) in a file's value. The user who starts an instance chooses the session's name, so an
 * expansion must not change the value's structure: a command line is split into words first, and each word is expanded by
 * itself, as systemd does for ExecStart=; in other values a specifier must not bring in separators of events, of elements of
 * lists or of parts of a path, or operators of filters. *ret is a value for session_settings_set(). 0, -ENOMEM, -EINVAL, or an
 * error of specifier_expand(), with d filled. */
int setting_expand(const char *section, const char *key, const char *value, const char *name, char **ret, Diagnosis *d);
