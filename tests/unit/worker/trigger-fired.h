/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The reports of a source of triggers, until which the loop runs. */

#include <stdio.h>
#include "loop.h"

typedef struct Fired {
        unsigned calls, n;
        char detail[512];
        Loop *loop;
} Fired;

static inline int fired(void *userdata, const char *detail, unsigned n) {
        Fired *f = userdata;

        f->calls++;
        f->n += n;
        (void) snprintf(f->detail, sizeof(f->detail), "%s", detail);
        loop_stop(f->loop);
        return 0;
}
