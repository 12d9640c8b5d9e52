/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Columns fit the first entries, and those in sight, so that they stay where they are while one scrolls. A call has its share in
 * the first column, and its name at the left of the columns of text, moved by its depth. */

#include "browse-view.h"

#include "format-text.h"
#include "text-width.h"

#define FITTED ((size_t) 500)  /* of the first lines */
#define MARK_WIDTH 2u          /* "+ " */
#define WRITTEN_WIDTH 4000u    /* columns of a line in a file */
#define HOT 5.0
#define WARM 0.5

void browse_view_done(BrowseView *v) {
        browse_table_free(v->table);
        *v = (BrowseView) {};
}

void browse_view_set(BrowseView *v, BrowseTable *table, uint64_t identity) {
        size_t n, at = browse_table_find(table, identity);

        if (v->table != table)
                browse_table_free(v->table);
        v->table = table;
        (void) browse_table_lines(table, &n);
        if (at != SIZE_MAX) /* it stays at its height */
                v->top = at > v->cursor - v->top ? at - (v->cursor - v->top) : 0;
        if (at != SIZE_MAX)
                v->cursor = at;
        v->cursor = MIN_OF(v->cursor, n > 0 ? n - 1 : 0);
        v->top = MIN_OF(v->top, v->cursor);
}

void browse_view_move(BrowseView *v, ssize_t lines) {
        size_t n, steps = lines < 0 ? 0 - (size_t) lines : (size_t) lines;

        if (!v->table)
                return;
        (void) browse_table_lines(v->table, &n);
        if (lines < 0)
                v->cursor -= MIN_OF(steps, v->cursor);
        else if (n > 0)
                v->cursor += MIN_OF(steps, n - 1 - v->cursor);
}

const BrowseLine *browse_view_line(const BrowseView *v) {
        size_t n = 0;
        const BrowseLine *lines = v->table ? browse_table_lines(v->table, &n) : NULL;

        return v->cursor < n ? lines + v->cursor : NULL;
}

static PageStyle style_of_share(double percent) {
        return percent >= HOT ? PAGE_HOT : percent > WARM ? PAGE_WARM : PAGE_PLAIN;
}

static int view_fit(const BrowseView *v, ReportFit *fit, unsigned width, size_t from, size_t to) {
        size_t n;
        const BrowseLine *lines = browse_table_lines(v->table, &n);
        int r = 0;

        report_fit_init(fit, browse_table_columns(v->table), width > MARK_WIDTH ? width - MARK_WIDTH : 1);
        for (size_t i = 0; r >= 0 && i < to && i < n; i++) {
                if (i == FITTED)
                        i = MAX_OF(i, from);
                if (i < n && lines[i].node == 0)
                        r = report_fit_measure(fit, browse_table_entry(v->table, lines + i));
        }
        report_fit_finish(fit);
        return r;
}

static void view_put_titles(const ReportFit *fit, Page *page) {
        const ReportColumns *c = fit->columns;

        page_pad(page, PAGE_HEAD, MARK_WIDTH);
        for (size_t i = 0; i < c->n_shown; i++) {
                size_t begin = page->used, width = fit->widths[i];
                const char *title = report_columns_title(c, c->shown[i]);

                if (report_field_is_number(c->shown[i]))
                        page_pad(page, PAGE_HEAD, begin + width - MIN_OF(width, text_width(title)));
                page_put(page, PAGE_HEAD, title);
                page_pad(page, PAGE_HEAD, begin + width + REPORT_FIT_GAP);
        }
        page_pad(page, PAGE_HEAD, page->width);
        page_end_line(page, PAGE_HEAD);
}

static int view_put_entry(const ReportFit *fit, const ReportEntry *e, Page *page) {
        const ReportColumns *c = fit->columns;

        for (size_t i = 0; i < c->n_shown; i++) {
                _cleanup_free_ char *text = report_columns_field(c, c->shown[i], e);
                bool number = report_field_is_number(c->shown[i]);
                PageStyle style = PAGE_PLAIN;

                if (!text)
                        return -ENOMEM;
                if (number && strchr(text, '%'))
                        style = style_of_share(strtod(text, NULL));
                if (i > 0)
                        page_pad(page, PAGE_PLAIN, page->used + REPORT_FIT_GAP);
                page_put_cell(page, style, text, fit->widths[i], number);
        }
        return 0;
}

