/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Runs the user's editor on a file and waits for it: $SYSTEMD_EDITOR, $EDITOR or $VISUAL, otherwise editor, nano, vim or vi.
 * 0, or a negative errno. -ENOENT: none is installed; -EIO: it failed. */
int editor_run(const char *path);

/* Prints on standard error why editor_run() failed, with the editor and the variable that names it. */
void editor_say_failure(int r);
