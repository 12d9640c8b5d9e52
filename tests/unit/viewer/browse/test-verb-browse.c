/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Without a browser the verb is report; what stands against a browser is said. */

#include "perfdata-test.h"

#define PREFIX "ASAN_OPTIONS=detect_leaks=0 " VIEWER " report "

START_TEST(as_text) {
        _cleanup_free_ char *path = test_golden("perf-6.1-plain.data"), *text = NULL, *plain = NULL;

        text = test_command(PREFIX "-s comm -i %s 2>&1", path);
        plain = test_command(PREFIX "-s comm --tui --plain -i %s 2>&1", path);
        ck_assert_ptr_nonnull(strstr(text, "# Samples: "));
        ck_assert_str_eq(text, plain);
}
END_TEST

START_TEST(without_terminal) {
        static const char expected[] = "--tui: standard input and output are not a terminal\n1\n";
        _cleanup_free_ char *path = test_golden("perf-6.1-plain.data"), *text = NULL;

        text = test_command(PREFIX "--tui -i %s 2>&1 </dev/null; echo $?", path);
        ck_assert_str_eq(text, expected);
        free(steal_ptr(text));
        text = test_command("script -qec 'TERM=xterm " PREFIX "--tui -i %s 2>&1 </dev/null; echo $?' /dev/null </dev/null | tr -d '\\r'", path);
        ck_assert_str_eq(text, expected);
        free(steal_ptr(text));
        text = test_command("script -qec 'TERM=xterm " PREFIX "--tui -i %s 2>&1 | cat; exit 1' /dev/null </dev/null | tr -d '\\r'; echo 1", path);
        ck_assert_str_eq(text, expected);
}
END_TEST

START_TEST(dumb_terminal) {
        static const char *const terms[] = { "TERM=dumb", "TERM=", "unset TERM;" };
        _cleanup_free_ char *path = test_golden("perf-6.1-plain.data");

        for (size_t i = 0; i < ELEMENTSOF(terms); i++) {
                _cleanup_free_ char *text = test_command("script -qec '%s " PREFIX "--tui -i %s; echo $?' /dev/null </dev/null | tr -d '\\r'",
                                                         terms[i], path);

                ck_assert_str_eq(text, "--tui: nothing can be drawn on this terminal, by $TERM; --plain prints text\n1\n");
        }
}
END_TEST

START_TEST(other_output) {
        static const char *const words[] = { "--json", "--stats", "-D", "--tasks", "--mmaps", "--off-cpu", "--header", "--header-only",
                                             "-I", "-t,", "--hierarchy" };
        _cleanup_free_ char *path = test_golden("perf-6.1-plain.data");

        for (size_t i = 0; i < ELEMENTSOF(words); i++) {
                _cleanup_free_ char *text = test_command("script -qec 'TERM=xterm " PREFIX "--tui %s -i %s; echo $?' /dev/null </dev/null | "
                                                         "tr -d '\\r'", words[i], path);

                ck_assert_msg(strstr(text, "--tui: it shows the table of entries only, and goes with none of ") == text &&
                              strstr(text, "\n1\n"), "%s: %s", words[i], text);
        }
}
END_TEST

TEST_RUN("verb-browse", as_text, without_terminal, dumb_terminal, other_output);
