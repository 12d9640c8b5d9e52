/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Words and letters are perf trace's, where it has the option. */

#include "trace-live.h"

#include "array.h"
#include "cgroup.h"
#include "ring.h"
#include "strv.h"
#include "trace-live-rows.h"
#include "unit-path.h"

#define DELAY_MAX UINT32_MAX /* ms */

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
        if (option->number == TRACE_LIVE_USER && strchr(value, '.'))
                return option_fail(option->name, value, "there is no such user; units of what happens now are those of --unit");
        return option_fail(option->name, value, sentence ?: strerror(-r));
}

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

static int trace_live_take_pages(void *field, const ViewOption *option, const char *value) {
        return ring_parse_pages(value, field) < 0 ? option_fail(option->name, value, "not a size") : 0;
}

/* Adds the groups of the units that match, of which there must be one. */
static int trace_live_add_units(char ***groups, const char *name) {
        _cleanup_free_ char *whole = unit_path_complete(name);
        _cleanup_strv_free_ char **units = NULL;
        int r = whole ? cgroup_list_units(NULL, whole, &units, NULL) : -ENOMEM;

        if (r >= 0 && !units)
                return option_fail("unit", name, "no such unit runs");
        return r < 0 ? r : strv_extend_strv(groups, units);
}

static int trace_live_take_groups(void *field, const ViewOption *option, const char *value) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *list = strdup(value);
        char ***groups = field, *rest = list, *word;
        int r = list ? 0 : -ENOMEM;

        while (r >= 0 && (word = strv_next_of_list(&rest)))
                if (option->number == TRACE_LIVE_UNITS)
                        r = trace_live_add_units(groups, word);
                else {
                        _cleanup_close_ int fd = cgroup_open(NULL, word, &d);

                        r = fd < 0 ? fd : strv_extend(groups, word);
                }
        if (d.sentence)
                (void) fprintf(stderr, "%s\n", d.sentence);
        return r;
}

static const ViewOption rows[] = { TRACE_LIVE_ROWS };

static const ViewVerb verb = {
        .synopsis = "trace [OPTION...] [--] [COMMAND [ARGUMENT...]]",
        .purpose = "Run a command and show its system calls, as perf trace and strace do; or show those of others until they\n"
                   "end, or until Ctrl-C.",
        .options = rows, .n = ELEMENTSOF(rows), .command = true,
};

/* A group within another one is traced with that. */
static void trace_live_drop_inner_groups(char **groups) {
        size_t kept = 0;

        strv_sort(groups);
        for (size_t i = 0; groups[i]; i++) {
                const char *rest = kept > 0 ? startswith(groups[i], groups[kept - 1]) : NULL;

                if (rest && (*rest == '/' || *rest == '\0'))
                        free(groups[i]);
                else
                        groups[kept++] = groups[i];
        }
        groups[kept] = NULL;
}

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
                trace_live_drop_inner_groups(o->groups);
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
