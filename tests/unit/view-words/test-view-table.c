/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "view-words.h"

static const ViewWord first[] = {
        { "graph", 'g', "[=WORD]", "Graphs", .takes_next = true },
        { "file", 'f', "=FILE", "A file" },
};
static const ViewWord second[] = { { "file", 'x', NULL, "Another one" }, { "set", 's', NULL, "A set" } };

/* Options and words as "NAME=VALUE", "NAME" and "'WORD'", up to what is refused. */
static char *read_words(ViewTable *t, const char *line) {
        static char copy[256], text[256];
        char *argv[32] = { (char *) "verb" };
        const ViewWord *word;
        const char *value;
        int argc = 1, r;

        (void) snprintf(copy, sizeof(copy), "%s", line);
        for (char *w = strtok(copy, " "); w; w = strtok(NULL, " "))
                argv[argc++] = w;
        *text = '\0';
        opterr = optind = 0;
        while ((r = view_table_next(t, argc, argv, &word, &value)) == 1) {
                size_t n = strlen(text);

                if (word)
                        (void) snprintf(text + n, sizeof(text) - n, "%s%s%s ", word->name, value ? "=" : "", value ?: "");
                else
                        (void) snprintf(text + n, sizeof(text) - n, "'%s' ", value);
        }
        if (r < 0)
                (void) strncat(text, "refused", sizeof(text) - strlen(text) - 1);
        for (; r == 0 && optind < argc; optind++)
                (void) strncat(strncat(text, argv[optind], 100), ".", 2);
        return text;
}

START_TEST(test_order) {
        ViewTable t = VIEW_TABLE_EMPTY;

        ck_assert_int_eq(view_table_add(&t, first, ELEMENTSOF(first)), 0);
        ck_assert_int_eq(view_table_add(&t, second, ELEMENTSOF(second)), 0);
        ck_assert_uint_eq(t.n, 3); /* the first "file" stays */
        ck_assert_str_eq(read_words(&t, "a --file=b c -fd -sf e"), "'a' file=b 'c' file=d set file=e ");
        ck_assert_str_eq(read_words(&t, "--fi b -- -s c"), "file=b -s.c.");
        ck_assert_str_eq(read_words(&t, "-g caller -g cpu -g 0.5,caller -gx -g"), "graph=caller graph 'cpu' graph=0.5,caller graph=x graph ");
        ck_assert_str_eq(read_words(&t, "a --set=1"), "'a' refused");
        ck_assert_str_eq(read_words(&t, "-sx"), "set refused");
        ck_assert_str_eq(read_words(&t, "--file"), "refused");
}
END_TEST

START_TEST(test_too_many) {
        ViewTable t = VIEW_TABLE_EMPTY;
        char names[VIEW_TABLE_MAX][8];

        for (size_t i = 0; i < VIEW_TABLE_MAX; i++) {
                (void) snprintf(names[i], sizeof(names[i]), "o%zu", i);
                ck_assert_int_eq(view_table_add(&t, &(ViewWord) { names[i] }, 1), 0);
        }
        ck_assert_int_eq(view_table_add(&t, first, 1), -E2BIG);
}
END_TEST

/* Each verb has words, whose names and letters are there once. */
START_TEST(test_verbs) {
        static const char *const verbs[] = { "annotate", "evlist", "export", "flamegraph", "header", "heatmap", "info", "report", "script" };

        for (size_t v = 0; v < ELEMENTSOF(verbs); v++) {
                size_t n;
                const ViewWord *words = view_words_find(verbs[v], &n);

                ck_assert(words && n > 2);
                for (size_t i = 0; i < n; i++)
                        for (size_t k = 0; k < i; k++)
                                ck_assert_msg(!streq(words[i].name, words[k].name) && (!words[i].letter || words[i].letter != words[k].letter),
                                              "%s: %s, %s", verbs[v], words[i].name, words[k].name);
        }
        ck_assert_ptr_null(view_words_find("record", &(size_t) { 0 }));
}
END_TEST

START_TEST(test_call_graph) {
        ck_assert_int_eq(call_graph_word_find("fractal,5", 7), CALL_GRAPH_WORD_FRACTAL);
        ck_assert_int_eq(call_graph_word_find("f", 1), CALL_GRAPH_WORD_FRACTAL); /* the first one */
        ck_assert_int_eq(call_graph_word_find("calle", 5), CALL_GRAPH_WORD_CALLER);
        ck_assert_int_eq(call_graph_word_find("callee", 6), CALL_GRAPH_WORD_CALLEE);
        ck_assert_int_eq(call_graph_word_find("", 0), -EINVAL);
        ck_assert_int_eq(call_graph_word_find("cpu", 3), -EINVAL);
}
END_TEST

CHECK_MAIN("view-table", test_order, test_too_many, test_verbs, test_call_graph);
