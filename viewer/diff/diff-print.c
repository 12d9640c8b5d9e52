/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Columns and their widths are those of perf diff. The mark of what changed is in the first of the two blanks behind the
 * difference, so that a line without one is perf's. */

#include "diff-print.h"

#include <inttypes.h>

#include "significance.h"
#include "terminal.h"
#include "text-width.h"

#define BASELINE_WIDTH 10u /* "# Baseline" */
#define PERIOD_WIDTH 14u

static const struct {
        const char *title;
        unsigned width;
} computed[_DIFF_COMPUTE_MAX] = {
        [DIFF_DELTA_ABS] = { "Delta Abs", 9 }, [DIFF_DELTA] = { "Delta", 7 }, [DIFF_RATIO] = { "Ratio", 14 },
};

static void diff_print_range(const DiffRange *range, const char *title, TextBuffer *out) {
        char loss[512], several[48];
        const char *recording = counted_samples_title(&range->samples);
        uint64_t selected = sample_table_selected(range->samples.table, &(uint64_t) { 0 });

        if (range->samples.inputs.n > 1) {
                (void) snprintf(several, sizeof(several), "%zu recordings", range->samples.inputs.n);
                recording = several;
        }
        text_buffer_format(out, "# %s: %s%s%s: %" PRIu64 " samples", title, recording,
                           *range->part ? ", " : "", range->part, selected);
        if (range->seconds > 0)
                text_buffer_format(out, " in %.3f s", range->seconds);
        if (counted_samples_loss(&range->samples, loss, sizeof(loss)))
                text_buffer_format(out, ", %s", loss);
        text_buffer_putc(out, '\n');
}

void diff_print_head(const DiffOptions *o, const DiffRange *ranges, TextBuffer *out) {
        diff_print_range(ranges + DIFF_BASELINE, "Baseline", out);
        diff_print_range(ranges + DIFF_COMPARED, "Compared", out);
        text_buffer_format(out, "# %s: of %s\n# *: changed; at most %g %% of all marks are expected to be chance\n#\n",
                           computed[o->compute].title, o->normalize == DIFF_BY_TIME ?
                           "what there is in the same time; 100 % is all of the baseline" : "the shares of all samples",
                           100 * SIGNIFICANCE_LEVEL);
}

/* Puts a number to the right of a column with blanks before it, or behind a separator if there are any. */
static void diff_put_number(const DiffTable *t, const char *text, unsigned blanks, unsigned width, TextBuffer *out) {
        if (t->options->separator && blanks > 0)
                text_buffer_putc(out, t->options->separator);
        if (!t->options->separator)
                text_buffer_padded(out, text, blanks + width);
        else
                text_buffer_puts(out, text);
}

static void diff_put_period(const DiffTable *t, const DiffRow *row, unsigned range, unsigned blanks, TextBuffer *out) {
        char text[32];

        (void) snprintf(text, sizeof(text), "%" PRIu64, row->weight[range]);
        if (t->options->period)
                diff_put_number(t, text, blanks, PERIOD_WIDTH, out);
}

static void diff_put_numbers(const DiffTable *t, const DiffRow *row, TextBuffer *out) {
        DiffCompute compute = t->options->compute;
        char text[64] = "";

        if (row->samples[DIFF_BASELINE] > 0)
                (void) snprintf(text, sizeof(text), t->options->separator ? "%.2f" : "%.2f%%", row->percent[DIFF_BASELINE]);
        diff_put_number(t, text, 0, BASELINE_WIDTH, out);
        diff_put_period(t, row, DIFF_BASELINE, 2, out);
        if (compute != DIFF_RATIO)
                (void) snprintf(text, sizeof(text), "%+.2f%%", diff_row_delta(row));
        else if (row->weight[DIFF_BASELINE] > 0)
                (void) snprintf(text, sizeof(text), "%.6f", row->percent[DIFF_COMPARED] / row->percent[DIFF_BASELINE]);
        else
                *text = '\0';
        diff_put_number(t, text, 2, computed[compute].width, out);
        if (row->changed || !t->options->separator)
                text_buffer_putc(out, row->changed ? '*' : ' ');
        diff_put_period(t, row, DIFF_COMPARED, 1, out);
}

