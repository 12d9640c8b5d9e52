/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A row that does not fit has its texts cut in their middle; what used the time stands above the rows. */

#include "report-screen.h"

#include <inttypes.h>

#include "format-text.h"
#include "labelled-line.h"
#include "sample-users.h"
#include "terminal.h"
#include "text-width.h"

#define LINES 2           /* of units, and of processes */
#define UNNAMED_LEAST 1.0 /* percent */
#define MORE_WIDTH 22u    /* of ", 1234 more 12.3%" */

static double share_of(uint64_t part, uint64_t all) {
        return 100.0 * (double) part / (double) MAX_OF(all, 1u);
}

/* "web.service 21.2%, db.service 9.8%, 3 more 1.2%": as many of them as fit into two lines. */
static void print_users(const ReportScreen *s, const char *label, const SampleUser *users, size_t n, FILE *f) {
        size_t used = LABEL_WIDTH + 2, lines = 1, i = 0;
        uint64_t rest = 0;

        for (size_t k = 0; k < n; k++)
                rest += users[k].period;
        (void) fprintf(f, "%*s: ", LABEL_WIDTH, label);
        for (; i < n; i++) {
                bool several = users[i].processes > 1 && streq(label, "Processes");
                _cleanup_free_ char *number = several ? format_text(" (%" PRIu64 ")", users[i].processes) : NULL;
                _cleanup_free_ char *text = format_text("%s%s%s %.1f%%", i > 0 ? ", " : "", users[i].name, number ?: "",
                                                        share_of(users[i].period, s->fit.columns->total));
                size_t width = text ? text_width(text) : 0;

                if (i > 0 && used + width + 1 + (lines == LINES && i + 1 < n ? MORE_WIDTH : 0) > s->fit.width) {
                        if (lines++ == LINES)
                                break;
                        (void) fprintf(f, ",\n%*s", LABEL_WIDTH + 2, "");
                        used = LABEL_WIDTH + 2;
                        (void) fputs(text ? text + 2 : "", f);
                } else
                        (void) fputs(text ?: "", f);
                used += width;
                rest -= users[i].period;
        }
        if (i < n)
                (void) fprintf(f, ", %zu more %.1f%%", n - i, share_of(rest, s->fit.columns->total));
        (void) fputc('\n', f);
}

static int screen_compare_users(const void *a, const void *b) {
        const SampleUser *x = a, *y = b;

        return x->period != y->period ? (x->period > y->period ? -1 : 1) : strcmp(x->name, y->name);
}

/* Names the binaries whose code has no symbols, and what helps. */
static int print_unnamed(const ReportScreen *s, const SampleRow *all, const uint32_t *rows, size_t n_rows, FILE *f) {
        const Report *report = s->fit.columns->report;
        const CodePlaces *places = report->places;
        _cleanup_free_ SampleUser *users = calloc(places->dsos->n + 1, sizeof(*users));
        uint64_t sum = 0;
        size_t n = 0;

        if (!users)
                return -ENOMEM;
        for (size_t i = 0; i < n_rows; i++) {
                const SampleRow *row = all + rows[i];
                const CodePlace *place = places->places + row->leaf;

                if (place->dso == DSO_NONE || report->names->symbol_of[row->leaf] > 0)
                        continue;
                users[place->dso].name = place_names_text(report->names, place_names_dso(report->names, place));
                users[place->dso].period += row->period;
                sum += row->period;
        }
        for (size_t i = 0; i < places->dsos->n; i++)
                if (users[i].name)
                        users[n++] = users[i];
        if (share_of(sum, s->fit.columns->total) < UNNAMED_LEAST)
                return 0;
        qsort(users, n, sizeof(*users), screen_compare_users);
        print_users(s, "No symbols", users, n, f);
        (void) fprintf(f, "%*sdebug symbols help; where it was made, 'perfctl cp DUMP --bundle'\n", LABEL_WIDTH + 2, "");
        return 0;
}

