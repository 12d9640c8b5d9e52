/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perf-recorder-meter: counts events, shows system calls and where time goes. It has the rights of its caller, and no others. */

#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "verb-stat.h"
#include "verb-top.h"
#include "verb-trace-live.h"

int main(int argc, char **argv) {
        (void) signal(SIGPIPE, SIG_DFL); /* it ends with its reader, also if its parent ignores the signal */
        (void) setlocale(LC_NUMERIC, ""); /* thousands */
        if (argc > 1 && streq(argv[1], "stat"))
                return verb_stat(argc - 1, argv + 1);
        if (argc > 1 && streq(argv[1], "trace"))
                return verb_trace_live(argc - 1, argv + 1);
        if (argc > 1 && streq(argv[1], "top")) {
#ifdef PR_VIEWER
                return verb_top(argc - 1, argv + 1);
#else
                (void) fprintf(stderr, "This build is one without the viewer (PR_VIEWER=OFF), and so without top\n");
                return EXIT_FAILURE;
#endif
        }
        if (argc > 1 && streq(argv[1], "--version")) {
                (void) printf("perf-recorder-meter %s\n", PR_VERSION);
                return EXIT_SUCCESS;
        }
        (void) fprintf(stderr, "Usage: perf-recorder-meter stat|top|trace [OPTION...] [COMMAND...]; see perf-recorder-meter stat "
                       "--help\n");
        return EXIT_FAILURE;
}
