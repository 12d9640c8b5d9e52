/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The first number is a percentage, the second one a limit. The types, keys and values are in the order of their words. */

#include "call-graph-options.h"

#include "option-list.h"
#include "parse-number.h"
#include "view-words.h"

typedef struct GraphWords {
        CallGraphOptions *graph;
        bool least_set;
} GraphWords;

static int graph_take_number(GraphWords *words, const char *word) {
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

static int graph_take_word(void *userdata, const char *word) {
        GraphWords *words = userdata;
        CallGraphOptions *g = words->graph;
        int found = call_graph_word_find(word, strlen(word));

        if (found < 0)
                return graph_take_number(words, word);
        if (found < CALL_GRAPH_WORD_CALLER)
                g->type = (CallGraphType) found;
        else if (found < CALL_GRAPH_WORD_FUNCTION) {
                g->caller = found == CALL_GRAPH_WORD_CALLER;
                g->order_set = true;
        } else if (found < CALL_GRAPH_WORD_PERCENT)
                g->key = (CallKey) (found - CALL_GRAPH_WORD_FUNCTION);
        else
                g->value = (CallGraphValue) (found - CALL_GRAPH_WORD_PERCENT);
        return 0;
}

int call_graph_options_parse(CallGraphOptions *options, const char *list) {
        return option_list_parse("call-graph", list, graph_take_word, &(GraphWords) { .graph = options });
}
