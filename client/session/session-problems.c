/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The loader's errors and warnings about a session, one per line: "FILE:LINE: KEY: …". */

#include "session-problems.h"

#include "strv.h"
#include "text-width.h"

static void session_problems_print_line(const char *line) {
        _cleanup_free_ char *clean = line ? text_sanitize(line) : NULL;

        (void) fprintf(stderr, "%s\n", clean ?: strerror(ENOMEM));
}

bool session_problems_print(const SessionFile *f, bool warnings) {
        _cleanup_free_ char *error = NULL;

        if (warnings)
                STRV_FOREACH(w, f->warnings)
                        session_problems_print_line(*w);
        if (f->settings)
                return true;
        STRV_FOREACH(e, f->report.errors)
                session_problems_print_line(*e);
        if (f->report.errors)
                return false;
        error = diagnosis_format(&f->error);
        session_problems_print_line(error);
        return false;
}
