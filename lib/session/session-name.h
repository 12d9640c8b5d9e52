/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "settings.h"

/* Names of sessions and of systemd's units, and their parts: PREFIX or PREFIX@INSTANCE, split at the first "@". */

/* The part behind the "@" ("" for a template), or NULL if there is no "@". Points into name. */
const char *session_name_instance(const char *name);

/* "PREFIX@" of an instance. 0, -EINVAL (not an instance), -ENOMEM. */
int session_name_template(const char *name, char **ret);

/* Unescapes text as systemd does for parts of unit names: "-" is "/", "\xNN" a byte. 0, -EINVAL, -ENOMEM. */
int unit_name_unescape(const char *s, char **ret);

/* The name of a template's ("upload@.service") instance for that text. 0, -EINVAL (no template), -ENAMETOOLONG, -ENOMEM. */
int unit_name_instantiate(const char *template, const char *instance, char **ret);

/* Returns the name or pattern with ".service" if it has no suffix of units, as systemctl completes it. NULL: no memory. */
char *unit_name_complete(const char *name);

/* True for a unit's full name, with a suffix of units (".service" …). */
bool unit_name_is_valid(const char *name);

/* True for a pattern of such names (fnmatch(3)), with a whole suffix: "web-*.service". */
bool unit_name_is_pattern(const char *name);
