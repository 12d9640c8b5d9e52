/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Options that say what a sample carries. */

#include "option-parsers.h"

int option_stacks(Options *o, const char *value, bool unset, Diagnosis *d) {
        o->attr.call_graph = (CallGraph) { .mode = unset ? CALL_GRAPH_NONE : CALL_GRAPH_FP };
        return 0;
}

int option_call_graph(Options *o, const char *value, bool unset, Diagnosis *d) {
        return call_graph_parse(value, &o->attr.call_graph, d);
}
