/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Words and letters are perf trace's, where it has the option. */

#include "trace-options.h"

#include "trace-rows.h"

static const ViewOption rows[] = { TRACE_ROWS };

static const ViewVerb verb = {
        .synopsis = "trace [OPTION...]",
        .purpose = "Show system calls as perf trace and strace do.",
        .options = rows, .n = ELEMENTSOF(rows),
};

int trace_options_parse(TraceOptions *o, int argc, char **argv) {
        int r = view_options_parse(&verb, o, argc, argv);

        return r == 0 ? recording_names_complete(&o->inputs) : r;
}

void trace_options_done(TraceOptions *o) {
        free(o->inputs.names);
        selection_options_done(&o->select);
        call_options_done(&o->calls);
        *o = (TraceOptions) {};
}
