/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf-recorder-view sched and lock: a verb of its own for each view of what threads waited for. */

#include "verb-sched.h"

#include <stdio.h>
#include <stdlib.h>

#include "sched-views.h"

typedef struct SchedView {
        const char *name;
        SchedVerb verb;
        int (*show)(const SchedOptions *o);
} SchedView;

/* Runs the view that the first word names. */
static int sched_run_view(const SchedView *views, size_t n, int argc, char **argv) {
        _cleanup_(sched_options_done) SchedOptions o = {};
        int r;

        for (size_t i = 0; argc > 1 && i < n; i++)
                if (streq(argv[1], views[i].name)) {
                        r = sched_options_parse(&o, views[i].verb, argc - 1, argv + 1);
                        if (r != 0)
                                return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
                        return name_options_begin(&o.names) < 0 ? EXIT_FAILURE : views[i].show(&o);
                }
        if (argc > 1)
                (void) fprintf(stderr, "There is no '%s %s'; it is one of", argv[0], argv[1]);
        else
                (void) fprintf(stderr, "%s needs a word behind it, one of", argv[0]);
        for (size_t i = 0; i < n; i++)
                (void) fprintf(stderr, " %s", views[i].name);
        (void) fputc('\n', stderr);
        return EXIT_FAILURE;
}

int verb_sched(int argc, char **argv) {
        static const SchedView views[] = {
                { "timehist", SCHED_TIMEHIST, sched_timehist },
                { "latency", SCHED_LATENCY, sched_latency },
                { "map", SCHED_MAP, sched_map },
                { "blame", SCHED_BLAME, sched_blame },
                { "replay", SCHED_REPLAY, sched_replay },
        };

        return sched_run_view(views, ELEMENTSOF(views), argc, argv);
}

int verb_lock(int argc, char **argv) {
        static const SchedView views[] = { { "contention", LOCK_CONTENTION, lock_contention } };

        return sched_run_view(views, ELEMENTSOF(views), argc, argv);
}
