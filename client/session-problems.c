/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The loader's errors and warnings about a session, one per line: "FILE:LINE: KEY: …". */

#include "session-problems.h"

#include "strv.h"

bool session_problems_print(const SessionFile *f, bool warnings) {
        _cleanup_free_ char *error = NULL;

        if (warnings)
                STRV_FOREACH(w, f->warnings)
                        (void) fprintf(stderr, "%s\n", *w);
        if (f->settings)
                return true;
        STRV_FOREACH(e, f->report.errors)
                (void) fprintf(stderr, "%s\n", *e);
        if (f->report.errors)
                return false;
        error = diagnosis_format(&f->error);
        (void) fprintf(stderr, "%s\n", error ? error : strerror(ENOMEM));
        return false;
}
