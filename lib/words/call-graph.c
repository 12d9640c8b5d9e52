/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The words that say how call stacks are recorded. They stand here, below both the events and the session files, because
 * both speak them and neither knows the other. Limits and messages are those of perf record 6.1 (its
 * parse_callchain_record()), "no" is the word of its event terms. Whether the machine can do it is not asked here. */

#include "call-graph.h"

#include "format-text.h"
#include "parse-number.h"
#include "parse-size.h"
#include "string-table.h"

static const char *const mode_names[_CALL_GRAPH_MODE_MAX] = {
        [CALL_GRAPH_NONE] = "no",
        [CALL_GRAPH_FP] = "fp",
        [CALL_GRAPH_DWARF] = "dwarf",
        [CALL_GRAPH_LBR] = "lbr",
};

int call_graph_parse_dump_size(const char *s, unsigned *ret, Diagnosis *d) {
        uint64_t size;

        if ((parse_uint64(s, &size) < 0 && parse_size(s, &size) < 0) || size == 0 || size > CALL_GRAPH_DUMP_MAX)
                return diagnosis_set(d, -ERANGE, "callchain: Incorrect stack dump size (max %u): %s", CALL_GRAPH_DUMP_MAX, s);
        *ret = ((unsigned) size + 7u) & ~7u;
        return 0;
}

static int parse_frames(const char *s, unsigned *ret, Diagnosis *d) {
        unsigned n;

        if (parse_uint(s, &n) < 0 || n == 0 || n > CALL_GRAPH_FRAMES_MAX)
                return diagnosis_set(d, -ERANGE, "callchain: `%s' is no number of frames from 1 to %u", s, CALL_GRAPH_FRAMES_MAX);
        *ret = n;
        return 0;
}

int call_graph_parse(const char *s, CallGraph *ret, Diagnosis *d) {
        const char *comma = strchrnul(s, ',');
        _cleanup_free_ char *word = strndup(s, (size_t) (comma - s));
        CallGraph g = {};
        int r = 0;

        if (!word)
                return -ENOMEM;
        g.mode = string_table_value(mode_names, ELEMENTSOF(mode_names), word);
        if (g.mode < 0)
                return diagnosis_set(d, -EINVAL, "callchain: Unknown --call-graph option value: %s", s);
        if (g.mode == CALL_GRAPH_DWARF)
                g.dump_size = CALL_GRAPH_DUMP_DEFAULT;
        if (*comma && g.mode == CALL_GRAPH_DWARF)
                r = call_graph_parse_dump_size(comma + 1, &g.dump_size, d);
        else if (*comma && g.mode == CALL_GRAPH_FP)
                r = parse_frames(comma + 1, &g.max_stack, d);
        else if (*comma)
                r = diagnosis_set(d, -EINVAL, "callchain: No more arguments needed for --call-graph %s", word);
        if (r < 0)
                return r;
        *ret = g;
        return 0;
}

char *call_graph_format(const CallGraph *g) {
        if (g->mode == CALL_GRAPH_DWARF)
                return format_text("dwarf,%u", g->dump_size);
        if (g->mode == CALL_GRAPH_FP && g->max_stack > 0)
                return format_text("fp,%u", g->max_stack);
        return strdup(mode_names[g->mode]);
}
