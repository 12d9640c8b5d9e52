/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perf-recorder-view: looks at recordings. It needs no privileges and trusts nothing that it reads. */

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "cleanup.h"
#include "verb-annotate.h"
#include "verb-browse.h"
#include "verb-c2c.h"
#include "verb-diff.h"
#include "verb-evlist.h"
#include "verb-export.h"
#include "verb-flamegraph.h"
#include "verb-header.h"
#include "verb-heatmap.h"
#include "verb-info.h"
#include "verb-rules.h"
#include "verb-sched.h"
#include "verb-script.h"
#include "verb-trace.h"

static const struct {
        const char *name;
        int (*run)(int argc, char **argv);
} verbs[] = {
        { "report", verb_browse },
        { "script", verb_script },
        { "annotate", verb_annotate },
        { "header", verb_header },
        { "info", verb_info },
        { "evlist", verb_evlist },
        { "flamegraph", verb_flamegraph },
        { "heatmap", verb_heatmap },
        { "export", verb_export },
        { "diff", verb_diff },
        { "sched", verb_sched },
        { "lock", verb_lock },
        { "c2c", verb_c2c },
        { "trace", verb_trace },
};

static int help(void) {
        for (size_t i = 0; i < ELEMENTSOF(verbs); i++)
                (void) printf("perf-recorder-view %s [OPTION...]\n", verbs[i].name);
        (void) printf("\nLook at recordings of perf-recorder and perf. See 'perf-recorder-view report --help' and the like.\n");
        return EXIT_SUCCESS;
}

/* The last of the output is written here, which fails where a disk is full. */
static int run(int (*verb)(int argc, char **argv), int argc, char **argv) {
        int status = verb(argc, argv);

        if (fflush(stdout) == 0 || status != EXIT_SUCCESS)
                return status;
        (void) fprintf(stderr, "Failed to write to standard output: %s\n", strerror(errno));
        return EXIT_FAILURE;
}

int main(int argc, char **argv) {
        for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) /* what is opened later has another number than these */
                if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0)
                        return EXIT_FAILURE;
        (void) signal(SIGPIPE, SIG_DFL); /* it ends with its reader, also if its parent ignores the signal */
        if (argc > 1)
                for (size_t i = 0; i < ELEMENTSOF(verbs); i++)
                        if (streq(argv[1], verbs[i].name))
                                return run(verbs[i].run, argc - 1, argv + 1);
        if (argc > 1 && streq(argv[1], "rules")) /* for recorders, not for people */
                return verb_rules(argc - 1, argv + 1);
        if (argc > 1 && (streq(argv[1], "--help") || streq(argv[1], "-h")))
                return help();
        if (argc > 1 && streq(argv[1], "--version")) {
                (void) printf("perf-recorder-view %s\n", PR_VERSION);
                return EXIT_SUCCESS;
        }
        (void) fprintf(stderr, argc > 1 ? "Unknown command '%s'; see 'perf-recorder-view --help'\n" : "%s: see --help\n",
                       argc > 1 ? argv[1] : "perf-recorder-view");
        return EXIT_FAILURE;
}
