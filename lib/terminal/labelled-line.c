/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lines of the form "Label: text", as in systemctl status: the colons are aligned, and text that does not fit is cut behind a
 * word, or goes on below its beginning. Control characters in the text are replaced. */

#include "labelled-line.h"

#include <inttypes.h>
#include <stdarg.h>

#include "format-text.h"
#include "terminal.h"
#include "text-width.h"

void line_print_rest(const char *text, unsigned columns, size_t used) {
        _cleanup_free_ char *clean = text_sanitize(text), *cut = NULL;

        if (clean && columns > 0) /* a line that is full already gets the sign that something is missing */
                cut = text_ellipsize(clean, columns > used ? columns - used : 1, true, terminal_get()->utf8);
        (void) puts(cut ? cut : clean ? clean : "");
}

void line_print_wrapped(const char *text, unsigned columns, size_t used) {
        _cleanup_free_ char *clean = text_sanitize(text);
        char *rest, *word = clean ? strtok_r(clean, " ", &rest) : NULL;

        for (size_t at = used; word; word = strtok_r(NULL, " ", &rest)) {
                size_t width = text_width(word);
                bool first = at == used;

                if (!first && columns > 0 && at + 1 + width > columns) {
                        (void) printf("\n%*s", (int) used, "");
                        at = used;
                } else if (!first) {
                        (void) putchar(' ');
                        at++;
                }
                (void) fputs(word, stdout);
                at += width;
        }
        (void) putchar('\n');
}

void line_print_label(const char *label) {
        (void) printf("%*s: ", LABEL_WIDTH, label);
}

void line_print(unsigned columns, const char *label, const char *format, ...) {
        _cleanup_free_ char *text = NULL;
        va_list ap;

        va_start(ap, format);
        text = format_text_va(format, ap);
        va_end(ap);
        if (!text)
                return;
        line_print_label(label);
        line_print_rest(text, columns, LABEL_WIDTH + 2);
}

void line_print_if_set(unsigned columns, const char *label, const char *text) {
        if (*text)
                line_print(columns, label, "%s", text);
}

void line_print_samples(unsigned columns, uint64_t samples, uint64_t lost, uint64_t lost_records) {
        bool told = lost_records != UINT64_MAX;
        char known[32] = "not known";

        if (samples != UINT64_MAX)
                (void) snprintf(known, sizeof(known), "%" PRIu64, samples);
        line_print(columns, "Samples", "%s (lost: %s%" PRIu64 ")", known, told || lost == 0 ? "" : "up to ", lost);
        if (told && lost_records > 0)
                line_print(columns, "Lost", "%" PRIu64 " records of what processes did: some samples may have no symbols",
                           lost_records);
}
