/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Each change of the choice makes a table anew, in steps between which keys are taken; the one before stays in sight until the new one
 * is complete, and after that with its step, to go back to, unless its samples are those of a moment that is over.
 *
 * Invariant: nothing of the screen is known here but the numbers of keys; browser-run.c is what has a terminal. */

#include "browser.h"

#include <inttypes.h>
#include <stdarg.h>

#include "browser-parts.h"
#include "text-width.h"

#define FRAME_LINES 3u /* the bars, and the titles of columns */

void browser_say(Browser *b, const char *format, ...) {
        va_list arguments;

        va_start(arguments, format);
        (void) vsnprintf(b->message, sizeof(b->message), format, arguments);
        va_end(arguments);
}

void browser_note(Browser *b, int r) {
        if (r < 0)
                browser_say(b, "%s", strerror(-r));
}

Browser *browser_free(Browser *b) {
        if (!b)
                return NULL;
        for (size_t i = 0; i < b->n_steps; i++) {
                browse_view_done(&b->steps[i].view);
                browse_choice_done(&b->steps[i].choice);
        }
        browse_view_done(&b->view);
        browse_table_free(b->pending);
        browse_choice_done(&b->choice);
        browser_close_text(b);
        free(b);
        return NULL;
}

int browser_new(BrowserFace *face, bool utf8, Browser **ret) {
        _cleanup_(browser_freep) Browser *b = calloc(1, sizeof(*b));
        int r;

        if (!b)
                return -ENOMEM;
        b->face = face;
        b->utf8 = utf8;
        r = browse_choice_copy(&b->choice, &face->choice);
        if (r < 0)
                return r;
        browser_find_groups(b);
        browser_remake(b);
        *ret = steal_ptr(b);
        return 0;
}

/* Returns the times that the choice has: a window of the samples' time. */
static void browser_choose_times(Browser *b) {
        const BrowserFace *face = b->face;
        uint64_t end = b->end > 0 ? b->end : face->slice_last;

        b->choice.since = b->choice.until = 0;
        if (b->span == 0)
                return;
        b->choice.since = end > b->span ? end - b->span : 0;
        if (b->end > 0)
                b->choice.until = b->end;
}

void browser_remake(Browser *b) {
        b->pending = browse_table_free(b->pending);
        browser_choose_times(b);
        browser_note(b, browse_table_new(b->face->table, b->face->names, &b->choice, b->view.table, &b->pending));
        b->done = 0;
}

void browser_remake_at(Browser *b, size_t line) {
        uint64_t identity = b->view.table ? browse_table_identity(b->view.table, line) : 0;

        browser_remake(b);
        b->identity = identity;
}

bool browser_keep_step(Browser *b) {
        BrowserStep *step = b->steps + b->n_steps;

        if (b->n_steps == BROWSER_STEPS_MAX || b->choice.n_zooms == BROWSE_ZOOMS_MAX) {
                browser_say(b, "Too many steps: Esc goes back");
                return false;
        }
        *step = (BrowserStep) { .view = { .cursor = b->view.cursor, .top = b->view.top }, .span = b->span, .end = b->end,
                                .group = b->group };
        if (browse_choice_copy(&step->choice, &b->choice) < 0) {
                browse_choice_done(&step->choice);
                browser_note(b, -ENOMEM);
                return false;
        }
        b->n_steps++;
        b->stepped = true;
        return true;
}

void browser_go_back(Browser *b) {
        BrowserStep *step;

        if (b->n_steps == 0) {
                browser_say(b, "This is all there is: q leaves");
                return;
        }
        step = b->steps + --b->n_steps;
        browse_choice_done(&b->choice);
        b->choice = step->choice;
        b->span = step->span;
        b->end = step->end;
        b->group = step->group;
        b->pending = browse_table_free(b->pending);
        if (step->view.table) {
                browse_view_done(&b->view);
                b->view = step->view;
        } else if (!b->stepped) /* otherwise what is in sight is still what was seen before */
                browser_remake(b);
        b->stepped = false;
}

/* The table is complete. */
static void browser_take_pending(Browser *b) {
        BrowseView *kept = b->stepped && b->n_steps > 0 && !b->face->update ? &b->steps[b->n_steps - 1].view : NULL;

        if (kept)
                kept->table = steal_ptr(b->view.table);
        if (b->stepped)
                b->view.cursor = b->view.top = 0;
        browse_view_set(&b->view, steal_ptr(b->pending), b->stepped ? 0 : b->identity);
        b->stepped = false;
        b->identity = 0;
}

int browser_step(Browser *b) {
        int r = 0;

        if (b->pending) {
                r = browse_table_step(b->pending, &b->done);
                if (r == 0)
                        browser_take_pending(b);
                if (r < 0)
                        b->pending = browse_table_free(b->pending);
        } else if (b->view.table)
                r = browse_table_step(b->view.table, &b->done);
        browser_note(b, r);
        b->working = r > 0 || (r == 0 && b->pending);
        return b->working;
}