int report_screen_print_users(const ReportScreen *s, const SampleTable *t, const ReportGroup *g, const ReportOptions *o,
                              const uint32_t *rows, size_t n_rows, FILE *f) {
        _cleanup_free_ SampleUser *units = NULL, *processes = NULL;
        uint64_t idle = g->events->idle_period, lost = sample_table_totals(t)->lost_samples;
        bool no_idle = o->select.no_idle;
        size_t n_units = 0, n_processes = 0;
        int r = sample_users_by_unit(t, rows, n_rows, &units, &n_units);

        if (r >= 0 && g->events->tasks)
                r = sample_users_by_process(t, rows, n_rows, &processes, &n_processes);
        if (r < 0)
                return r;
        (void) fprintf(f, "%*s: %" PRIu64 " of ", LABEL_WIDTH, "Samples", g->events->samples);
        report_group_print(g, f);
        if (lost > 0)
                (void) fprintf(f, " (lost: %" PRIu64 ")", lost);
        if (idle > 0)
                (void) fprintf(f, "\n%*s: %.1f%%%s", LABEL_WIDTH, "Idle", share_of(idle, g->events->period + (no_idle ? idle : 0)),
                               no_idle ? ", left out of the shares" : "; --no-idle leaves it out of the shares");
        (void) fputc('\n', f);
        for (size_t i = 0; o->found.lent && i < o->found.lent->n; i++) {
                _cleanup_free_ char *phrase = lending_describe(&o->found.lent->all[i]);

                (void) fprintf(f, "%*s: %s\n", LABEL_WIDTH, "Lent", phrase ?: "");
        }
        if (n_units > 0)
                print_users(s, "Units", units, n_units, f);
        if (n_processes > 0)
                print_users(s, "Processes", processes, n_processes, f);
        r = print_unnamed(s, sample_table_rows(t, &(size_t) { 0 }), rows, n_rows, f);
        (void) fputc('\n', f);
        return r;
}

void report_screen_print_header(const ReportScreen *s, FILE *f) {
        const ReportColumns *c = s->fit.columns;
        size_t total = REPORT_FIT_GAP * (c->n_shown - 1);

        (void) fputs(c->colors ? "\033[0;4m" : "", f);
        for (size_t i = 0; i < c->n_shown; i++) {
                const char *title = report_columns_title(c, c->shown[i]);
                int width = (int) s->fit.widths[i];

                total += s->fit.widths[i];
                if (i + 1 == c->n_shown && c->colors) /* the line is as long as the screen is wide */
                        width += (int) (s->fit.width > total ? s->fit.width - total : 0);
                else if (i + 1 == c->n_shown && !report_field_is_number(c->shown[i]))
                        width = 0;
                (void) fprintf(f, "%*s%*s", i > 0 ? (int) REPORT_FIT_GAP : 0, "",
                               report_field_is_number(c->shown[i]) ? width : -width, title);
        }
        (void) fprintf(f, "%s\n", c->colors ? "\033[0m" : "");
}

int report_screen_print_row(const ReportScreen *s, const ReportEntry *e, FILE *f) {
        const ReportColumns *c = s->fit.columns;

        for (size_t i = 0; i < c->n_shown; i++) {
                _cleanup_free_ char *text = NULL, *cut = NULL;
                size_t width;

                (void) fprintf(f, "%*s", i > 0 ? (int) REPORT_FIT_GAP : 0, "");
                if (report_field_is_number(c->shown[i])) {
                        report_columns_print_field(c, c->shown[i], e, f);
                        continue;
                }
                text = report_columns_field(c, c->shown[i], e);
                cut = text ? text_cut_middle(text, s->fit.widths[i], terminal_get()->utf8) : NULL;
                if (!cut)
                        return -ENOMEM;
                width = text_width(cut);
                (void) fprintf(f, "%s%*s", cut,
                               i + 1 < c->n_shown && s->fit.widths[i] > width ? (int) (s->fit.widths[i] - width) : 0, "");
        }
        (void) fputc('\n', f);
        return 0;
}

void report_screen_leave_out(ReportScreen *s, const ReportEntry *e) {
        s->n_rest++;
        s->rest += e->weight.period;
}

void report_screen_print_rest(const ReportScreen *s, double limit, FILE *f) {
        if (s->n_rest > 0)
                (void) fprintf(f, "%7.2f%%  %zu %s of less than %g%% (--percent-limit=0 shows them)\n",
                               share_of(s->rest, s->fit.columns->total), s->n_rest, s->n_rest == 1 ? "row" : "rows", limit);
}
