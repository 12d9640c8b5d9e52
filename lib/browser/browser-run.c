/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The loop of a browser that has a terminal: keys come first, then steps of a table in the making, then what happens now. Nothing
 * that it does takes long, so that each key has its answer at once. */

#include "browser-parts.h"
#include "screen.h"

#define DRAW_USEC (50 * USEC_PER_MSEC) /* while a table is in the making, its progress is drawn that often */

/* A table that is being made of the samples is of no use once these have changed. The first line stays selected whatever it is.
 * 1: they have; 0; negative errno. */
static int run_update(Browser *b) {
        int r = b->face->update(b->face);

        if (r <= 0)
                return r;
        if (r > 1)
                browser_forget_table(b);
        if (b->view.cursor > 0)
                browser_remake_at(b, b->view.cursor);
        else
                browser_remake(b);
        r = browser_settle(b);
        return r < 0 ? r : 1;
}

static int run_draw(Browser *b, Screen *screen, Page *page) {
        unsigned width, height;
        int r;

        screen_size(screen, &width, &height);
        page_begin(page, width, height, b->utf8);
        r = browser_put(b, page);
        if (r >= 0)
                screen_draw(screen, page);
        return r;
}

static int run_loop(Browser *b, Screen *screen, Page *page) {
        usec_t drawn = 0, updated = 0;
        bool working = true, stale = true, reading, worked; /* stale: the screen shows another state */
        int r = 0;

        while (r >= 0) {
                usec_t now = now_usec(CLOCK_MONOTONIC), wait = USEC_INFINITY;
                bool changes = b->face->update && b->face->wait_usec != USEC_INFINITY;
                uint32_t key;

                if (changes && (updated == 0 || now >= updated + b->face->wait_usec)) {
                        r = run_update(b);
                        updated = now;
                        stale |= r != 0;
                        if (r < 0)
                                break;
                }
                if (stale || (working && now >= drawn + DRAW_USEC)) {
                        r = run_draw(b, screen, page);
                        drawn = now;
                        stale = false;
                }
                if (changes && b->face->wait_usec != USEC_INFINITY)
                        wait = updated + b->face->wait_usec > now ? updated + b->face->wait_usec - now : 0;
                key = screen_wait(screen, b->source.state ? b->source.fd : -1, working ? 0 : wait);
                if (!browser_press(b, key))
                        return key == SCREEN_KEY_LEAVE;
                reading = b->source.state;
                browser_read_text(b);
                worked = working;
                working = browser_step(b);
                stale = key != SCREEN_KEY_NONE || reading || (worked && !working);
        }
        return r;
}

int browser_run(BrowserFace *face) {
        _cleanup_(browser_freep) Browser *b = NULL;
        _cleanup_(screen_closep) Screen *screen = NULL;
        _cleanup_(page_done) Page page = {};
        int r = screen_open(&screen);

        if (r >= 0)
                r = browser_new(face, screen_is_utf8(screen), &b);
        return r < 0 ? r : run_loop(b, screen, &page);
}
