/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "call-tree.h"
#include "report-options.h"

/* Prints the call chains of one entry, as perf report --stdio does below it. */
typedef struct CallGraphPrint {
        const CallGraphOptions *options;
        const CallTree *tree;
        char separator;         /* of folded chains; 0: ';' */
        bool colors;
        bool skip_first;        /* the first call is the entry itself */
        uint64_t total;         /* the event's weight */
        uint64_t entry;         /* the entry's weight */
} CallGraphPrint;

int call_graph_print(const CallGraphPrint *p, FILE *f); /* 0, -ENOMEM */
