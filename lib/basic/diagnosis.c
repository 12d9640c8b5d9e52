/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The diagnosis of a wrong input. The deepest parser knows best what is wrong, its callers know best where that
 * stands: so the sentence and each part of the place are set once, by whoever comes first. Running out of memory while
 * a diagnosis is filled leaves parts of it empty, never the caller's error lost. */

#include "diagnosis.h"

#include <stdarg.h>

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
        if (vasprintf(&d->sentence, format, ap) < 0)
                d->sentence = NULL;
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
        char *s;

        if (d->line > 0)
                (void) snprintf(place, sizeof(place), "%u: ", d->line);

        if (asprintf(&s, "%s%s%s%s%s%s",
                     d->file ?: d->line > 0 ? "line " : "",
                     d->file ? d->line > 0 ? ":" : ": " : "",
                     place,
                     d->key ?: "", d->key ? ": " : "",
                     d->sentence ?: "not valid") < 0)
                return NULL;
        return s;
}