int browser_settle(Browser *b) {
        while (browser_step(b))
                ;
        return b->view.table ? 0 : -ENOMEM;
}

bool browser_press(Browser *b, uint32_t key) {
        if (key == SCREEN_KEY_NONE || key == SCREEN_KEY_REDRAW)
                return true;
        if (key == SCREEN_KEY_LEAVE)
                return false;
        *b->message = '\0';
        if (b->prompt.label)
                browser_press_prompt(b, key);
        else if (b->text.title)
                browser_press_text_key(b, key);
        else if (key == 'q' || key == 'Q')
                return false;
        else
                browser_press_row_key(b, key);
        return !b->ended;
}

static void put_count(Page *page, uint64_t n) {
        _cleanup_(text_buffer_done) TextBuffer number = {};

        text_buffer_grouped(&number, n);
        text_buffer_putc(&number, '\0');
        page_format(page, PAGE_BAR, "%s sample%s", number.error < 0 ? "?" : number.data, n == 1 ? "" : "s");
}

/* "web.data  cpu-clock  1,234 samples, 12.3%  [thread sh/12] [libc.so.6]" */
static void browser_put_title(const Browser *b, Page *page) {
        const BrowseChoice *c = b->view.table ? browse_table_choice(b->view.table) : &b->choice;
        const SampleEvent *event;
        uint64_t samples, period;
        size_t n_events;

        page_format(page, PAGE_BAR, " %s", b->text.title ?: b->face->name);
        if (!b->text.title && b->view.table) {
                event = sample_table_events(b->face->table, &n_events) + c->event;
                samples = browse_table_selected(b->view.table, &period);
                page_format(page, PAGE_BAR, "  %s  ", event->name);
                put_count(page, samples);
                if (period != event->period)
                        page_format(page, PAGE_BAR, ", %.1f%%", 100.0 * (double) period / (double) MAX_OF(event->period, 1u));
                if (c->since > 0 || c->until > 0)
                        page_format(page, PAGE_BAR, "  [%.2f-%.2f s]",
                                    (double) (MAX_OF(c->since, b->face->slice_first) - b->face->slice_first) / NSEC_PER_SEC,
                                    (double) ((c->until > 0 ? c->until : b->face->slice_last) - b->face->slice_first) / NSEC_PER_SEC);
                for (size_t i = 0; i < c->n_zooms; i++)
                        page_format(page, PAGE_BAR, "  [%s%s%s]", zoom_kind_to_string(c->zooms[i].kind), c->zooms[i].text ? " " : "",
                                    c->zooms[i].text ?: "");
                if (c->hide_kernel || c->hide_user)
                        page_format(page, PAGE_BAR, "  [without %s]", c->hide_kernel ? "kernel" : "user space");
                if (*b->face->remark)
                        page_format(page, PAGE_BAR, "  %s", b->face->remark);
        }
        page_end_line(page, PAGE_BAR);
}

static void browser_put_status(const Browser *b, Page *page) {
        const BrowseChoice *c = b->view.table ? browse_table_choice(b->view.table) : &b->choice;
        size_t n = 0;

        if (b->prompt.label)
                page_format(page, PAGE_BAR, " %s: %s_", b->prompt.label, b->prompt.text);
        else if (*b->message)
                page_format(page, PAGE_BAR, " %s", b->message);
        else if (b->text.title)
                page_format(page, PAGE_BAR, " line %zu of %zu%s   q back  / search  H hottest  w write", MIN_OF(b->text.top + 1, b->text.n_lines),
                            b->text.n_lines, b->source.state ? ", reading" : "");
        else if (b->working)
                page_format(page, PAGE_BAR, " counting, %.0f%%", 100 * b->done);
        else {
                if (b->view.table)
                        (void) browse_table_lines(b->view.table, &n);
                page_format(page, PAGE_BAR, " %zu/%zu%s by %s", n > 0 ? b->view.cursor + 1 : 0, n, b->paused ? ", paused," : "",
                            b->groups[b->group].name);
                if (c->filter && *c->filter)
                        page_format(page, PAGE_BAR, " with \"%s\"", c->filter);
                page_put(page, PAGE_BAR, "   ? help  q quit  Enter calls  g group  / filter  t c u d f zoom  Esc back  a annotate");
        }
        page_end_line(page, PAGE_BAR);
}

int browser_put(Browser *b, Page *page) {
        unsigned height = page->height > FRAME_LINES ? page->height - FRAME_LINES : 1;
        int r = 0;

        b->height = height;
        browser_put_title(b, page);
        if (b->text.title)
                r = text_pane_put(&b->text, page, height + 1);
        else if (b->view.table)
                r = browse_view_put(&b->view, page, height + 1);
        while (page->n_lines + 1 < page->height)
                page_end_line(page, PAGE_PLAIN);
        browser_put_status(b, page);
        return r;
}
