/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perfctl(1) and the bash completion have every verb and every option of the tables, and no other; the completion and the bus's
 * descriptions have every state and every trigger. */

#include <perf-recorder/bus-names.h>
#include <perf-recorder/dump-facts.h>
#include "check-main.h"
#include "fd-file.h"
#include "quote.h"
#include "strv.h"
#include "verbs.h"

#define WORDS_MAX 256

static char *read_source(const char *name) {
        _cleanup_free_ char *path = path_join(PR_SOURCE_DIR, name);
        char *text;

        ck_assert_int_eq(read_file(path, 1024 * 1024, &text, NULL), 0);
        return text;
}

/* Returns the words between begin, which text must have, and end. */
static char **words_between(const char *text, const char *begin, const char *end) {
        const char *from = strstr(text, begin), *to = from ? strstr(from + strlen(begin), end) : NULL;
        _cleanup_free_ char *part = NULL;
        char **words = NULL;

        ck_assert_msg(to, "no %s…%s", begin, end);
        from += strlen(begin);
        part = strndup(from, (size_t) (to - from));
        for (char *c = part; *c; c++)
                if (*c == '\n')
                        *c = ' ';
        ck_assert_int_eq(split_words(part, WORDS_MAX, &words), 0);
        return words;
}

static bool is_letter_of_others(OptionId id) {
        for (OptionId i = 0; i < id; i++)
                if (client_option_row(i)->letter && client_option_row(i)->letter == client_option_row(id)->letter)
                        return true;
        return false;
}

/* Before the verb is known, the completion must know which options have a value; of the rest it asks perfctl. */
START_TEST(test_completion_options) {
        _cleanup_free_ char *text = read_source("completion/perfctl");
        _cleanup_strv_free_ char **values = words_between(text, "local values='", "'");
        size_t n = 0;

        for (OptionId i = 0; i < _OPTION_MAX; i++) {
                const ClientOptionRow *row = client_option_row(i);
                char letter[] = { '-', row->letter, '\0' };
                _cleanup_free_ char *name = NULL;

                if (!row->argument)
                        continue;
                ck_assert_int_gt(asprintf(&name, "--%s", row->name ?: ""), 0);
                if (row->argument[0] == '[' && row->argument[1] == '=') /* no word of its own */
                        continue;
                if (is_letter_of_others(i)) /* before the verb it is theirs */
                        continue;
                ck_assert_msg(!row->letter || strv_contains(values, letter), "%s is missing", letter);
                ck_assert_msg(!row->name || strv_contains(values, name), "%s is missing", name);
                n += (row->letter != 0) + (row->name != NULL);
        }
        ck_assert_uint_eq(strv_length(values), n);
}
END_TEST

/* Returns the words in double quotes between begin and the end of the comment. */
static char **words_in_xml(const char *name, const char *begin) {
        _cleanup_free_ char *text = read_source(name);
        _cleanup_strv_free_ char **parts = words_between(text, begin, "-->");
        char **words = NULL;

        STRV_FOREACH(part, parts) { /* split_words() has removed the quotes */
                (*part)[strcspn(*part, ",")] = '\0';
                if (!streq(*part, "or"))
                        ck_assert_int_eq(strv_extend(&words, *part), 0);
        }
        return words;
}

/* Each word of both lists is in the other one. */
static void check_same(const char *const *words, size_t n, char **others, const char *where) {
        for (size_t i = 0; i < n; i++)
                ck_assert_msg(strv_contains(others, words[i]), "%s lacks %s", where, words[i]);
        ck_assert_msg(strv_length(others) == n, "%s has %zu words, not %zu", where, strv_length(others), n);
}

/* Each word is set in bold where the manual describes the property. */
static void check_property_in_man(const char *property, const char *const *words, size_t n) {
        _cleanup_free_ char *page = read_source("man/org.perfrecorder1.5"), *begin = NULL, *section = NULL;
        const char *from;

        ck_assert_int_gt(asprintf(&begin, "\n.BR %s \" (s)\"\n", property), 0);
        from = strstr(page, begin);
        ck_assert_msg(from && strstr(from, "\n.TP"), "no %s in org.perfrecorder1(5)", property);
        section = strndup(from + 1, (size_t) (strstr(from, "\n.TP") - from));
        for (size_t i = 0; i < n; i++) {
                bool found = false;

                for (const char *line = section; line && !found; line = strchr(line + 1, '\n')) {
                        const char *at = startswith(line, "\n.BR ") ?: startswith(line, "\n.B "), *word = words[i];

                        while (at && *word && *at == (*word == '-' ? '\\' : *word)) {
                                at += *word == '-' ? 2 : 1;
                                word++;
                        }
                        found = at && *word == '\0' && strchr(" \n", *at);
                }
                ck_assert_msg(found, "org.perfrecorder1(5), %s, lacks %s", property, words[i]);
        }
}

