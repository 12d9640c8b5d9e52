/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "settings.h"

/* Names of sessions and of systemd's units, and their parts: PREFIX or PREFIX@INSTANCE, parted at the first "@". */

/* The part behind the "@" ("" for a template), or NULL if there is no "@". Within name. */
const char *session_name_instance(const char *name);

/* "PREFIX@" of an instance. 0, -EINVAL (not an instance), -ENOMEM. */
int session_name_template(const char *name, char **ret);

/* As systemd unescapes the parts of unit names: "-" is "/", "\xNN" a byte. 0, -EINVAL, -ENOMEM. */
int unit_name_unescape(const char *s, char **ret);

/* As systemd-escape(1) escapes text for a unit's name. 0, -ENOMEM. */
int unit_name_escape(const char *s, char **ret);

/* "upload@.service", a template, with that text as its instance, escaped. 0, -EINVAL (no template), -ENAMETOOLONG, -ENOMEM. */
int unit_name_instantiate(const char *template, const char *instance, char **ret);

/* A unit's full name, with a suffix that units have (".service" …). */
bool unit_name_is_valid(const char *name);
