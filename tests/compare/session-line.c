/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Prints the recorder's words for a session file, one a line, as the daemon makes them: session-line FILE [CGROUP]. */

#include <stdio.h>

#include "load.h"
#include "run-line.h"

int main(int argc, char **argv) {
        _cleanup_(session_file_freep) SessionFile *f = NULL;
        _cleanup_strv_free_ char **words = NULL;
        Diagnosis d = {};
        int r;

        if (argc < 2)
                return 2;
        r = session_file_verify(NULL, argv[1], &f);
        if (r < 0 || !f->settings || f->warnings) {
                (void) fprintf(stderr, "%s: %s\n", argv[1], r < 0 ? strerror(-r) : f->settings ? f->warnings[0] : f->error.sentence);
                return 1;
        }
        r = run_line_from_settings(f->settings, argc > 2 ? argv[2] : NULL, &words, &d);
        if (r < 0) {
                (void) fprintf(stderr, "%s: %s\n", argv[1], d.sentence);
                return 1;
        }
        STRV_FOREACH(word, words)
                (void) puts(*word);
        return 0;
}
