/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"

/* Replaces the specifiers in a value of the session name, as systemd.unit(5) has them: %i instance, %I the same
 * unescaped, %n NAME.session, %N NAME, %p the name up to the "@", %H host name, %b boot id, %m machine id, %v kernel
 * release, %u name and %U number of the user, %% a percent sign. Others stay as they are. What stands for a specifier may
 * have none of the characters in barred. 0, -ENOMEM, -E2BIG (a result of more than LINE_SIZE_MAX), -EINVAL (one of barred, or
 * %I of what can't be unescaped), or what kept a specifier from being known, with d filled. */
int specifier_expand(const char *value, const char *name, const char *barred, char **ret, Diagnosis *d);
