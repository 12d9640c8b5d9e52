/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The end of a verb that failed. */

#include "exit-status.h"

#include <stdio.h>
#include <string.h>

int verb_fail(const char *what, int r) {
        (void) fflush(stdout);
        (void) fprintf(stderr, "Failed to %s: %s\n", what, strerror(-r));
        return STATUS_FAILED;
}
