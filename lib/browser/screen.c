/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* ncurses is the library that every machine has for this: the keys of all terminals, redrawing of what changed only, stopped jobs
 * and resizing would be ours to get right otherwise. Nothing of it is seen outside this file.
 *
 * Signals that end the process or change the size are blocked but for the wait, so that none is missed. SIGTSTP is left to
 * ncurses, which puts the terminal back, stops, and draws again once continued. */

#include "screen.h"

#include <locale.h>
#include <ncurses.h>
#include <poll.h>
#include <signal.h>

#include "terminal.h"
#include "utf8.h"

#define ESCAPE_MSEC 50 /* behind ESC, the rest of a key comes within that time */

struct Screen {
        SCREEN *screen;
        bool utf8, colour;
        sigset_t waiting;      /* blocked while it waits */
        sigset_t before;
        struct sigaction actions[4]; /* as they were */
};

static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
static volatile sig_atomic_t ended_by;
static bool is_open;

bool screen_is_possible(const char **ret_why) {
        const char *term = getenv("TERM"), *why = NULL;

        if (isatty(STDIN_FILENO) <= 0 || isatty(STDOUT_FILENO) <= 0)
                why = "Standard input and output are no terminal";
        else if (!term || !*term || streq(term, "dumb"))
                why = "The terminal is a dumb one ($TERM)";
        if (ret_why)
                *ret_why = why;
        return !why;
}

static void screen_note_signal(int sig) {
        ended_by = sig;
}

static void screen_catch_signals(Screen *s) {
        const struct sigaction action = { .sa_handler = screen_note_signal };
        sigset_t blocked;

        ended_by = 0;
        (void) sigemptyset(&blocked);
        for (size_t i = 0; i < ELEMENTSOF(ending); i++) {
                (void) sigaction(ending[i], &action, s->actions + i);
                (void) sigaddset(&blocked, ending[i]);
        }
        (void) sigaddset(&blocked, SIGWINCH);
        (void) sigprocmask(SIG_BLOCK, &blocked, &s->before);
        s->waiting = s->before;
        for (size_t i = 0; i < ELEMENTSOF(ending); i++)
                (void) sigdelset(&s->waiting, ending[i]);
        (void) sigdelset(&s->waiting, SIGWINCH);
}

static void screen_release_signals(const Screen *s) {
        (void) sigprocmask(SIG_SETMASK, &s->before, NULL);
        for (size_t i = 0; i < ELEMENTSOF(ending); i++)
                (void) sigaction(ending[i], s->actions + i, NULL);
}

static void screen_set_up(Screen *s) {
        static const short foregrounds[_PAGE_STYLE_MAX] = {
                [PAGE_HOT] = COLOR_RED, [PAGE_WARM] = COLOR_GREEN, [PAGE_ALERT] = COLOR_RED,
        };

        (void) set_escdelay(ESCAPE_MSEC);
        (void) cbreak();
        (void) noecho();
        (void) nonl();
        (void) intrflush(stdscr, FALSE);
        (void) keypad(stdscr, TRUE);
        (void) nodelay(stdscr, TRUE);
        (void) curs_set(0);
        s->colour = s->colour && has_colors() && start_color() == OK;
        if (!s->colour)
                return;
        (void) use_default_colors();
        for (short i = 0; i < _PAGE_STYLE_MAX; i++)
                if (foregrounds[i] != 0)
                        (void) init_pair((short) (i + 1), foregrounds[i], -1);
}

int screen_open(Screen **ret) {
        Screen *s;

        if (is_open)
                return -EBUSY;
        if (!screen_is_possible(NULL))
                return -ENOTTY;
        s = calloc(1, sizeof(*s));
        if (!s)
                return -ENOMEM;
        s->utf8 = terminal_get()->utf8;
        s->colour = terminal_get()->colour;
        (void) setlocale(LC_CTYPE, s->utf8 ? "C.UTF-8" : "C");
        screen_catch_signals(s); /* before ncurses, which then leaves them alone */
        (void) fflush(stdout);
        s->screen = newterm(NULL, stdout, stdin);
        if (!s->screen) {
                screen_release_signals(s);
                free(s);
                return -ENODEV;
        }
        screen_set_up(s);
        is_open = true;
        *ret = s;
        return 0;
}

Screen *screen_close(Screen *s) {
        if (!s)
                return NULL;
        (void) endwin();
        delscreen(s->screen);
        screen_release_signals(s);
        is_open = false;
        free(s);
        return NULL;
}

int screen_raise_signal(void) {
        sigset_t unblocked;

        if (ended_by == 0 || ended_by == SIGINT)
                return 0;
        (void) signal(ended_by, SIG_DFL);
        (void) sigemptyset(&unblocked); /* the caller may wait for it in a way of his own */
        (void) sigaddset(&unblocked, ended_by);
        (void) sigprocmask(SIG_UNBLOCK, &unblocked, NULL);
        (void) raise(ended_by);
        return 128 + ended_by;
}

void screen_size(const Screen *s, unsigned *ret_width, unsigned *ret_height) {
        int width, height;

        getmaxyx(stdscr, height, width);
        *ret_width = (unsigned) MAX_OF(width, 1);
        *ret_height = (unsigned) MAX_OF(height, 1);
}

