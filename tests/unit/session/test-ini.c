/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The syntax of systemd.syntax(7), its limits, and errors that have the place and never the text. */

#include "check-main.h"
#include "ini.h"

/* Records its calls: "LINE [section]" and "LINE section.key=value", each with a "|" behind. */
static int record_all(const char *section, const char *key, const char *value, unsigned line, Diagnosis *d, void *userdata) {
        FILE *f = userdata;

        if (!key)
                fprintf(f, "%u [%s]|", line, section);
        else
                fprintf(f, "%u %s.%s=%s|", line, section, key, value);
        return 0;
}

static int parse(const char *text, size_t size, char **ret_seen, Diagnosis *d) {
        size_t seen_size;
        FILE *f = open_memstream(ret_seen, &seen_size);
        int r;

        r = ini_parse(text, size, record_all, f, d);
        fclose(f);
        return r;
}

static void assert_parsed(const char *text, const char *expected) {
        _cleanup_free_ char *seen = NULL;

        ck_assert_int_eq(parse(text, strlen(text), &seen, NULL), 0);
        ck_assert_str_eq(seen, expected);
}

static void assert_refused(const char *text, size_t size, int error, const char *message) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *seen = NULL, *formatted = NULL;

        ck_assert_int_eq(parse(text, size, &seen, &d), error);
        formatted = diagnosis_format(&d);
        ck_assert_str_eq(formatted, message);
}

START_TEST(test_syntax) {
        assert_parsed("", "");
        assert_parsed("\n \n# a\n  ; b=c\n", "");
        assert_parsed("[A]\nk=v\n\n[B C]\nk2 = v w \t\n", "1 [A]|2 A.k=v|4 [B C]|5 B C.k2=v w|");
        assert_parsed("[A]\nk=", "1 [A]|2 A.k=|");
        assert_parsed("[A]\nk==v=w # no comment", "1 [A]|2 A.k==v=w # no comment|");
        assert_parsed(" [A] \r\n\tk-1_a.b=v\r\n", "1 [A]|2 A.k-1_a.b=v|");
}
END_TEST

START_TEST(test_continuation) {
        assert_parsed("[A]\nk=a \\\n  b\\\nc\nl=1\n", "1 [A]|2 A.k=a  b c|5 A.l=1|");
        assert_parsed("[A]\nk=value 3\\\n# ignored\n  ; ignored too\\\n       value 3 continued\n",
                      "1 [A]|2 A.k=value 3 value 3 continued|");
        assert_parsed("[A]\nk=a\\\n\nl=1\n", "1 [A]|2 A.k=a|4 A.l=1|");
        assert_parsed("[A]\nk=a\\\\\nl=1\n", "1 [A]|2 A.k=a\\\\|3 A.l=1|");
        assert_parsed("[A]\nk=a\\", "1 [A]|2 A.k=a|");
        assert_parsed("[A]\r\nk=a\\\r\nb\r\n", "1 [A]|2 A.k=a b|");
        assert_parsed("[A]\n\\\nk=v\n", "1 [A]|2 A.k=v|");
}
END_TEST

START_TEST(test_errors) {
        static const struct {
                const char *text;
                const char *message;
        } cases[] = {
                { "k=v", "line 1: an assignment outside of a section, expected [Section] before it" },
                { "[A]\nsecret", "line 2: not an assignment, expected Key=value, [Section] or a # comment" },
                { "[A]\n=secret", "line 2: not an assignment, expected Key=value, [Section] or a # comment" },
                { "[A]\nsec ret=1", "line 2: not an assignment, expected Key=value, [Section] or a # comment" },
                { "[A]\nsec/ret=1", "line 2: not an assignment, expected Key=value, [Section] or a # comment" },
                { "root:$y$j9T$secret:19000:0:99999:7:::",
                  "line 1: not an assignment, expected Key=value, [Section] or a # comment" },
                { "\n[secret", "line 2: not a section, expected [Section] and nothing after it" },
                { "[]", "line 1: not a section, expected [Section] and nothing after it" },
                { "[a]secret", "line 1: not a section, expected [Section] and nothing after it" },
                { "[a[b]", "line 1: not a section, expected [Section] and nothing after it" },
                { "[A]\nk=\\\na\\\n\xff", "line 4: not valid UTF-8" },
                { "[A]\n\n\nk\\\n\\\nl", "line 4: not an assignment, expected Key=value, [Section] or a # comment" },
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++)
                assert_refused(cases[i].text, strlen(cases[i].text), -EINVAL, cases[i].message);
        assert_refused("[A]\nk=\0", 7, -EINVAL, "line 2: a NUL byte");
}
END_TEST

