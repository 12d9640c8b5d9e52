/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The keys of the rows' view are one table, of which the help is made. Letters are those of perf report and perf top where these
 * have them. */

#include "array.h"
#include "browser-parts.h"

#define TO_THE_END ((ssize_t) 1 << 48)

static const BrowserGroup all_groups[] = {
        { "command, library, function", { REPORT_FIELD_COMM, REPORT_FIELD_DSO, REPORT_FIELD_SYMBOL }, 3 },
        { "library, function", { REPORT_FIELD_DSO, REPORT_FIELD_SYMBOL }, 2 },
        { "function", { REPORT_FIELD_SYMBOL, REPORT_FIELD_DSO }, 2 },
        { "library", { REPORT_FIELD_DSO }, 1 },
        { "command", { REPORT_FIELD_COMM }, 1 },
        { "thread", { REPORT_FIELD_PID }, 1 },
        { "unit", { REPORT_FIELD_UNIT, REPORT_FIELD_COMM }, 2 },
        { "CPU", { REPORT_FIELD_CPU }, 1 },
        { "time", { REPORT_FIELD_TIME }, 1 },
};

static bool same_keys(const BrowserGroup *g, const BrowseChoice *c) {
        return g->n_keys == c->n_keys && memcmp(g->keys, c->keys, c->n_keys * sizeof(*c->keys)) == 0;
}

void browser_find_groups(Browser *b) {
        if (b->choice.n_keys == 0) {
                memcpy(b->choice.keys, all_groups[0].keys, sizeof(b->choice.keys));
                b->choice.n_keys = all_groups[0].n_keys;
        }
        for (size_t i = 0; i < ELEMENTSOF(all_groups); i++) {
                ReportField first = all_groups[i].keys[0];

                if ((first == REPORT_FIELD_UNIT && !b->face->has_units) || (first == REPORT_FIELD_CPU && !b->face->has_cpus) ||
                    (first == REPORT_FIELD_TIME && !b->face->has_slices))
                        continue;
                if (same_keys(all_groups + i, &b->choice))
                        b->group = b->n_groups;
                b->groups[b->n_groups++] = all_groups[i];
        }
        if (same_keys(b->groups + b->group, &b->choice))
                return;
        b->groups[b->n_groups] = (BrowserGroup) { .name = "what --sort says", .n_keys = b->choice.n_keys };
        memcpy(b->groups[b->n_groups].keys, b->choice.keys, sizeof(b->choice.keys));
        b->group = b->n_groups++;
}

static void press_group(Browser *b, int step) {
        b->group = (b->group + b->n_groups + (size_t) step) % b->n_groups;
        memcpy(b->choice.keys, b->groups[b->group].keys, sizeof(b->choice.keys));
        b->choice.n_keys = b->groups[b->group].n_keys;
        b->view.cursor = b->view.top = 0;
        browser_remake(b);
}

/* The next event that has samples. */
static void press_event(Browser *b, int step) {
        size_t n;
        const SampleEvent *events = sample_table_events(b->face->table, &n);
        size_t event = b->choice.event;

        do
                event = (event + n + (size_t) step) % n;
        while (events[event].selected == 0 && event != b->choice.event);
        if (event == b->choice.event) {
                browser_say(b, "There are no samples of another event");
                return;
        }
        b->choice.event = (uint32_t) event;
        b->choice.children = b->choice.children && events[event].callchain;
        b->view.cursor = b->view.top = 0;
        browser_remake(b);
}

static void press_zoom(Browser *b, int kind) {
        const BrowseLine *line = browse_view_line(&b->view);
        SampleZoom zoom = {};
        int r = kind == ZOOM_KERNEL ? sample_zoom_init(&zoom, ZOOM_KERNEL, 0, 0, b->face->table, b->face->names) :
                line ? browse_table_zoom(b->view.table, line, (ZoomKind) kind, &zoom) : -ENODATA;

        if (r == -ENODATA)
                browser_say(b, "This row has no %s: g groups rows in other ways", zoom_kind_to_string((ZoomKind) kind));
        else
                browser_note(b, r);
        if (r < 0 || !browser_keep_step(b)) {
                sample_zoom_done(&zoom);
                return;
        }
        b->choice.zooms[b->choice.n_zooms++] = zoom;
        browser_remake(b);
}