static void diff_print_row(const DiffTable *t, const DiffRow *row, const size_t *widths, TextBuffer *out) {
        const DiffOptions *o = t->options;
        const char *text = diff_table_texts(t, row);
        Colour colour = !row->changed ? COLOUR_GREY : diff_row_delta(row) > 0 ? COLOUR_RED : COLOUR_GREEN;

        text_buffer_puts(out, colour_sequence(colour));
        diff_put_numbers(t, row, out);
        for (size_t i = 0; i < o->n_keys; i++, text += strlen(text) + 1) {
                if (o->separator) {
                        text_buffer_putc(out, o->separator);
                        for (const char *c = text + strspn(text, " "); *c; c++)
                                text_buffer_putc(out, *c == o->separator ? '.' : *c);
                        continue;
                }
                text_buffer_puts(out, i == 0 && !o->period ? " " : "  ");
                text_buffer_puts(out, text);
                for (size_t w = text_width(text); i + 1 < o->n_keys && w < widths[i]; w++)
                        text_buffer_putc(out, ' ');
        }
        text_buffer_puts(out, colour_sequence(COLOUR_NONE));
        text_buffer_putc(out, '\n');
}

/* A line of points is below each title. */
static void diff_put_title(const DiffTable *t, const char *title, size_t width, TextBuffer *out, TextBuffer *below) {
        if (t->options->separator) {
                text_buffer_putc(out, t->options->separator);
                text_buffer_puts(out, title);
                return;
        }
        text_buffer_format(out, "  %*s", (int) width, title);
        text_buffer_puts(below, "  ");
        for (size_t i = 0; i < (width > 0 ? width : strlen(title)); i++)
                text_buffer_putc(below, '.');
}

static void diff_print_titles(const DiffTable *t, const size_t *widths, TextBuffer *out) {
        _cleanup_(text_buffer_done) TextBuffer below = {};
        const DiffOptions *o = t->options;

        text_buffer_format(out, "# Event '%s'\n#\n# Baseline", t->event);
        text_buffer_puts(&below, "# ........");
        if (o->period)
                diff_put_title(t, "Base period", PERIOD_WIDTH, out, &below);
        diff_put_title(t, computed[o->compute].title, computed[o->compute].width, out, &below);
        if (o->period)
                diff_put_title(t, "Period", PERIOD_WIDTH, out, &below);
        for (size_t i = 0; i < o->n_keys; i++) {
                const char *title = diff_key_title(o->keys[i]);
                int width = i + 1 < o->n_keys ? (int) widths[i] : 0;

                diff_put_title(t, title, 0, out, &below);
                for (int w = (int) strlen(title); !o->separator && w < width; w++) {
                        text_buffer_putc(out, ' ');
                        text_buffer_putc(&below, '.');
                }
        }
        text_buffer_putc(&below, '\0');
        text_buffer_format(out, o->separator ? "\n" : "\n%s\n#\n", below.error < 0 ? "" : below.data);
        out->error = out->error < 0 ? out->error : below.error;
}

void diff_print_table(const DiffTable *t, TextBuffer *out) {
        size_t widths[_DIFF_KEY_MAX];

        for (size_t i = 0; i < t->options->n_keys; i++)
                widths[i] = strlen(diff_key_title(t->options->keys[i]));
        for (size_t k = 0; k < t->n; k++) {
                const char *text = diff_table_texts(t, t->rows + k);

                for (size_t i = 0; diff_table_shows(t, t->rows + k) && i < t->options->n_keys; i++, text += strlen(text) + 1)
                        widths[i] = MAX_OF(widths[i], text_width(text));
        }
        if (!t->options->quiet)
                diff_print_titles(t, widths, out);
        for (size_t k = 0; k < t->n; k++)
                if (diff_table_shows(t, t->rows + k))
                        diff_print_row(t, t->rows + k, widths, out);
}
