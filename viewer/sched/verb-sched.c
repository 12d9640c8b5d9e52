/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf-recorder-view sched: a verb of its own for each view of the scheduler. */

#include "verb-sched.h"

#include <stdio.h>
#include <stdlib.h>

#include "progress.h"
#include "sched-views.h"

static const struct {
        const char *name;
        SchedVerb verb;
        int (*show)(const SchedOptions *o);
} views[] = {
        { "timehist", SCHED_TIMEHIST, sched_timehist },
        { "latency", SCHED_LATENCY, sched_latency },
        { "map", SCHED_MAP, sched_map },
        { "blame", SCHED_BLAME, sched_blame },
};

static int sched_view(SchedVerb verb, int (*show)(const SchedOptions *o), int argc, char **argv) {
        _cleanup_(sched_options_done) SchedOptions o = {};
        int r = sched_options_parse(&o, verb, argc, argv);

        if (r != 0)
                return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
        if (name_options_begin(&o.names) < 0)
                return EXIT_FAILURE;
        return show(&o);
}

int verb_sched(int argc, char **argv) {
        for (size_t i = 0; argc > 1 && i < ELEMENTSOF(views); i++)
                if (streq(argv[1], views[i].name))
                        return sched_view(views[i].verb, views[i].show, argc - 1, argv + 1);
        (void) fprintf(stderr, argc > 1 ? "There is no 'sched %s'; it is one of" : "sched needs a word behind it,%s one of",
                       argc > 1 ? argv[1] : "");
        for (size_t i = 0; i < ELEMENTSOF(views); i++)
                (void) fprintf(stderr, " %s", views[i].name);
        (void) fputc('\n', stderr);
        return EXIT_FAILURE;
}
