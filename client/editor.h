/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Runs the user's editor on a file and waits: $SYSTEMD_EDITOR, $EDITOR, $VISUAL, else editor, nano, vim, vi. 0, or a
 * negative errno: -ENOENT none is installed, -EIO it failed. */
int editor_run(const char *path);

/* Says on standard error why editor_run() failed: which editor it was, and which variable named it. */
void editor_say_failure(int r);