/* perfctl itself has the lists of include/perf-recorder. */
START_TEST(test_values) {
        static const char *const states[] = { PR_STATES }, *const triggers[] = { PR_TRIGGERS };
        const struct {
                const char *const *words;
                size_t n;
                const char *completion, *xml, *begin, *property;
        } lists[] = {
                { states, ELEMENTSOF(states), "--state') of_option='", "dbus/org.perfrecorder1.Session.xml", " State: ", "State" },
                { triggers, ELEMENTSOF(triggers), "--trigger') of_option='", "dbus/org.perfrecorder1.Dump.xml", " Trigger: the cause: ",
                  "Trigger" },
        };
        _cleanup_free_ char *text = read_source("completion/perfctl");

        for (size_t i = 0; i < ELEMENTSOF(lists); i++) {
                _cleanup_strv_free_ char **completed = words_between(text, lists[i].completion, "'");
                _cleanup_strv_free_ char **described = words_in_xml(lists[i].xml, lists[i].begin);

                check_same(lists[i].words, lists[i].n, completed, lists[i].completion);
                check_same(lists[i].words, lists[i].n, described, lists[i].xml);
                check_property_in_man(lists[i].property, lists[i].words, lists[i].n);
        }
}
END_TEST

static const char *class_of(const Verb *v) {
        return v->flags & VERB_DUMPS ? "[DUMPS]='" : v->flags & VERB_VERBATIM ? "[VERBATIM]='" : v->flags & VERB_COMMAND ? "[COMMAND]='" :
               v->flags & VERB_SESSIONS ? "[SESSIONS]='" : v->flags & VERB_EVENTS ? "[EVENTS]='" : v->max_arguments == 0 ? "[NONE]='" : "[FILES]='";
}

START_TEST(test_completion_verbs) {
        _cleanup_free_ char *text = read_source("completion/perfctl");
        static const char *const classes[] = { "[VERBATIM]='", "[SESSIONS]='", "[NONE]='", "[FILES]='", "[EVENTS]='",
                                               "[DUMPS]='", "[COMMAND]='" };
        size_t n = 0, n_words = 0;

        for (const Verb *v = verb_table; v->name || v->help; v++) {
                _cleanup_strv_free_ char **words = NULL;

                if (v->flags & VERB_HEADING)
                        continue;
                words = words_between(text, class_of(v), "'");
                ck_assert_msg(strv_contains(words, v->name), "%s is missing", v->name);
                n++;
        }
        for (size_t i = 0; i < ELEMENTSOF(classes); i++) {
                _cleanup_strv_free_ char **words = words_between(text, classes[i], "'");

                n_words += strv_length(words);
        }
        ck_assert_uint_eq(n_words, n);
}
END_TEST

/* Returns the rest of the page from the first line with that beginning. */
static const char *find_line(const char *page, const char *begin) {
        for (const char *line = page; line; line = strchr(line, '\n')) {
                line += *line == '\n';
                if (startswith(line, begin))
                        return line;
        }
        return NULL;
}

