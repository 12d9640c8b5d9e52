/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"

/* Replaces the specifiers in a value of the session name, as in systemd.unit(5): %i instance, %I the same unescaped, %n
 * NAME.session, %N NAME, %p the name up to the "@", %H host name, %b boot id, %m machine id, %v kernel release, %u name and %U
 * number of the user, %% a percent sign. Others are not changed. Inserted text must not contain characters of barred. 0,
 * -ENOMEM, -E2BIG (the result exceeds LINE_SIZE_MAX), -EINVAL (a barred character, or %I cannot be unescaped), or the error
 * of determining a specifier's text, with d filled. */
int specifier_expand(const char *value, const char *name, const char *barred, char **ret, Diagnosis *d);
