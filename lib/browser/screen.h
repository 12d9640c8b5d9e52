/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "page.h"
#include "parse-time.h"

/* The terminal of standard input and output as a full screen, by ncurses(3X): it knows the terminals that there are, draws only
 * what changed, and puts the terminal back also where the process is stopped. One at a time. */
typedef struct Screen Screen;

/* A key is a character of Unicode, or one of these. */
typedef enum ScreenKey {
        SCREEN_KEY_NONE = 0,
        SCREEN_KEY_ESCAPE = 0x1b,
        SCREEN_KEY_ENTER = '\n',
        SCREEN_KEY_UP = 0x110000, SCREEN_KEY_DOWN, SCREEN_KEY_LEFT, SCREEN_KEY_RIGHT, SCREEN_KEY_PAGE_UP, SCREEN_KEY_PAGE_DOWN,
        SCREEN_KEY_HOME, SCREEN_KEY_END, SCREEN_KEY_BACKSPACE, SCREEN_KEY_DELETE, SCREEN_KEY_TAB, SCREEN_KEY_BACK_TAB,
        SCREEN_KEY_HELP,
        SCREEN_KEY_REDRAW, /* the size has changed, or the user wants it drawn again */
        SCREEN_KEY_LEAVE,  /* a signal ends the process, or the terminal is gone */
} ScreenKey;

/* Returns whether both are a terminal that is not dumb; *ret_why (may be NULL): the reason, a sentence. */
bool screen_is_possible(const char **ret_why);

/* Takes the terminal. 0, -ENOTTY, -ENODEV: ncurses does not know it; -EBUSY, -ENOMEM. */
int screen_open(Screen **ret);

/* Gives it back as it was. */
Screen *screen_close(Screen *s);
DEFINE_CLEANUP(Screen *, screen_close);

/* Raises the signal that ended it, if one did that ends processes; SIGINT is only a wish to leave. To be called once it is
 * closed. Returns 0, or where a process may not end itself so, the exit status that a shell has for it. */
int screen_raise_signal(void);

void screen_size(const Screen *s, unsigned *ret_width, unsigned *ret_height);
bool screen_is_utf8(const Screen *s);

/* Shows a page of the screen's size. */
void screen_draw(Screen *s, const Page *page);

/* Waits for a key, at most that long (USEC_INFINITY: for ever), and as long as the descriptor, which may be negative, cannot be
 * read. Returns the key, or SCREEN_KEY_NONE. */
uint32_t screen_wait(Screen *s, int fd, usec_t timeout);
