/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* stat: what is counted goes to standard error, a file or a descriptor. */

#include "verb-stat.h"

#include <fcntl.h>
#include <time.h>

#include "stat-counting.h"
#include "stat-report.h"

/* NULL: an error was printed. */
static FILE *stat_open_output(const StatHow *how) {
        FILE *f = how->log_fd > 0 ? fdopen(how->log_fd, "we") :
                how->output ? fopen(how->output, how->append ? "ae" : "we") : stderr;

        if (!f)
                (void) fprintf(stderr, "Failed to write to %s: %s\n", how->output ?: "the descriptor of --log-fd", strerror(errno));
        return f;
}

/* As in perf, a file says when it was written. */
static void stat_put_date(const StatHow *how, FILE *f) {
        time_t now = time(NULL);
        char text[64];
        struct tm tm;

        if (f == stderr || how->separator || how->json || !localtime_r(&now, &tm) ||
            strftime(text, sizeof(text), "%a %b %e %H:%M:%S %Y", &tm) == 0)
                return;
        (void) fprintf(f, "# started on %s\n\n", text);
}

int verb_stat(int argc, char **argv) {
        _cleanup_(stat_options_done) StatOptions o = {};
        int r = stat_options_parse(&o, argc, argv), status;
        FILE *f;

        if (r == -ENOMEM)
                (void) fprintf(stderr, "Out of memory\n");
        if (r != 0)
                return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
        f = stat_open_output(&o.how);
        if (!f)
                return EXIT_FAILURE;
        if (o.mode != STAT_REPORT)
                stat_put_date(&o.how, f);
        status = o.mode == STAT_REPORT ? stat_report(&o, f) : stat_count(&o, f);
        if (f != stderr && fclose(f) != 0) {
                (void) fprintf(stderr, "Failed to write %s: %s\n", o.how.output ?: "counts", strerror(errno));
                return EXIT_FAILURE;
        }
        return status;
}
