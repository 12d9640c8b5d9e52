/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* getopt_long(3) lets names be abbreviated and letters be joined. */

#include <ctype.h>

#include "array.h"
#include "view-words.h"

#define FIRST_NUMBER 0x100 /* of options, for getopt_long(): above all letters */

/* A letter has a colon behind it if it has a value, two if that may be missing. */
static void add_word(ViewTable *t, const ViewWord *word) {
        int argument = !word->value ? no_argument : *word->value == '[' ? optional_argument : required_argument;
        char *letter = t->letters + strlen(t->letters);

        t->words[t->n] = *word;
        t->rows[t->n] = (struct option) { word->name, argument, NULL, FIRST_NUMBER + (int) t->n };
        t->rows[++t->n] = (struct option) {};
        if (!word->letter)
                return;
        *letter++ = word->letter;
        for (int colon = 0; colon < argument; colon++)
                *letter++ = ':';
        *letter = '\0';
}

int view_table_add(ViewTable *t, const ViewWord *words, size_t n) {
        size_t before = t->n;

        for (size_t i = 0; i < n; i++) {
                if (ANY_OF(before, k, streq(t->words[k].name, words[i].name)))
                        continue;
                if (t->n == VIEW_TABLE_MAX)
                        return -E2BIG;
                add_word(t, words + i);
        }
        return 0;
}

static bool is_call_graph(const char *word) {
        return word && (isdigit(*word) || call_graph_word_find(word, strcspn(word, ",")) >= 0);
}

int view_table_next(const ViewTable *t, int argc, char **argv, const ViewWord **ret, const char **ret_value) {
        const ViewWord *word = NULL;
        int number = getopt_long(argc, argv, t->letters, t->rows, NULL);

        if (number < 0 || number == '?')
                return number < 0 ? 0 : -EINVAL;
        if (number >= FIRST_NUMBER)
                word = t->words + (number - FIRST_NUMBER);
        for (size_t i = 0; number != 1 && !word && i < t->n; i++)
                if (t->words[i].letter == number)
                        word = t->words + i;
        if (word && word->takes_next && !optarg && is_call_graph(argv[optind]))
                optarg = argv[optind++];
        *ret = word;
        *ret_value = optarg;
        return 1;
}
