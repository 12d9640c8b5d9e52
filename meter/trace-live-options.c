/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Words and letters are perf trace's, where it has the option. */

#include "trace-live.h"

#include "array.h"
#include "live-target.h"
#include "strv.h"
#include "trace-live-rows.h"

#define DELAY_MAX UINT32_MAX /* ms */

static int trace_live_take_filter(void *options, const ViewOption *option, const char *value) {
        TraceLiveOptions *o = options;
        size_t end = strv_length(o->calls.events);

        if (end == o->calls.last_events)
                return option_fail(option->name, value, "it must follow the tracepoints (-e) that it is for");
        if (ARRAY_RESERVE_NEXT(o->filters, o->n_filters) < 0)
                return -ENOMEM;
        o->filters[o->n_filters++] = (TraceLiveFilter) { .begin = o->calls.last_events, .end = end, .text = value };
        return 0;
}

static const ViewOption rows[] = { TRACE_LIVE_ROWS };

static const ViewVerb verb = {
        .synopsis = "trace [OPTION...] [--] [COMMAND [ARGUMENT...]]",
        .purpose = "Run a command and show its system calls, as perf trace and strace do; or show those of others until they\n"
                   "end, or until Ctrl-C.",
        .options = rows, .n = ELEMENTSOF(rows), .command = true,
};

/* Returns what does not go together; NULL: all does. */
static const char *trace_live_contradiction(const TraceLiveOptions *o) {
        bool has_task = target_has_task(&o->target);

        if (!o->command && !target_has_cpu(&o->target) && !has_task && !o->groups)
                return "Nothing to trace: give a command, or -a, -C, -G, -p, -t, -u or --unit";
        if (o->groups && has_task)
                return "Control groups are traced on CPUs: -G and --unit exclude -p, -t and -u";
        return o->delay > DELAY_MAX ? "--delay is too long" : NULL;
}

int trace_live_options_parse(TraceLiveOptions *o, int argc, char **argv) {
        _cleanup_strv_free_ char **notes = NULL;
        const char *contradiction;
        int r;

        *o = (TraceLiveOptions) { .target = TARGET_EMPTY, .left_out = TARGET_EMPTY };
        r = view_options_parse(&verb, o, argc, argv);
        if (r != 0)
                return r;
        if (optind < argc)
                o->command = argv + optind;
        contradiction = trace_live_contradiction(o);
        if (contradiction) {
                (void) fprintf(stderr, "%s\n", contradiction);
                return -EINVAL;
        }
        if (o->groups) {
                live_target_drop_inner_groups(o->groups);
                o->target.all_cpus = o->target.n_cpus == 0;
        }
        if (target_has_cpu(&o->target) || target_has_task(&o->target))
                r = target_check(&o->target, &notes);
        STRV_FOREACH(note, notes)
                (void) fprintf(stderr, "%s\n", *note);
        return r;
}

void trace_live_options_done(TraceLiveOptions *o) {
        call_options_done(&o->calls);
        target_done(&o->target);
        target_done(&o->left_out);
        strv_free(o->groups);
        free(o->filters);
}
