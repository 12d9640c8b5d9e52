/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Each change of the choice makes a table anew, in steps between which keys are taken; the one before stays in sight until the new
 * one is complete, and after that with its step, to go back to, unless its samples are those of a moment that is over. */

#include <stdarg.h>

#include "browser-parts.h"

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

/* Returns the times that the choice has: a window of the samples' time. */
static void browser_choose_times(Browser *b) {
        const BrowserFace *face = b->face;
        uint64_t end = b->end > 0 ? b->end : face->slice_last;

        b->choice.since = b->choice.until = 0;
        if (b->span == 0)
                return;
        b->choice.since = end > b->span ? end - b->span : 0;
        if (face->slice > 0) /* whole ones */
                b->choice.since -= b->choice.since % face->slice;
        if (b->end > 0)
                b->choice.until = b->end;
}

void browser_remake(Browser *b) {
        b->pending = browse_table_free(b->pending);
        browser_choose_times(b);
        if (b->face->look_up)
                browser_note(b, b->face->look_up(b->face));
        browser_note(b, browse_table_new(b->face->table, b->face->names, &b->choice, b->view.table, &b->pending));
        b->done = 0;
}

void browser_forget_table(Browser *b) {
        browse_view_done(&b->view);
        b->pending = browse_table_free(b->pending);
}

void browser_remake_at(Browser *b, size_t line) {
        uint64_t identity = b->view.table ? browse_table_identity(b->view.table, line) : 0;

        browser_remake(b);
        b->identity = identity;
}

void browser_select(Browser *b, uint64_t identity) {
        size_t line = b->view.table ? browse_table_find(b->view.table, identity) : SIZE_MAX;

        if (line != SIZE_MAX)
                b->view.cursor = line;
}

bool browser_keep_step(Browser *b) {
        BrowserStep *step = b->steps + b->n_steps;

        if (b->n_steps == BROWSER_STEPS_MAX || b->choice.n_zooms == BROWSE_ZOOMS_MAX) {
                browser_say(b, "Too many steps: Esc goes back");
                return false;
        }
        *step = (BrowserStep) { .view = { .cursor = b->view.cursor, .top = b->view.top }, .span = b->span, .end = b->end,
                                .group = b->group, .seen = !b->pending };
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
        } else if (!b->stepped || !step->seen) /* otherwise what is in sight is still what was seen before */
                browser_remake(b);
        b->stepped = false;
}

/* The table is complete. The one in sight is that of the last step that was seen, which is an older one if keys came fast. */
static void browser_take_pending(Browser *b) {
        size_t n = b->stepped && !b->face->update ? b->n_steps : 0;

        while (n > 0 && !b->steps[n - 1].seen)
                n--;
        if (n > 0 && !b->steps[n - 1].view.table)
                b->steps[n - 1].view.table = steal_ptr(b->view.table);
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
