/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The terminal as set by the environment. Each test has a process of its own, because the environment is read once. */

#include <fcntl.h>
#include <pty.h>

#include "check-main.h"
#include "terminal.h"

static void clear(void) {
        static const char *const names[] = { "SYSTEMD_COLORS", "NO_COLOR", "COLUMNS", "LC_ALL", "LC_CTYPE", "LANG" };

        for (size_t i = 0; i < ELEMENTSOF(names); i++)
                (void) unsetenv(names[i]);
        (void) setenv("TERM", "xterm", 1);
}

/* Makes standard output a terminal of that many columns, or /dev/null for none. */
static void use_terminal(unsigned short columns) {
        struct winsize size = { .ws_col = columns, .ws_row = 24 };
        int master, slave = open("/dev/null", O_WRONLY | O_CLOEXEC);

        clear();
        if (columns > 0)
                ck_assert_int_eq(openpty(&master, &slave, NULL, NULL, &size), 0);
        ck_assert_int_ge(dup2(slave, STDOUT_FILENO), 0);
}

START_TEST(test_none) {
        use_terminal(0);
        ck_assert(!terminal_get()->tty);
        ck_assert(!terminal_get()->colour);
        ck_assert(terminal_get()->utf8);
        ck_assert_uint_eq(terminal_get()->columns, 0);
        ck_assert_str_eq(colour_sequence(COLOUR_RED), "");
        ck_assert_str_eq(colour_sequence(COLOUR_NONE), "");
}
END_TEST

START_TEST(test_tty) {
        use_terminal(77);
        ck_assert(terminal_get()->tty);
        ck_assert(terminal_get()->colour);
        ck_assert_uint_eq(terminal_get()->columns, 77);
        ck_assert_str_eq(colour_sequence(COLOUR_NONE), "\033[0m");
}
END_TEST

START_TEST(test_no_color) {
        use_terminal(80);
        (void) setenv("NO_COLOR", "1", 1);
        ck_assert(!terminal_get()->colour);
}
END_TEST

START_TEST(test_dumb) {
        use_terminal(80);
        ck_assert(!terminal_is_dumb());
        (void) setenv("TERM", "dumb", 1);
        ck_assert(!terminal_get()->colour);
        ck_assert(terminal_is_dumb());
        (void) setenv("TERM", "", 1);
        ck_assert(terminal_is_dumb());
        (void) unsetenv("TERM");
        ck_assert(terminal_is_dumb());
}
END_TEST

START_TEST(test_another_output) {
        use_terminal(80);
        ck_assert(terminal_get()->tty && terminal_get()->colour);
        use_terminal(0);
        ck_assert(terminal_get()->tty);
        terminal_examine_again();
        ck_assert(!terminal_get()->tty && !terminal_get()->colour && terminal_get()->columns == 0);
}
END_TEST

START_TEST(test_systemd_colors) {
        use_terminal(0);
        (void) setenv("NO_COLOR", "1", 1);
        (void) setenv("SYSTEMD_COLORS", "256", 1);
        (void) setenv("COLUMNS", "60", 1);
        ck_assert(terminal_get()->colour);
        ck_assert_uint_eq(terminal_get()->columns, 60);
}
END_TEST

START_TEST(test_systemd_colors_off) {
        use_terminal(80);
        (void) setenv("SYSTEMD_COLORS", "no", 1);
        ck_assert(!terminal_get()->colour);
}
END_TEST

START_TEST(test_ascii) {
        use_terminal(80);
        (void) setenv("LANG", "en_US.UTF-8", 1);
        (void) setenv("LC_ALL", "C", 1);
        ck_assert(!terminal_get()->utf8);
        ck_assert_str_eq(glyph_dot(), "*");
        ck_assert_str_eq(glyph_right(), "`-");
}
END_TEST

START_TEST(test_states) {
        ck_assert_int_eq(colour_of_state("recording"), COLOUR_GREEN);
        ck_assert_int_eq(colour_of_state("failed"), COLOUR_RED);
        ck_assert_int_eq(colour_of_state("bad-setting"), COLOUR_RED);
        ck_assert_int_eq(colour_of_state("paused"), COLOUR_YELLOW);
        ck_assert_int_eq(colour_of_state("reserved"), COLOUR_YELLOW);
        ck_assert_int_eq(colour_of_state("of a later version"), COLOUR_NONE);
}
END_TEST

CHECK_MAIN("terminal", test_none, test_tty, test_no_color, test_dumb, test_systemd_colors, test_systemd_colors_off,
           test_another_output, test_ascii, test_states);
