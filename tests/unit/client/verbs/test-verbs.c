/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The table of verbs: its rows, its help, and its errors. test-perfctl.c tests its functions. */

#include "capture.h"
#include "check-main.h"
#include "verbs.h"

START_TEST(test_rows) {
        uint64_t used = 0;

        for (const Verb *v = verb_table; v->name || v->help; v++) {
                ck_assert_ptr_nonnull(v->help);
                if (v->flags & VERB_HEADING) {
                        ck_assert_ptr_null(v->name);
                        continue;
                }
                ck_assert_ptr_eq(verb_find(v->name), v); /* no name is in the table twice */
                ck_assert_ptr_nonnull(v->run);
                ck_assert_ptr_nonnull(v->usage);
                ck_assert_uint_le(v->min_arguments, v->max_arguments);
                ck_assert_uint_eq(v->options & OPTIONS_GLOBAL, 0);
                ck_assert(!(v->flags & VERB_SESSIONS) || v->options & OPTION_BIT(OPTION_SESSION));
                ck_assert_int_eq(*v->usage == '\0', v->max_arguments == 0);
                used |= v->options;
        }
        ck_assert_uint_eq(used | OPTIONS_GLOBAL, OPTION_BIT(_OPTION_MAX) - 1); /* each option has a user */
        ck_assert_ptr_null(verb_find("nonsense"));
        ck_assert_int_eq(verb_word_order("record", &used), WORDS_VERBATIM);
        ck_assert_int_eq(verb_word_order("reserve", &used), WORDS_OPTIONS_FIRST);
        ck_assert_int_eq(verb_word_order("list", &used), WORDS_MIXED);
        ck_assert_uint_eq(used, verb_find("list")->options | OPTIONS_GLOBAL);
        ck_assert_int_eq(verb_word_order("nonsense", &used), WORDS_MIXED);
}
END_TEST

/* complaint NULL: none. */
static void expect(const char *verb, ClientOptions o, char *const *arguments, const char *complaint) {
        _cleanup_free_ char *said = NULL;
        int saved = capture_begin(STDERR_FILENO), status = verb_check(verb_find(verb), &o, arguments);

        said = capture_end(STDERR_FILENO, saved);
        ck_assert_int_eq(status, complaint ? STATUS_FAILED : STATUS_OK);
        ck_assert_msg(complaint ? strstr(said, complaint) != NULL : !*said, "%s: %s", verb, said);
}

START_TEST(test_check) {
        char *two[] = { (char *) "a", (char *) "b", NULL };

        expect("list", (ClientOptions){}, two, NULL);
        expect("list", (ClientOptions){ .given = OPTION_BIT(OPTION_FIELD_SEPARATOR) }, NULL, NULL);
        expect("ping", (ClientOptions){ .given = OPTION_BIT(OPTION_FIELD_SEPARATOR) }, NULL, "takes no --field-separator");
        expect("list", (ClientOptions){ .given = OPTION_BIT(OPTION_VALUE_OF) }, NULL, "takes no -P");
        expect("reload", (ClientOptions){}, two, "Too many arguments: perfctl reload\n");
        expect("edit", (ClientOptions){}, two, "Too many");
        expect("verify", (ClientOptions){}, NULL, "Too few arguments: perfctl verify FILE|NAME...\n");
        expect("list", (ClientOptions){ .host = "a", .machine = "b" }, NULL, "--machine= cannot be combined");
        expect("list", (ClientOptions){ .host = "a", .user = true }, NULL, "--user");
        expect("list", (ClientOptions){ .machine = "a", .user = true }, NULL, NULL);
        expect("cat", (ClientOptions){ .machine = "a" }, two, "this machine only");
}
END_TEST

START_TEST(test_help) {
        _cleanup_free_ char *all = NULL, *one = NULL;
        int saved = capture_begin(STDOUT_FILENO);

        verb_print_help(NULL);
        all = capture_end(STDOUT_FILENO, saved);
        saved = capture_begin(STDOUT_FILENO);
        verb_print_help(verb_find("ping"));
        one = capture_end(STDOUT_FILENO, saved);

        for (const Verb *v = verb_table; v->name || v->help; v++)
                ck_assert_msg(strstr(all, v->help), "no '%s' in the help", v->help);
        for (OptionId i = 0; i < _OPTION_MAX; i++)
                ck_assert_msg(strstr(all, client_option_row(i)->help), "no '%s' in the help", client_option_row(i)->help);
        ck_assert_ptr_nonnull(strstr(one, "--timeout=SPAN"));
        ck_assert_ptr_nonnull(strstr(one, "--no-pager"));
        ck_assert_ptr_null(strstr(one, "--signal"));
        for (const char *line = all; *line; line += strcspn(line, "\n") + 1)
                ck_assert_msg(strcspn(line, "\n") <= 80, "a line of the help is wider than 80 columns: %.90s", line);
}
END_TEST

START_TEST(test_fail) {
        _cleanup_free_ char *said = NULL;
        int saved = capture_begin(STDERR_FILENO), status = verb_fail("do it", -ENOENT);

        said = capture_end(STDERR_FILENO, saved);
        ck_assert_int_eq(status, STATUS_FAILED);
        ck_assert_str_eq(said, "Failed to do it: No such file or directory\n");
}
END_TEST

CHECK_MAIN("verbs", test_rows, test_check, test_help, test_fail);
