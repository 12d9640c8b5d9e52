/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perfctl asks for a browser, and not this program itself: whoever runs it alone, in a script of its own, gets what it printed
 * before. The process that writes files is started first, since nothing can be created behind the sandbox, which counting is in. */

#include "verb-browse.h"

#include "browse-report.h"
#include "browse-words.h"
#include "page-writer.h"
#include "report-steps.h"
#include "sandbox.h"
#include "strv.h"
#include "terminal.h"

static int browse_refuse(const char *why) {
        (void) fprintf(stderr, "--tui: %s\n", why);
        return EXIT_FAILURE;
}

static int browse(ReportOptions *o, char *const *taken) {
        _cleanup_(counted_samples_done) CountedSamples all = {};
        const RecordingName *name = o->inputs.names;
        ForkedProcess pages = FORKED_PROCESS_EMPTY;
        int status = EXIT_FAILURE;

        if (isatty(STDIN_FILENO) <= 0 || isatty(STDOUT_FILENO) <= 0)
                return browse_refuse("standard input and output are not a terminal");
        if (terminal_is_dumb())
                return browse_refuse("nothing can be drawn on this terminal, by $TERM; --plain prints text");
        if (!report_options_show_entries(o))
                return browse_refuse("it shows the table of entries only, and goes with none of --header, --header-only, --stats, "
                                     "--tasks, --mmaps, --off-cpu, --json, --hierarchy, -D, -I and -t");
        (void) page_writer_start(&pages, name->name ?: name->path ?: "perf.data"); /* without it nothing can be saved */
        o->inputs.sandbox = SANDBOX_TERMINAL;
        if (report_steps_open(o, &all) >= 0)
                status = browse_report(o, taken, &all, &pages);
        (void) forked_process_end(&pages);
        return status;
}

int verb_browse(int argc, char **argv) {
        _cleanup_(report_options_done) ReportOptions o = {};
        _cleanup_strv_free_ char **taken = NULL;
        int r = browse_words_take(argc, argv, &taken);

        if (r >= 0)
                r = report_options_parse(&o, argc, argv);
        return r < 0 ? EXIT_FAILURE : r > 0 ? EXIT_SUCCESS : o.browser ? browse(&o, taken) : report_steps_print(&o);
}
