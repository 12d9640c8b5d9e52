/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The terminal's width, colours and character set, determined with the same variables as in systemd's tools, once, before a pager
 * replaces standard output. */

#include "terminal.h"

#include <perf-recorder/bus-names.h>
#include <strings.h>
#include <sys/ioctl.h>

#include "parse-number.h"

static bool terminal_decide_colour(bool tty) {
        const char *e = getenv("SYSTEMD_COLORS");

        if (e) /* a boolean or a number of colours, 16, 256 or 24bit, which means on */
                return parse_boolean(e) != 0;
        if (getenv("NO_COLOR"))
                return false;
        return tty && !streq(getenv("TERM") ?: "", "dumb");
}

static bool terminal_decide_utf8(void) {
        static const char *const variables[] = { "LC_ALL", "LC_CTYPE", "LANG" };

        for (size_t i = 0; i < ELEMENTSOF(variables); i++) {
                const char *e = getenv(variables[i]);

                if (e && *e)
                        return strcasestr(e, "UTF-8") || strcasestr(e, "UTF8");
        }
        return true;
}

static unsigned terminal_decide_columns(bool tty) {
        const char *e = getenv("COLUMNS");
        struct winsize ws;
        unsigned n;

        if (e && parse_uint(e, &n) >= 0 && n > 0)
                return n;
        if (!tty)
                return 0;
        return ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) >= 0 && ws.ws_col > 0 ? ws.ws_col : 80;
}

bool terminal_is_dumb(void) {
        const char *term = getenv("TERM");

        return !term || !*term || streq(term, "dumb");
}

static Terminal terminal;
static bool examined;

void terminal_examine_again(void) {
        terminal.tty = isatty(STDOUT_FILENO) > 0;
        terminal.colour = terminal_decide_colour(terminal.tty);
        terminal.utf8 = terminal_decide_utf8();
        terminal.columns = terminal_decide_columns(terminal.tty);
        examined = true;
}

const Terminal *terminal_get(void) {
        if (!examined)
                terminal_examine_again();
        return &terminal;
}

const char *colour_sequence(Colour colour) {
        static const char *const sequences[_COLOUR_MAX] = {
                [COLOUR_NONE] = "\033[0m",
                [COLOUR_RED] = "\033[0;1;31m",
                [COLOUR_GREEN] = "\033[0;1;32m",
                [COLOUR_YELLOW] = "\033[0;1;33m",
                [COLOUR_GREY] = "\033[0;90m",
                [COLOUR_BOLD] = "\033[0;1m",
                [COLOUR_UNDERLINE] = "\033[0;4m",
        };

        return terminal_get()->colour ? sequences[colour] : "";
}

Colour colour_of_state(const char *state) {
        static const struct {
                const char *state;
                Colour colour;
        } table[] = {
                { PR_STATE_RECORDING, COLOUR_GREEN },
                { PR_STATE_WAITING, COLOUR_YELLOW },
                { PR_STATE_STARTING, COLOUR_YELLOW },
                { PR_STATE_STOPPING, COLOUR_YELLOW },
                { PR_STATE_PAUSED, COLOUR_YELLOW },
                { PR_STATE_RESERVED, COLOUR_YELLOW },
                { PR_STATE_FAILED, COLOUR_RED },
                { PR_STATE_BAD_SETTING, COLOUR_RED },
                { PR_STATE_INACTIVE, COLOUR_GREY },
        };

        for (size_t i = 0; i < ELEMENTSOF(table); i++)
                if (streq(table[i].state, state))
                        return table[i].colour;
        return COLOUR_NONE;
}

const char *glyph_dot(void) {
        return terminal_get()->utf8 ? "●" : "*";
}

const char *glyph_circle(void) {
        return terminal_get()->utf8 ? "○" : "*";
}

const char *glyph_cross(void) {
        return terminal_get()->utf8 ? "×" : "*";
}

const char *glyph_branch(void) {
        return terminal_get()->utf8 ? "├─" : "|-";
}

const char *glyph_down(void) {
        return terminal_get()->utf8 ? "│ " : "| ";
}

const char *glyph_right(void) {
        return terminal_get()->utf8 ? "└─" : "`-";
}