/* "[NAME...]" of the help is "Op Ar NAME ..." in the page. */
static char *usage_in_mdoc(const Verb *v) {
        static const char *const others[] = {
                ".It Cm record Oo Ar OPTION ... Oc Op Ar COMMAND ...\n",
                ".It Cm reserve Oo Ar OPTION ... Oc Op Ar COMMAND ...\n",
                ".It Cm stat Oo Ar OPTION ... Oc Op Ar COMMAND ...\n",
                ".It Cm open Oo Ar DUMP Oc Op Fl - Ar ARGUMENT ...\n",
                ".It Cm report Oo Ar DUMP ... Oc Op Ar OPTION ...\n",
                ".It Cm script Oo Ar DUMP ... Oc Op Ar OPTION ...\n",
                ".It Cm annotate Oo Ar DUMP ... Oc Op Ar OPTION ...\n",
                ".It Cm header Oo Ar DUMP Oc Op Ar OPTION ...\n",
                ".It Cm evlist Oo Ar DUMP Oc Op Ar OPTION ...\n",
                ".It Cm flamegraph Oo Ar DUMP ... Oc Op Fl o Ar FILE\n",
                ".It Cm heatmap Oo Ar DUMP ... Oc Op Fl o Ar FILE\n",
                ".It Cm export Oo Ar DUMP ... Oc Cm --format Ns = Ns Ar FORMAT Op Fl o Ar FILE\n",
                ".It Cm diff Oo Ar DUMP DUMP Oc Op Ar OPTION ...\n",
                ".It Cm lock Ar VIEW Oo Ar DUMP ... Oc Op Ar OPTION ...\n",
                ".It Cm mem Ar VIEW Oo Ar DUMP ... Oc Op Ar OPTION ...\n",
                ".It Cm c2c Ar VIEW Oo Ar DUMP ... Oc Op Ar OPTION ...\n",
                ".It Cm sched Ar VIEW Oo Ar DUMP ... Oc Op Ar OPTION ...\n",
                ".It Cm cp Ar DUMP FILE\n",
                ".It Cm top Oo Ar OPTION ... Oc Op Ar SESSION\n",
                ".It Cm trace Oo Ar OPTION ... Oc Op Ar COMMAND ...\n",
                ".It Cm daemon Oo Ar COMMAND Oc Op Ar OPTION ...\n",
                ".It Cm verify Ar FILE Ns | Ns Ar NAME ...\n",
        };
        _cleanup_strv_free_ char **words = NULL;
        char *line;

        for (size_t i = 0; i < ELEMENTSOF(others); i++) {
                const char *rest = startswith(others[i] + strlen(".It Cm "), v->name);

                if (rest && *rest == ' ')
                        return strdup(others[i]);
        }
        ck_assert_int_eq(strv_extendf(&words, ".It Cm %s", v->name), 0);
        if (*v->usage) {
                bool optional = *v->usage == '[';
                size_t n = strspn(v->usage + optional, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");

                ck_assert_int_eq(strv_extendf(&words, "%sAr %.*s%s", optional ? "Op " : "", (int) n,
                                              v->usage + optional, strstr(v->usage, "...") ? " ..." : ""),
                                 0);
        }
        ck_assert_int_eq(strv_extend(&words, ""), 0);
        line = strv_join(words, " ");
        ck_assert_ptr_nonnull(line);
        line[strlen(line) - 1] = '\n';
        return line;
}

START_TEST(test_man_verbs) {
        _cleanup_free_ char *page = read_source("man/perfctl.1");
        const char *commands = find_line(page, ".Sh COMMANDS"), *end = find_line(page, ".Sh OPTIONS");
        size_t n = 0, n_items = 0;

        ck_assert(commands && end && commands < end);
        for (const Verb *v = verb_table; v->name || v->help; v++) {
                _cleanup_free_ char *line = NULL;

                if (v->flags & VERB_HEADING)
                        continue;
                line = usage_in_mdoc(v);
                ck_assert_msg(find_line(commands, line) && find_line(commands, line) < end, "no '%s' in perfctl(1)",
                              line);
                n++;
        }
        for (const char *line = commands; (line = find_line(line + 1, ".It Cm")) && line < end;)
                n_items++;
        ck_assert_uint_eq(n_items, n);
}
END_TEST

static char *option_in_mdoc(const ClientOptionRow *row) {
        char *line;
        int n;

        if (!row->name)
                n = asprintf(&line, ".It Fl %c%s", row->letter, row->argument ? " Ar " : "\n");
        else if (row->argument && startswith(row->argument, "[="))
                n = asprintf(&line, ".It Fl -%s Ns Oo Ns = Ns ", row->name);
        else if (!row->letter)
                n = asprintf(&line, ".It Fl -%s%s", row->name, row->argument ? " Ns = Ns " : "\n");
        else
                n = asprintf(&line, ".It Fl %c , Fl -%s%s", row->letter, row->name,
                             row->argument ? " Ns = Ns " : "\n");
        ck_assert_int_gt(n, 0);
        return line;
}

/* Returns whether the item that begins at line names the verb in one of its ".Cm a , b :". */
static bool item_names(const char *line, const char *verb) {
        const char *end = find_line(line + 1, ".It "), *close = find_line(line + 1, ".El");

        end = end && end < close ? end : close;
        for (line = find_line(line, ".Cm "); line && line < end; line = find_line(line + 1, ".Cm ")) {
                _cleanup_free_ char *copy = strndup(line + strlen(".Cm "), strcspn(line, "\n") - strlen(".Cm "));
                _cleanup_strv_free_ char **words = NULL;

                ck_assert_int_eq(split_words(copy, WORDS_MAX, &words), 0);
                if (words && streq(words[strv_length(words) - 1], ":") && strv_contains(words, verb))
                        return true;
        }
        return false;
}

START_TEST(test_man_options) {
        _cleanup_free_ char *page = read_source("man/perfctl.1");
        const char *options = find_line(page, ".Sh OPTIONS"), *end = find_line(page, ".Sh AUTHORIZATION");
        size_t n_items = 0;

        ck_assert(options && end && options < end);
        for (OptionId i = 0; i < _OPTION_MAX; i++) {
                _cleanup_free_ char *begin = option_in_mdoc(client_option_row(i));
                const char *line = find_line(options, begin);

                ck_assert_msg(line && line < end, "no '%s' in perfctl(1)", begin);
                if ((OPTIONS_GLOBAL & OPTION_BIT(i)) || i == OPTION_SESSION)
                        continue;
                for (const Verb *v = verb_table; v->name || v->help; v++)
                        if (v->name && !!(v->options & OPTION_BIT(i)) != item_names(line, v->name))
                                ck_abort_msg("perfctl(1) and the table do not agree on %s of '%s'", begin, v->name);
        }
        for (const char *line = options; (line = find_line(line + 1, ".It Fl")) && line < end;)
                n_items++;
        ck_assert_uint_eq(n_items, _OPTION_MAX);
}
END_TEST

CHECK_MAIN("documents", test_completion_options, test_values, test_completion_verbs, test_man_verbs, test_man_options);
