/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf-recorder-meter top: samples are shown while they are taken. */

#include "verb-top.h"

#include "top.h"

int verb_top(int argc, char **argv) {
        _cleanup_(top_options_done) TopOptions o = {};
        int r = top_options_parse(&o, argc, argv);

        if (r == -ENOMEM)
                (void) fprintf(stderr, "Out of memory\n");
        return r < 0 ? EXIT_FAILURE : r > 0 ? EXIT_SUCCESS : top(&o, stdout);
}
