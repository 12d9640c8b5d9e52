/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* asprintf(3) leaves its result undefined on failure, which each caller would have to undo before a cleanup sees it; here the
 * result is the string or NULL. */

#include "format-text.h"

char *format_text_va(const char *format, va_list ap) {
        char *s;

        return vasprintf(&s, format, ap) < 0 ? NULL : s;
}

char *format_text(const char *format, ...) {
        va_list ap;
        char *s;

        va_start(ap, format);
        s = format_text_va(format, ap);
        va_end(ap);
        return s;
}