static void press_toggle(Browser *b, int unused) {
        const BrowseLine *line = browse_view_line(&b->view);

        if (!line)
                return;
        if (!line->can_open)
                browser_say(b, "There is nothing below");
        browser_note(b, browse_table_toggle(b->view.table, b->view.cursor));
        if (b->face->update) /* what the table was made of has changed */
                browser_remake_at(b, b->view.cursor);
}

static void press_open_all(Browser *b, int open) {
        if (b->view.table)
                browser_note(b, browse_table_open_all(b->view.table, open));
        if (!open)
                b->view.cursor = b->view.top = 0;
        if (b->face->update)
                browser_remake(b);
}

/* A function's samples are those of what it called only where callers count. */
static void choose_calls(Browser *b, bool children, bool caller) {
        size_t n;

        if (!sample_table_events(b->face->table, &n)[b->choice.event].callchain) {
                browser_say(b, "The samples have no call chains");
                return;
        }
        b->choice.children = children;
        b->choice.caller = caller;
        browser_say(b, "Below a row %s%s", caller ? "is what it calls" : "are its callers",
                    children ? "; samples count for callers, too" : "");
        browser_remake(b);
}

static void press_order(Browser *b, int unused) {
        choose_calls(b, b->choice.children || !b->choice.caller, !b->choice.caller);
}

static void press_children(Browser *b, int unused) {
        choose_calls(b, !b->choice.children, !b->choice.children);
}

static void press_relative(Browser *b, int unused) {
        b->choice.relative = !b->choice.relative;
        browser_say(b, b->choice.relative ? "Shares are parts of what is shown" : "Shares are parts of all samples");
        browser_remake(b);
}

static void press_numbers(Browser *b, int unused) {
        bool both = b->choice.samples && b->choice.period;

        b->choice.period = b->choice.samples && !both;
        b->choice.samples = !both;
        browser_remake(b);
}

static void press_side(Browser *b, int kernel) {
        bool *hidden = kernel ? &b->choice.hide_kernel : &b->choice.hide_user;

        *hidden = !*hidden;
        (kernel ? &b->choice.hide_user : &b->choice.hide_kernel)[0] = false;
        browser_remake(b);
}

static void filter_as_typed(Browser *b) {
        BrowseTable *t = b->view.table;

        free(b->choice.filter);
        b->choice.filter = *b->prompt.text ? strdup(b->prompt.text) : NULL;
        b->view.cursor = b->view.top = 0;
        if (t)
                browser_note(b, browse_table_filter(t, b->choice.filter));
        if (b->pending)
                browser_note(b, browse_table_filter(b->pending, b->choice.filter));
}

static void press_filter(Browser *b, int unused) {
        browser_ask(b, "Rows with", b->choice.filter, filter_as_typed, filter_as_typed);
}

static void take_least(Browser *b) {
        double least;

        if (!browser_parse_number(b->prompt.text, &least) || !(least >= 0 && least <= 100)) {
                browser_say(b, "'%s' is no percentage from 0 to 100", b->prompt.text);
                return;
        }
        b->choice.least = least;
        browser_remake(b);
}

static void press_least(Browser *b, int unused) {
        char text[32];

        (void) snprintf(text, sizeof(text), "%g", b->choice.least);
        browser_ask(b, "Leave out what is less than, in percent", text, NULL, take_least);
}

/* "1.5-2.5": seconds from the begin. */
static void take_times(Browser *b) {
        char *dash = strchr(b->prompt.text, '-');
        double from = 0, to = 0;

        if (!*b->prompt.text) {
                b->span = b->end = 0;
                browser_remake(b);
                return;
        }
        if (dash)
                *dash++ = '\0';
        if (!dash || !browser_parse_number(b->prompt.text, &from) || !browser_parse_number(dash, &to) ||
            !(from >= 0 && to > from && to < 1e9)) {
                browser_say(b, "Times are FROM-TO, in seconds from the begin, as 1.5-2.5");
                return;
        }
        if (!browser_keep_step(b))
                return;
        b->span = (uint64_t) ((to - from) * NSEC_PER_SEC);
        b->end = b->face->slice_first + (uint64_t) (to * NSEC_PER_SEC);
        browser_remake(b);
}