bool screen_is_utf8(const Screen *s) {
        return s->utf8;
}

static attr_t screen_attributes(const Screen *s, char mark) {
        bool cursor = mark < PAGE_MARK_STYLE;
        int style = mark - (cursor ? PAGE_MARK_CURSOR : PAGE_MARK_STYLE);
        attr_t attributes = cursor || style == PAGE_BAR ? A_REVERSE : A_NORMAL;

        if (style == PAGE_HEAD)
                attributes |= A_UNDERLINE;
        if (style == PAGE_DIM && !cursor)
                attributes |= A_DIM;
        if (style == PAGE_ALERT)
                attributes |= A_BOLD;
        if (s->colour && (style == PAGE_HOT || style == PAGE_WARM || style == PAGE_ALERT))
                attributes |= (attr_t) COLOR_PAIR(style + 1);
        return attributes;
}

/* Draws up to the end of the line, and returns where the next one begins. */
static const char *screen_draw_line(const Screen *s, const char *p, const char *end) {
        while (p < end && *p != '\n') {
                wchar_t wide[64];
                size_t n = 0;

                if (*p == PAGE_MARK && end - p > 1) {
                        (void) attrset((int) screen_attributes(s, p[1]));
                        p += 2;
                        continue;
                }
                while (p < end && *p != '\n' && *p != PAGE_MARK && n < ELEMENTSOF(wide)) {
                        uint32_t c;
                        size_t size = utf8_decode(p, (size_t) (end - p), &c);

                        wide[n++] = size == 0 || c < ' ' || (c > '~' && !s->utf8) ? '?' : (wchar_t) c;
                        p += MAX_OF(size, 1u);
                }
                (void) addnwstr(wide, (int) n);
        }
        return p < end ? p + 1 : p;
}

void screen_draw(Screen *s, const Page *page) {
        const char *p = page->text.data, *end = p + page->text.n;

        (void) erase();
        for (int y = 0; page->text.error == 0 && p < end; y++) {
                (void) move(y, 0);
                p = screen_draw_line(s, p, end);
        }
        (void) attrset(A_NORMAL);
        (void) refresh();
}

static uint32_t screen_translate(wint_t key, bool special) {
        static const struct { int key; uint32_t to; } keys[] = {
                { KEY_UP, SCREEN_KEY_UP }, { KEY_DOWN, SCREEN_KEY_DOWN }, { KEY_LEFT, SCREEN_KEY_LEFT },
                { KEY_RIGHT, SCREEN_KEY_RIGHT },
                { KEY_PPAGE, SCREEN_KEY_PAGE_UP }, { KEY_NPAGE, SCREEN_KEY_PAGE_DOWN }, { KEY_HOME, SCREEN_KEY_HOME },
                { KEY_END, SCREEN_KEY_END }, { KEY_BACKSPACE, SCREEN_KEY_BACKSPACE }, { KEY_DC, SCREEN_KEY_DELETE },
                { KEY_BTAB, SCREEN_KEY_BACK_TAB }, { KEY_F(1), SCREEN_KEY_HELP }, { KEY_RESIZE, SCREEN_KEY_REDRAW },
                { KEY_ENTER, SCREEN_KEY_ENTER },
        };

        for (size_t i = 0; special && i < ELEMENTSOF(keys); i++)
                if ((int) key == keys[i].key)
                        return keys[i].to;
        if (special)
                return SCREEN_KEY_NONE;
        switch (key) {
        case '\r':
                return SCREEN_KEY_ENTER;
        case '\t':
                return SCREEN_KEY_TAB;
        case '\b':
        case 0x7f:
                return SCREEN_KEY_BACKSPACE;
        case 0x0c: /* ^L */
                (void) clearok(curscr, TRUE);
                return SCREEN_KEY_REDRAW;
        default:
                return (uint32_t) key;
        }
}

static uint32_t screen_read_key(void) {
        wint_t key;
        int r = get_wch(&key);

        return r == ERR ? (uint32_t) SCREEN_KEY_NONE : screen_translate(key, r == KEY_CODE_YES);
}

uint32_t screen_wait(Screen *s, int fd, usec_t timeout) {
        struct pollfd fds[] = { { .fd = STDIN_FILENO, .events = POLLIN }, { .fd = fd, .events = POLLIN } };
        const struct timespec limit = { .tv_sec = (time_t) (timeout / USEC_PER_SEC),
                                        .tv_nsec = (long) (timeout % USEC_PER_SEC * NSEC_PER_USEC) };
        uint32_t key = screen_read_key(); /* the library may have read more than one, and hears of a new size here */

        if (key != SCREEN_KEY_NONE)
                return key;
        (void) ppoll(fds, ELEMENTSOF(fds), timeout == USEC_INFINITY ? NULL : &limit, &s->waiting);
        if (ended_by != 0 || fds[0].revents & (POLLHUP | POLLERR | POLLNVAL))
                return SCREEN_KEY_LEAVE;
        return screen_read_key();
}
