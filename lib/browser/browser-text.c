/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A text stands over the rows until the user goes back to them. One that a program prints is read while it is shown, and no further
 * once it is left. */

#include <inttypes.h>

#include "array.h"
#include "browser-parts.h"

#define SIDE_STEP 8

void browser_close_text(Browser *b) {
        if (b->source.state && b->source.done)
                b->source.done(b->source.state);
        b->source = (BrowserText) { .fd = -EBADF };
        text_pane_done(&b->text);
}

void browser_read_text(Browser *b) {
        int r;

        if (!b->source.state)
                return;
        r = b->source.read(b->source.state, &b->text.text);
        if (r >= 0 && text_pane_scan(&b->text) < 0)
                r = -ENOMEM;
        if (r > 0)
                return;
        if (r == 0 && b->source.hottest && b->text.top == 0)
                (void) text_pane_find_hottest(&b->text, b->height + 1);
        b->source.done(b->source.state);
        b->source = (BrowserText) { .fd = -EBADF };
        browser_note(b, r);
        if (r == 0 && b->text.n_lines == 0)
                browser_say(b, "There is nothing to show");
}

/* The zooms of the choice, and what the row has. */
static size_t subject_zooms(const Browser *b, const BrowseLine *line, SampleZoom *zooms, size_t max) {
        static const ZoomKind kinds[] = { ZOOM_COMMAND, ZOOM_THREAD, ZOOM_UNIT, ZOOM_LIBRARY, ZOOM_CPU };
        const BrowseChoice *c = browse_table_choice(b->view.table);
        size_t n = 0;

        for (; n < c->n_zooms && n < max; n++)
                if (sample_zoom_copy(zooms + n, c->zooms + n) < 0)
                        return n;
        for (size_t i = 0; line && i < ELEMENTSOF(kinds) && n < max; i++) {
                if (browse_table_zoom(b->view.table, line, kinds[i], zooms + n) >= 0)
                        n++;
                else
                        sample_zoom_done(zooms + n);
        }
        return n;
}

void browser_run_command(Browser *b, const BrowserCommand *command) {
        const BrowseLine *line = browse_view_line(&b->view);
        SampleZoom zooms[BROWSE_ZOOMS_MAX + _ZOOM_KIND_MAX] = {}, function = {};
        BrowserSubject subject = { .zooms = zooms };
        BrowserText text = { .fd = -EBADF };
        int r = 0;

        if (!b->view.table || (command->of_row && !line))
                return;
        subject.choice = browse_table_choice(b->view.table);
        if (line && browse_table_zoom(b->view.table, line, ZOOM_FUNCTION, &function) >= 0)
                subject.function = function.text;
        if (line)
                subject.place = browse_table_place(b->view.table, line);
        if (command->of_function && !subject.function)
                browser_say(b, "This row is no function with a name: g groups rows in other ways");
        else {
                subject.n_zooms = subject_zooms(b, command->of_row ? line : NULL, zooms, ELEMENTSOF(zooms));
                r = command->run(b->face->userdata, &subject, &text);
                browser_note(b, r);
                if (r == -EOPNOTSUPP)
                        browser_say(b, "They cannot be selected alone, by call chains or without a name: Esc goes a step back");
                if (r >= 0 && text.state) {
                        browser_close_text(b);
                        b->source = text;
                        b->text.title = strdup(command->title);
                        browser_read_text(b);
                }
        }
        for (size_t i = 0; i < subject.n_zooms; i++)
                sample_zoom_done(zooms + i);
        sample_zoom_done(&function);
}

void browser_show(Browser *b, const char *title) {
        b->text.title = strdup(title);
        if (!b->text.title || text_pane_scan(&b->text) < 0)
                browser_note(b, -ENOMEM);
}

