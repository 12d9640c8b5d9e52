/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A key goes to the line that is typed, to the text over the rows, or to these. Nothing of the screen is known here but the numbers
 * of keys; browser-run.c is what has a terminal. */

#include "browser.h"

#include <inttypes.h>

#include "browser-parts.h"
#include "text-width.h"

#define FRAME_LINES 3u /* the bars, and the titles of columns */

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
        b->span = face->span;
        browser_find_groups(b);
        browser_remake(b);
        *ret = steal_ptr(b);
        return 0;
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

/* Puts the steps that led to what is seen: "  [1.00-2.50 s]  [command sh]". */
static void browser_put_steps(const Browser *b, const BrowseChoice *c, Page *page) {
        uint64_t first = b->face->slice_first, from = MAX_OF(c->since, first), to = c->until > 0 ? c->until : b->face->slice_last;

        if (c->since > 0 || c->until > 0)
                page_format(page, PAGE_BAR, "  [%.2f-%.2f s%s]", (double) (from - first) / NSEC_PER_SEC,
                            (double) (to - first) / NSEC_PER_SEC, b->face->update && b->end > 0 ? ", past" : "");
        for (size_t i = 0; i < c->n_zooms; i++) {
                const SampleZoom *z = c->zooms + i;

                page_format(page, PAGE_BAR, "  [%s%s%s]", zoom_kind_to_string(z->kind), z->text ? " " : "", z->text ?: "");
        }
        if (c->hide_kernel || c->hide_user)
                page_format(page, PAGE_BAR, "  [without %s]", c->hide_kernel ? "kernel" : "user space");
}

/* "web.data  cpu-clock  1,234 samples, 12.3%  [thread sh/12] [libc.so.6]" */
static void browser_put_title(const Browser *b, Page *page) {
        const BrowseChoice *c = b->view.table ? browse_table_choice(b->view.table) : &b->choice;
        size_t room = b->text.title ? page->width : MAX_OF(page->width / 3, 16u); /* the steps must be seen, too */
        _cleanup_free_ char *name = text_cut_middle(b->text.title ?: b->face->name, room, page->utf8);
        const SampleEvent *event;
        _cleanup_(text_buffer_done) TextBuffer number = {};
        uint64_t samples, period, all;
        size_t n_events;

        page_put(page, PAGE_BAR, " ");
        page_put(page, PAGE_BAR, name ?: "");
        if (!b->text.title && b->view.table) {
                event = sample_table_events(b->face->table, &n_events) + c->event;
                samples = browse_table_selected(b->view.table, &period, &all);
                text_buffer_grouped(&number, samples);
                text_buffer_putc(&number, '\0');
                page_format(page, PAGE_BAR, "  %s  %s sample%s", event->name, number.error < 0 ? "?" : number.data,
                            samples == 1 ? "" : "s");
                if (period != all)
                        page_format(page, PAGE_BAR, ", %.1f%%", 100.0 * (double) period / (double) MAX_OF(all, UINT64_C(1)));
                browser_put_steps(b, c, page);
                if (*b->face->remark && !(b->face->update && b->end > 0)) /* which is of this moment */
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
                page_format(page, PAGE_BAR, " line %zu of %zu%s   q back  / search  H hottest  w write",
                            MIN_OF(b->text.top + 1, b->text.n_lines), b->text.n_lines, b->source.state ? ", reading" : "");
        else if (b->working)
                page_format(page, PAGE_BAR, " counting, %.0f%%", 100 * b->done);
        else {
                if (b->view.table)
                        (void) browse_table_lines(b->view.table, &n);
                page_format(page, PAGE_BAR, " %zu/%zu%s by %s", n > 0 ? b->view.cursor + 1 : 0, n,
                            b->face->paused ? ", paused," : "", b->groups[b->group].name);
                if (c->filter && *c->filter)
                        page_format(page, PAGE_BAR, " with \"%s\"", c->filter);
                page_put(page, PAGE_BAR, "   ? help  q quit  Enter calls  g group  / filter  t c u d f zoom  Esc back  a annotate");
        }
        page_end_line(page, PAGE_BAR);
}

int browser_put(Browser *b, Page *page) {
        unsigned room = page->height > 2 ? page->height - 2 : 0; /* between the bars */
        int r = 0;

        b->height = page->height > FRAME_LINES ? page->height - FRAME_LINES : 1;
        browser_put_title(b, page);
        if (b->text.title)
                r = text_pane_put(&b->text, page, room);
        else if (b->view.table)
                r = browse_view_put(&b->view, page, room);
        while (page->n_lines + 1 < page->height)
                page_end_line(page, PAGE_PLAIN);
        browser_put_status(b, page);
        return r;
}
