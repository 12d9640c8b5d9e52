/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The diagnosis of a wrong input. The deepest parser knows best what is wrong, and its callers know the place: so the
 * sentence and each part of the place are set once, by the first function that does. If there is no memory, parts of
 * the diagnosis stay empty, but the caller's error is not lost. */

#include "diagnosis.h"

#include <stdarg.h>

#include "format-text.h"

void diagnosis_done(Diagnosis *d) {
        free(d->file);
        free(d->key);
        free(d->sentence);
}

int diagnosis_set(Diagnosis *d, int r, const char *format, ...) {
        va_list ap;

        if (!d || d->sentence)
                return r;

        va_start(ap, format);
        d->sentence = format_text_va(format, ap);
        va_end(ap);
        return r;
}

void diagnosis_locate(Diagnosis *d, const char *file, unsigned line, const char *key) {
        if (!d)
                return;

        if (!d->file && file)
                d->file = strdup(file);
        if (d->line == 0)
                d->line = line;
        if (!d->key && key)
                d->key = strdup(key);
}

char *diagnosis_format(const Diagnosis *d) {
        char place[16] = "";

        if (d->line > 0)
                (void) snprintf(place, sizeof(place), "%u: ", d->line);

        return format_text("%s%s%s%s%s%s",
                           d->file ?: d->line > 0 ? "line " : "",
                           d->file ? d->line > 0 ? ":" : ": " : "",
                           place,
                           d->key ?: "", d->key ? ": " : "",
                           d->sentence ?: "not valid");
}