void browser_show_details(Browser *b) {
        const BrowseLine *line = browse_view_line(&b->view);
        const ReportColumns *c;
        const ReportEntry *e;

        if (!line)
                return;
        c = browse_table_columns(b->view.table);
        e = browse_table_entry(b->view.table, line);
        browser_close_text(b);
        for (size_t i = 0; i < c->n_shown; i++) {
                _cleanup_free_ char *text = report_columns_field(c, c->shown[i], e);

                text_buffer_format(&b->text.text, "%15s: %s\n", report_columns_title(c, c->shown[i]), text ?: "?");
        }
        text_buffer_format(&b->text.text, "%15s: %" PRIu64 "\n%15s: %" PRIu64 "\n", "Samples", e->weight.count, "Period",
                           e->weight.period);
        if (line->node > 0) {
                const PlaceNames *names = c->report->names;
                const NamedSymbol *symbol = names->symbols + names->symbol_of[browse_table_place(b->view.table, line)];

                text_buffer_format(&b->text.text, "%15s: %s\n", "Call", symbol->name ?: "(no symbol)");
        }
        browser_show(b, "Row");
}

static void text_take_search(Browser *b) {
        free(b->text.search);
        b->text.search = *b->prompt.text ? strdup(b->prompt.text) : NULL;
        if (b->text.search && !text_pane_find(&b->text, b->text.search))
                browser_say(b, "'%s' is not in the text", b->text.search);
}

void browser_press_text_key(Browser *b, uint32_t key) {
        ssize_t page = (ssize_t) b->height;

        switch (key) {
        case SCREEN_KEY_UP:
                text_pane_move(&b->text, -1, b->height + 1);
                break;
        case SCREEN_KEY_DOWN:
        case SCREEN_KEY_ENTER:
                text_pane_move(&b->text, 1, b->height + 1);
                break;
        case SCREEN_KEY_PAGE_UP:
                text_pane_move(&b->text, -page, b->height + 1);
                break;
        case SCREEN_KEY_PAGE_DOWN:
        case ' ':
                text_pane_move(&b->text, page, b->height + 1);
                break;
        case SCREEN_KEY_HOME:
                b->text.top = 0;
                break;
        case SCREEN_KEY_END:
                text_pane_move(&b->text, (ssize_t) 1 << 48, b->height + 1);
                break;
        case SCREEN_KEY_LEFT:
        case SCREEN_KEY_RIGHT:
                text_pane_move_side(&b->text, key == SCREEN_KEY_LEFT ? -SIDE_STEP : SIDE_STEP);
                break;
        case '/':
                browser_ask(b, "Search", NULL, NULL, text_take_search);
                break;
        case 'n':
                if (b->text.search)
                        (void) text_pane_find(&b->text, b->text.search);
                break;
        case 'H':
                if (!text_pane_find_hottest(&b->text, b->height + 1))
                        browser_say(b, "No line has a number in front");
                break;
        case 'w':
                browser_write_file(b);
                break;
        case 'q':
        case SCREEN_KEY_ESCAPE:
        case SCREEN_KEY_BACKSPACE:
        case '?':
        case 'h':
                browser_close_text(b);
                break;
        default:
                browser_say(b, "q goes back to the rows");
        }
}

void browser_write_file(Browser *b) {
        _cleanup_(text_buffer_done) TextBuffer out = {};
        _cleanup_free_ char *name = NULL;
        int r = 0;

        if (!b->face->write || (!b->text.title && !b->view.table)) {
                browser_say(b, "Nothing can be written here");
                return;
        }
        if (b->text.title)
                text_buffer_put(&out, b->text.text.data ?: "", b->text.text.n);
        else
                r = browse_view_write(&b->view, &out, b->utf8);
        if (r >= 0)
                r = out.error;
        if (r >= 0)
                r = b->face->write(b->face->userdata, out.data ?: "", out.n, &name);
        if (r >= 0)
                browser_say(b, "Written to %s", name);
        else
                browser_say(b, "Failed to write: %s", strerror(-r));
}