static void press_times(Browser *b, int unused) {
        char text[64];

        if (!b->face->has_slices) {
                browser_say(b, "The samples have no times");
                return;
        }
        (void) snprintf(text, sizeof(text), "0-%.2f", (double) (b->face->slice_last - b->face->slice_first) / NSEC_PER_SEC);
        browser_ask(b, "Seconds from the begin, FROM-TO", text, NULL, take_times);
}

/* Half a window back or forward. The last one goes on with the time. */
static void press_earlier(Browser *b, int step) {
        uint64_t half = b->span / 2, end = b->end > 0 ? b->end : b->face->slice_last;

        if (b->span == 0) {
                browser_say(b, b->face->has_slices ? "All of the time is shown: T, 1 or 2 chooses a part" :
                                                     "The samples have no times");
                return;
        }
        if (step < 0)
                end = end > b->face->slice_first + b->span + half ? end - half : MIN_OF(end, b->face->slice_first + b->span);
        else
                end += half;
        b->end = end >= b->face->slice_last ? 0 : end;
        browser_remake(b);
}

static void press_span(Browser *b, int seconds) {
        if (!b->face->has_slices) {
                browser_say(b, "The samples have no times");
                return;
        }
        b->span = (uint64_t) seconds * NSEC_PER_SEC;
        b->end = 0;
        browser_remake(b);
}

static void press_pause(Browser *b, int unused) {
        if (b->face->update)
                b->face->paused = !b->face->paused;
        else
                browser_say(b, "A recording does not change");
}

static void press_help(Browser *b, int unused);

static void press_details(Browser *b, int unused) {
        browser_show_details(b);
}

static void press_write(Browser *b, int unused) {
        browser_write_file(b);
}

static void press_back(Browser *b, int unused) {
        if (b->choice.filter && b->n_steps == 0) {
                *b->prompt.text = '\0';
                filter_as_typed(b);
        } else if (b->end > 0 && b->n_steps == 0) { /* from an earlier part of the time */
                b->end = 0;
                browser_remake(b);
        } else
                browser_go_back(b);
}

static const struct {
        uint32_t key;
        const char *name; /* NULL: the key itself */
        void (*press)(Browser *b, int number);
        int number;
        const char *help; /* NULL: the one before says it */
} keys[] = {
        { SCREEN_KEY_ENTER, "Enter", press_toggle, 0, "show or hide the calls of a row" },
        { 'e', NULL, press_toggle, 0, NULL },
        { '+', NULL, press_toggle, 0, NULL },
        { 'E', NULL, press_open_all, 1, "show the calls of all rows, and of those below; C hides them" },
        { 'C', NULL, press_open_all, 0, NULL },
        { 'o', NULL, press_order, 0, "show callers below rows, or what they call" },
        { 'H', NULL, press_children, 0, "count samples for callers, too, or not" },
        { 'g', NULL, press_group, 1, "group rows in the next way; G in the one before" },
        { 'G', NULL, press_group, -1, NULL },
        { SCREEN_KEY_TAB, "Tab", press_event, 1, "show the next event" },
        { SCREEN_KEY_BACK_TAB, "Shift-Tab", press_event, -1, NULL },
        { 't', NULL, press_zoom, ZOOM_THREAD, "only the row's thread" },
        { 'c', NULL, press_zoom, ZOOM_COMMAND, "only its command" },
        { 'u', NULL, press_zoom, ZOOM_UNIT, "only its unit" },
        { 'd', NULL, press_zoom, ZOOM_LIBRARY, "only its library or program" },
        { 'f', NULL, press_zoom, ZOOM_FUNCTION, "only samples of the row's function, and of what it called" },
        { 'p', NULL, press_zoom, ZOOM_CPU, "only its CPU" },
        { 'k', NULL, press_zoom, ZOOM_KERNEL, "only what the kernel did" },
        { 'K', NULL, press_side, 1, "without what the kernel did; U without what programs did" },
        { 'U', NULL, press_side, 0, NULL },
        { SCREEN_KEY_ESCAPE, "Esc", press_back, 0, "go a step back" },
        { SCREEN_KEY_BACKSPACE, "Backspace", press_back, 0, NULL },
        { '/', NULL, press_filter, 0, "only rows that have a text, as it is typed" },
        { 'L', NULL, press_least, 0, "leave out rows and calls of less than a percentage" },
        { 'F', NULL, press_relative, 0, "shares of what is shown, or of all samples" },
        { 'n', NULL, press_numbers, 0, "show the number of samples, and periods" },
        { 'T', NULL, press_times, 0, "only a part of the time" },
        { '1', NULL, press_span, 5, "the last 5 seconds; 2 the last 30, 3 all" },
        { '2', NULL, press_span, 30, NULL },
        { '3', NULL, press_span, 0, NULL },
        { '<', NULL, press_earlier, -1, "an earlier part of the time; > a later one" },
        { '>', NULL, press_earlier, 1, NULL },
        { ' ', "Space", press_pause, 0, "pause, and go on" },
        { 'v', NULL, press_details, 0, "all of a row, uncut" },
        { 'w', NULL, press_write, 0, "write what is seen to a file" },
        { '?', NULL, press_help, 0, "this help" },
        { 'h', NULL, press_help, 0, NULL },
        { SCREEN_KEY_HELP, "F1", press_help, 0, NULL },
};

