/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perf-recorder-meter trace: system calls as they happen. */

#include "verb-trace-live.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace-live.h"

int verb_trace_live(int argc, char **argv) {
        _cleanup_(trace_live_options_done) TraceLiveOptions o = {};
        int r = trace_live_options_parse(&o, argc, argv), status;
        FILE *out = stderr;

        if (r != 0)
                return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
        if (o.output) {
                /* It has what programs read and write. */
                int fd = open(o.output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

                out = fd >= 0 ? fdopen(fd, "w") : NULL;
                if (!out) {
                        (void) safe_close(fd);
                        (void) fprintf(stderr, "Failed to open %s: %s\n", o.output, strerror(errno));
                        return EXIT_FAILURE;
                }
        }
        status = trace_live(&o, out);
        if (o.output && fclose(out) != 0) {
                (void) fprintf(stderr, "Failed to write %s: %s\n", o.output, strerror(errno));
                return EXIT_FAILURE;
        }
        return status;
}
