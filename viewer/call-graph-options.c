/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf takes any beginning of a word, and the first one that has it. The first number is a percentage, the second one a limit. */

#include "call-graph-options.h"

#include "option-list.h"
#include "parse-number.h"
#include "strv.h"

static int find_beginning(const char *const *words, size_t n, const char *word) {
        for (size_t i = 0; *word && i < n; i++)
                if (startswith(words[i], word))
                        return (int) i;
        return -EINVAL;
}

typedef struct GraphWords {
        CallGraphOptions *graph;
        bool least_set;
} GraphWords;

static int take_number(GraphWords *words, const char *word) {
        char *end;

        if (!words->least_set) {
                double least = strtod(word, &end);

                if (end == word || *end || !(least >= 0 && least <= 100))
                        return -EINVAL;
                words->graph->least = least;
                words->least_set = true;
                return 0;
        }
        return parse_uint(word, &words->graph->limit);
}

static int take_word(void *userdata, const char *word) {
        static const char *const types[] = { "graph", "fractal", "flat", "folded", "none" };
        static const char *const orders[] = { "caller", "callee" }, *const keys[] = { "function", "address", "srcline" };
        static const char *const values[] = { "percent", "period", "count" };
        GraphWords *words = userdata;
        CallGraphOptions *g = words->graph;
        int number = find_beginning(types, ELEMENTSOF(types), word);

        if (number >= 0) {
                g->type = (CallGraphType) number;
                return 0;
        }
        number = find_beginning(orders, ELEMENTSOF(orders), word);
        if (number >= 0) {
                g->caller = number == 0;
                g->order_set = true;
                return 0;
        }
        number = find_beginning(keys, ELEMENTSOF(keys), word);
        if (number >= 0) {
                g->key = (CallKey) number;
                return 0;
        }
        number = find_beginning(values, ELEMENTSOF(values), word);
        if (number >= 0) {
                g->value = (CallGraphValue) number;
                return 0;
        }
        return take_number(words, word);
}

int call_graph_options_parse(CallGraphOptions *options, const char *list) {
        return option_list_parse("call-graph", list, take_word, &(GraphWords) { .graph = options });
}