static bool browser_move(Browser *b, uint32_t key) {
        const BrowseLine *line = browse_view_line(&b->view);
        ssize_t page = (ssize_t) b->height;

        switch (key) {
        case SCREEN_KEY_UP:
                browse_view_move(&b->view, -1);
                break;
        case SCREEN_KEY_DOWN:
                browse_view_move(&b->view, 1);
                break;
        case SCREEN_KEY_PAGE_UP:
                browse_view_move(&b->view, -page);
                break;
        case SCREEN_KEY_PAGE_DOWN:
                browse_view_move(&b->view, page);
                break;
        case SCREEN_KEY_HOME:
                browse_view_move(&b->view, -TO_THE_END);
                break;
        case SCREEN_KEY_END:
                browse_view_move(&b->view, TO_THE_END);
                break;
        case SCREEN_KEY_LEFT:
        case SCREEN_KEY_RIGHT:
                if (b->span > 0)
                        press_earlier(b, key == SCREEN_KEY_LEFT ? -1 : 1);
                else if (line && line->can_open && line->is_open == (key == SCREEN_KEY_LEFT))
                        press_toggle(b, 0);
                break;
        default:
                return false;
        }
        return true;
}

void browser_press_row_key(Browser *b, uint32_t key) {
        const BrowserFace *face = b->face;
        bool changed = false;
        const char *message;

        if (browser_move(b, key))
                return;
        for (size_t i = 0; i < face->n_commands; i++)
                if (face->commands[i].key == key) {
                        browser_run_command(b, face->commands + i);
                        return;
                }
        for (size_t i = 0; i < face->n_keys; i++)
                if (face->keys[i].key == key) {
                        message = face->keys[i].press(face->userdata, &changed);
                        if (message)
                                browser_say(b, "%s", message);
                        if (changed)
                                browser_remake(b);
                        return;
                }
        for (size_t i = 0; i < ELEMENTSOF(keys); i++)
                if (keys[i].key == key) {
                        keys[i].press(b, keys[i].number);
                        return;
                }
        browser_say(b, "No such key: ? shows all of them");
}

static void press_help(Browser *b, int unused) {
        const BrowserFace *face = b->face;
        TextBuffer *out = &b->text.text;

        browser_close_text(b);
        text_buffer_puts(out, "   Up, Down      move; PgUp, PgDn, Home and End, too\n"
                              "   Left, Right   an earlier or later part of the time, if a part is shown;\n"
                              "                 otherwise hide or show the calls of a row\n");
        for (size_t i = 0; i < ELEMENTSOF(keys); i++) {
                char letter[2] = { (char) keys[i].key, '\0' };

                if (keys[i].help)
                        text_buffer_format(out, "   %-13s %s\n", keys[i].name ?: letter, keys[i].help);
        }
        for (size_t i = 0; i < face->n_commands; i++)
                text_buffer_format(out, "   %-13c %s\n", (char) face->commands[i].key, face->commands[i].help);
        for (size_t i = 0; i < face->n_keys; i++)
                text_buffer_format(out, "   %-13c %s\n", (char) face->keys[i].key, face->keys[i].help);
        text_buffer_puts(out, "   Ctrl-L        draw the screen again\n"
                              "   q             leave\n\n"
                              "In a text: Up, Down, PgUp, PgDn, Home, End, Left and Right move, / searches,\n"
                              "n goes on, H goes to the line with the greatest number in front, w writes it,\n"
                              "q or Esc goes back.\n");
        browser_show(b, "Keys");
}
