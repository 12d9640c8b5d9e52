/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Words and letters are perf trace's, where it has the option. */

#include "trace-live.h"

#include "ring.h"
#include "trace-live-rows.h"

static int trace_live_take_target(void *field, const ViewOption *option, const char *value) {
        static int (*const take[])(Target *t, const char *value, Diagnosis *d) = {
                [TRACE_LIVE_CPUS] = target_set_cpus, [TRACE_LIVE_PIDS] = target_add_pids, [TRACE_LIVE_TIDS] = target_add_tids,
                [TRACE_LIVE_USER] = target_set_user,
        };
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *sentence = NULL;
        int r = take[option->number](field, value, &d);

        if (r >= 0 || r == -ENOMEM)
                return r;
        sentence = diagnosis_format(&d);
        return option_fail(option->name, value, sentence ?: strerror(-r));
}

static int trace_live_take_pages(void *field, const ViewOption *option, const char *value) {
        return ring_parse_pages(value, field) < 0 ? option_fail(option->name, value, "not a size") : 0;
}

static const ViewOption rows[] = { TRACE_LIVE_ROWS };

static const ViewVerb verb = {
        .synopsis = "trace [OPTION...] [--] [COMMAND [ARGUMENT...]]",
        .purpose = "Run a command and show its system calls, as perf trace and strace do; or show those of others until they\n"
                   "end, or until Ctrl-C.",
        .options = rows, .n = ELEMENTSOF(rows), .command = true,
};

int trace_live_options_parse(TraceLiveOptions *o, int argc, char **argv) {
        _cleanup_strv_free_ char **notes = NULL;
        int r;

        *o = (TraceLiveOptions) { .target = TARGET_EMPTY };
        r = view_options_parse(&verb, o, argc, argv);
        if (r != 0)
                return r;
        if (optind < argc)
                o->command = argv + optind;
        if (target_has_cpu(&o->target) || target_has_task(&o->target))
                r = target_check(&o->target, &notes);
        else if (!o->command) {
                (void) fprintf(stderr, "Nothing to trace: give a command, or -a, -C, -p, -t or -u\n");
                r = -EINVAL;
        }
        STRV_FOREACH(note, notes)
                (void) fprintf(stderr, "%s\n", *note);
        return r;
}

void trace_live_options_done(TraceLiveOptions *o) {
        call_options_done(&o->calls);
        target_done(&o->target);
}
