/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "call-tree.h"

/* The words of --call-graph: how call chains are shown. */

typedef enum CallGraphType {
        CALL_GRAPH_GRAPH,
        CALL_GRAPH_FRACTAL,
        CALL_GRAPH_FLAT,
        CALL_GRAPH_FOLDED,
        CALL_GRAPH_NONE,
        _CALL_GRAPH_TYPE_MAX,
        _CALL_GRAPH_TYPE_INVALID = -EINVAL,
} CallGraphType;

typedef enum CallGraphValue {
        CALL_GRAPH_PERCENT,
        CALL_GRAPH_PERIOD,
        CALL_GRAPH_COUNT,
        _CALL_GRAPH_VALUE_MAX,
        _CALL_GRAPH_VALUE_INVALID = -EINVAL,
} CallGraphValue;

typedef struct CallGraphOptions {
        CallGraphType type;
        CallGraphValue value;
        double least;      /* percent of the event's weight */
        unsigned limit;    /* calls that are shown of one; 0: all */
        bool caller, order_set;
        bool wanted;       /* an option asked for call graphs */
        CallKey key;
} CallGraphOptions;

/* Parses a list of words; those that it lacks stay as they are. 0; -EINVAL: an error was printed; -ENOMEM. */
int call_graph_options_parse(CallGraphOptions *options, const char *list);