START_TEST(test_limit_of_file) {
        _cleanup_free_ char *text = malloc(TEXT_SIZE_MAX + 1), *seen = NULL;

        memset(text, '\n', TEXT_SIZE_MAX + 1);
        assert_refused(text, TEXT_SIZE_MAX + 1, -E2BIG, "a file of more than 1048576 bytes");
        ck_assert_int_eq(parse(text, TEXT_SIZE_MAX, &seen, NULL), 0);
}
END_TEST

START_TEST(test_limit_of_line) {
        _cleanup_free_ char *text = malloc(LINE_SIZE_MAX * 2);
        size_t n = 0;

        n += (size_t) sprintf(text, "[A]\nk=");
        memset(text + n, 'x', LINE_SIZE_MAX - 100);
        n += LINE_SIZE_MAX - 100;
        memcpy(text + n, "\\\n", 2);
        n += 2;
        memset(text + n, 'y', 200);
        n += 200;
        assert_refused(text, n, -E2BIG, "line 2: a line of more than 65536 bytes with its continuations");
}
END_TEST

START_TEST(test_limit_of_keys) {
        _cleanup_free_ char *text = NULL, *seen = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);

        fputs("[A]\n", f);
        for (unsigned i = 0; i < INI_KEYS_MAX; i++)
                fputs("k=\n", f);
        fflush(f);
        ck_assert_int_eq(parse(text, size, &seen, NULL), 0);
        fputs("k=\n", f);
        fclose(f);
        assert_refused(text, size, -E2BIG, "line 4098: more than 4096 assignments in a file");
}
END_TEST

START_TEST(test_limit_of_names) {
        char text[INI_NAME_MAX + 16];

        memset(text, 'a', sizeof(text));
        text[0] = '[';
        text[INI_NAME_MAX + 2] = ']';
        text[INI_NAME_MAX + 3] = '\0';
        assert_refused(text, strlen(text), -E2BIG, "line 1: a section's name of more than 128 bytes");

        memcpy(text, "[A]\n", 4);
        memset(text + 4, 'k', INI_NAME_MAX + 1);
        memcpy(text + 4 + INI_NAME_MAX + 1, "=", 2);
        assert_refused(text, strlen(text), -EINVAL,
                       "line 2: not an assignment, expected Key=value, [Section] or a # comment");
}
END_TEST

static int refuse_key(const char *section, const char *key, const char *value, unsigned line, Diagnosis *d, void *userdata) {
        if (!key)
                return 0;
        diagnosis_locate(d, NULL, 0, key);
        return diagnosis_set(d, -EDOM, "refused");
}

START_TEST(test_handler_ends_it) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *message = NULL;
        static const char text[] = "[A]\nk=v\nl=w\n";

        ck_assert_int_eq(ini_parse(text, sizeof(text) - 1, refuse_key, NULL, &d), -EDOM);
        message = diagnosis_format(&d);
        ck_assert_str_eq(message, "line 2: k: refused");
}
END_TEST

CHECK_MAIN("ini", test_syntax, test_continuation, test_errors, test_limit_of_file, test_limit_of_line, test_limit_of_keys,
           test_limit_of_names, test_handler_ends_it);
