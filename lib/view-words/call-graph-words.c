/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf takes any beginning of a word, and the first one that has it. */

#include "view-words.h"

int call_graph_word_find(const char *beginning, size_t length) {
        static const char *const words[_CALL_GRAPH_WORD_MAX] = {
                [CALL_GRAPH_WORD_GRAPH] = "graph",       [CALL_GRAPH_WORD_FRACTAL] = "fractal",
                [CALL_GRAPH_WORD_FLAT] = "flat",         [CALL_GRAPH_WORD_FOLDED] = "folded",
                [CALL_GRAPH_WORD_NONE] = "none",         [CALL_GRAPH_WORD_CALLER] = "caller",
                [CALL_GRAPH_WORD_CALLEE] = "callee",     [CALL_GRAPH_WORD_FUNCTION] = "function",
                [CALL_GRAPH_WORD_ADDRESS] = "address",   [CALL_GRAPH_WORD_SOURCE_LINE] = "srcline",
                [CALL_GRAPH_WORD_PERCENT] = "percent",   [CALL_GRAPH_WORD_PERIOD] = "period",
                [CALL_GRAPH_WORD_COUNT] = "count",
        };

        for (int i = 0; length > 0 && i < _CALL_GRAPH_WORD_MAX; i++)
                if (strncmp(words[i], beginning, length) == 0)
                        return i;
        return -EINVAL;
}
