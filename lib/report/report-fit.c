/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Texts are cut in their middle, so that both the beginning of a name and its end stay. The widest column gives way first; that of
 * functions counts half, and what has room for a usual name two thirds, so that functions stay wider than the others. Numbers are
 * never cut. */

#include "report-fit.h"

#include "text-width.h"

#define WIDTH_LEAST 8u    /* of a column that gave way */
#define WIDTH_USUAL 17u   /* "[kernel.kallsyms]"; names of threads have 15 */

void report_fit_init(ReportFit *s, const ReportColumns *columns, unsigned width) {
        *s = (ReportFit) { .columns = columns, .width = width };
        for (size_t i = 0; i < columns->n_shown; i++)
                s->widths[i] = report_field_is_number(columns->shown[i]) ? columns->widths[columns->shown[i]] :
                               text_width(report_columns_title(columns, columns->shown[i]));
}

int report_fit_measure(ReportFit *s, const ReportEntry *e) {
        const ReportColumns *c = s->columns;

        for (size_t i = 0; i < c->n_shown; i++) {
                _cleanup_free_ char *text = !report_field_is_number(c->shown[i]) ? report_columns_field(c, c->shown[i], e) : NULL;

                if (!report_field_is_number(c->shown[i]) && !text)
                        return -ENOMEM;
                if (text)
                        s->widths[i] = MAX_OF(s->widths[i], text_width(text));
        }
        return 0;
}

void report_fit_finish(ReportFit *s) {
        const ReportColumns *c = s->columns;

        for (;;) {
                size_t total = REPORT_FIT_GAP * (c->n_shown - 1), widest = SIZE_MAX, most = 0;

                for (size_t i = 0; i < c->n_shown; i++) {
                        size_t width = s->widths[i], wide = width; /* wide: for how wide it counts */

                        if (report_field_is(c->shown[i], FIELD_LAST_CUT))
                                wide = width / 2;
                        else if (width <= WIDTH_USUAL)
                                wide = width * 2 / 3;
                        total += width;
                        if (report_field_is_number(c->shown[i]) || width <= WIDTH_LEAST || wide <= most)
                                continue;
                        most = wide;
                        widest = i;
                }
                if (total <= s->width || widest == SIZE_MAX)
                        return;
                s->widths[widest]--;
        }
}
