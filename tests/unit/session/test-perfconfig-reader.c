/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The syntax of perfconfig files, as perf reads it. */

#include "check-main.h"
#include "perfconfig-reader.h"

/* "LINE [section]|" and "LINE section.key=value|"; "LINE section.key|" for a key without a value. */
static int record_all(const char *section, const char *key, const char *value, unsigned line, void *userdata) {
        if (!key)
                fprintf(userdata, "%u [%s]|", line, section);
        else
                fprintf(userdata, "%u %s.%s%s%s|", line, section, key, value ? "=" : "", value ?: "");
        return 0;
}

static int read_text(const char *text, size_t size, char **ret_seen, Diagnosis *d) {
        size_t seen_size;
        FILE *f = open_memstream(ret_seen, &seen_size);
        int r;

        r = perfconfig_read(text, size, record_all, f, d);
        fclose(f);
        return r;
}

static void assert_read(const char *text, const char *expected) {
        _cleanup_free_ char *seen = NULL;

        ck_assert_int_eq(read_text(text, strlen(text), &seen, NULL), 0);
        ck_assert_str_eq(seen, expected);
}

static void assert_refused(const char *text, int error, const char *message) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *seen = NULL, *formatted = NULL;

        ck_assert_int_eq(read_text(text, strlen(text), &seen, &d), error);
        formatted = diagnosis_format(&d);
        ck_assert_str_eq(formatted, message);
}

START_TEST(test_syntax) {
        assert_read("", "");
        assert_read("\xef\xbb\xbf# a\n; b\n\n", "");
        assert_read("[Daemon]\n\tBase = /opt/perf # c\n", "1 [daemon]|2 daemon.base=/opt/perf|");
        assert_read("[a] k=v\n[b.c]k = v", "1 [a]|1 a.k=v|2 [b.c]|2 b.c.k=v|");
        assert_read("[a \"sub\"]\nk\n l=\n", "1 [a.]|2 a..k|3 a..l=|");
        assert_read("[a]\r\nk = v\r\nl\r\n", "1 [a]|2 a.k=v|3 a.l|");
}
END_TEST

START_TEST(test_values) {
        assert_read("[a]\nk =   -m  10M\t -e x  ; c", "1 [a]|2 a.k=-m 10M -e x|");
        assert_read("[a]\nk = \"a  # b\" c", "1 [a]|2 a.k=a  # b c|");
        assert_read("[a]\nk = a\\\n   b\\\r\nc\nl=1", "1 [a]|2 a.k=a bc|5 a.l=1|");
        assert_read("[a]\nk = \\\"\\\\\\t\\b|", "1 [a]|2 a.k=\"\\\t\b||");
        assert_read("[a]\nk = 'x=y'", "1 [a]|2 a.k='x=y'|");
}
END_TEST

START_TEST(test_errors) {
        assert_refused("k=v", -EINVAL, "line 1: an assignment outside of a section");
        assert_refused("[a\nk=v", -EINVAL, "line 1: a section without its closing bracket");
        assert_refused("[]\n", -EINVAL, "line 1: expected a name of letters, digits, - and _");
        assert_refused("[a]\n=v", -EINVAL, "line 2: expected a name of letters, digits, - and _");
        assert_refused("[a]\nk v", -EINVAL, "line 2: not an assignment, expected key = value, [section] or a # comment");
        assert_refused("[a]\nk = \"v", -EINVAL, "line 2: a quote without its end");
        assert_refused("[a]\nk = \\x", -EINVAL, "line 2: a backslash that nothing known follows");
        assert_refused("[a]\n\xff", -EINVAL, "line 2: not valid UTF-8");
        assert_refused("[a]\nk = \x1b", -EINVAL, "line 2: a control character");
}
END_TEST

START_TEST(test_limits) {
        char text[PERFCONFIG_VALUE_MAX + 16];

        memset(text, 'a', sizeof(text));
        text[0] = '[';
        text[PERFCONFIG_NAME_MAX + 2] = '\0';
        assert_refused(text, -E2BIG, "line 1: a name of more than 256 bytes");

        memset(text, 'a', sizeof(text));
        memcpy(text, "[a]\nk=", 6);
        text[6 + PERFCONFIG_VALUE_MAX + 1] = '\0';
        assert_refused(text, -E2BIG, "line 2: a value of more than 8192 bytes");
}
END_TEST

static int refuse(const char *section, const char *key, const char *value, unsigned line, void *userdata) {
        return key ? -EDOM : 0;
}

START_TEST(test_handler_ends_it) {
        static const char text[] = "[a]\nk=v\nl=w\n";

        ck_assert_int_eq(perfconfig_read(text, sizeof(text) - 1, refuse, NULL, NULL), -EDOM);
}
END_TEST

CHECK_MAIN("perfconfig-reader", test_syntax, test_values, test_errors, test_limits, test_handler_ends_it);