static int view_put_call(const BrowseView *v, const ReportFit *fit, const BrowseLine *line, const char *mark, Page *page) {
        const ReportColumns *c = fit->columns;
        const PlaceNames *names = c->report->names;
        uint32_t place = browse_table_place(v->table, line);
        const NamedSymbol *symbol = names->symbols + names->symbol_of[place];
        double percent = 100.0 * (double) browse_table_weight(v->table, line) / (double) MAX_OF(c->total, UINT64_C(1));
        _cleanup_free_ char *share = format_text("%.2f%%", percent);
        size_t begin = page->used;

        if (!share)
                return -ENOMEM;
        page_put_cell(page, style_of_share(percent), share, fit->widths[0], true);
        for (size_t i = 0; i < c->n_shown && report_field_is_number(c->shown[i]); i++)
                begin += fit->widths[i] + REPORT_FIT_GAP;
        page_pad(page, PAGE_PLAIN, begin + 2 * (size_t) MIN_OF(line->depth, page->width / 4));
        page_put(page, PAGE_PLAIN, mark);
        if (symbol->name)
                page_put(page, PAGE_PLAIN, symbol->name);
        else {
                const char *library = place_names_text(names, place_names_dso(names, c->report->places->places + place));

                page_format(page, PAGE_PLAIN, *library == '[' ? "%s" : "[%s]", library);
        }
        return 0;
}

static int view_put_line(const BrowseView *v, const ReportFit *fit, const BrowseLine *line, Page *page) {
        const char *mark = !line->can_open ? "  " : line->is_open ? "- " : "+ ";
        int r;

        if (line->node == 0) {
                page_put(page, PAGE_PLAIN, mark);
                r = view_put_entry(fit, browse_table_entry(v->table, line), page);
        } else {
                page_pad(page, PAGE_PLAIN, MARK_WIDTH);
                r = view_put_call(v, fit, line, mark, page);
        }
        page_end_line(page, PAGE_PLAIN);
        return r;
}

int browse_view_put(BrowseView *v, Page *page, unsigned height) {
        size_t n, rows = height > 1 ? height - 1 : 1;
        const BrowseLine *lines = browse_table_lines(v->table, &n);
        ReportFit fit;
        int r;

        if (v->cursor < v->top)
                v->top = v->cursor;
        if (v->cursor >= v->top + rows)
                v->top = v->cursor - rows + 1;
        if (v->top + rows > n) /* no empty lines below, after the screen has grown */
                v->top = n > rows ? n - rows : 0;
        r = view_fit(v, &fit, page->width, v->top, v->top + rows);
        if (height > 1)
                view_put_titles(&fit, page);
        for (size_t i = v->top; r >= 0 && height > 0 && i < n && i < v->top + rows; i++) {
                page->cursor = i == v->cursor;
                r = view_put_line(v, &fit, lines + i, page);
        }
        return r;
}

int browse_view_write(BrowseView *v, TextBuffer *out, bool utf8) {
        _cleanup_(page_done) Page page = {};
        _cleanup_free_ char *plain = NULL;
        size_t n;
        const BrowseLine *lines = browse_table_lines(v->table, &n);
        ReportFit fit;
        int r;

        page_begin(&page, WRITTEN_WIDTH, UINT32_MAX, utf8);
        r = view_fit(v, &fit, WRITTEN_WIDTH, 0, n);
        view_put_titles(&fit, &page);
        for (size_t i = 0; r >= 0 && i < n; i++)
                r = view_put_line(v, &fit, lines + i, &page);
        plain = r >= 0 ? page_plain(&page) : NULL;
        if (!plain)
                return -ENOMEM;
        text_buffer_puts(out, plain);
        return out->error;
}
