/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"

/* The ways in which call stacks are recorded, in perf record's words: those of --call-graph, of the term call-graph=
 * of an event, and of CallGraph= in a session file. */

#define CALL_GRAPH_DUMP_DEFAULT 8192u /* bytes of the user stack that a sample carries for dwarf */
#define CALL_GRAPH_FRAMES_MAX 65535u   /* sample_max_stack has 16 bits */
#define CALL_GRAPH_DUMP_MAX 65528u    /* the largest multiple of 8 in 16 bits: sample_stack_user's limit in the kernel */

typedef enum CallGraphMode {
        CALL_GRAPH_NONE,
        CALL_GRAPH_FP,    /* the kernel follows frame pointers */
        CALL_GRAPH_DWARF, /* a copy of the user stack and registers, unwound by whoever reads the file */
        CALL_GRAPH_LBR,   /* the CPU's last branch records */
        _CALL_GRAPH_MODE_MAX,
        _CALL_GRAPH_MODE_INVALID = -EINVAL,
} CallGraphMode;

typedef struct CallGraph {
        CallGraphMode mode;
        unsigned dump_size; /* dwarf: bytes, a multiple of 8 */
        unsigned max_stack; /* frames that the kernel walks at most, 0: kernel.perf_event_max_stack */
} CallGraph;

/* "no", "fp[,FRAMES]", "dwarf[,SIZE]", "lbr"; SIZE is in bytes, or as 16K, and rounded up to a multiple of 8. -EINVAL and
 * -ERANGE with perf's own words in d. */
int call_graph_parse(const char *s, CallGraph *ret, Diagnosis *d);

/* A size of dwarf's copies, rounded up. -EINVAL, -ERANGE. */
int call_graph_parse_dump_size(const char *s, unsigned *ret, Diagnosis *d);

/* The words that call_graph_parse() takes back. A new string, or NULL without memory. */
char *call_graph_format(const CallGraph *g);
