/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "quote.h"
#include "strv.h"
#include "view-words.h"

static ReportBrowsing browsing_of(const char *line) {
        _cleanup_strv_free_ char **words = NULL;

        ck_assert_int_eq(split_words(line, 64, &words), 0);
        return report_browsing_of(words);
}

START_TEST(entries) {
        static const char *const lines[] = {
                "", "--sort=comm,dso", "--input=perf.data --show-nr-samples --verbose", "--call-graph", "--call-graph=graph,0.5,caller",
                "--call-graph=fractal", "--call-graph=none", "--call-graph=caller,function,percent", "--headers", "--jso", "--call-graph=0.5,,",
                "--children --last=10s --comms=header", "--call-graph=,", "-Z",
        };

        for (size_t i = 0; i < ELEMENTSOF(lines); i++)
                ck_assert_msg(browsing_of(lines[i]) == REPORT_BROWSING_POSSIBLE, "%s", lines[i]);
        ck_assert_int_eq(report_browsing_of(NULL), REPORT_BROWSING_POSSIBLE);
}
END_TEST

START_TEST(text) {
        static const char *const lines[] = {
                "--header", "--header-only", "--show-info", "--stats", "--dump-raw-trace", "--tasks", "--mmaps", "--off-cpu", "--json",
                "--json=pretty", "--field-separator=,", "--hierarchy", "--quiet", "--columns=80", "--column-widths=1,2",
                "--stdio-color=never", "--stdio", "--plain", "--call-graph=flat", "--call-graph=folded,0.5", "--call-graph=0.5,fold",
                "--sort=comm --stats --verbose",
        };

        for (size_t i = 0; i < ELEMENTSOF(lines); i++)
                ck_assert_msg(browsing_of(lines[i]) == REPORT_BROWSING_REFUSED, "%s", lines[i]);
}
END_TEST

START_TEST(last_one_counts) {
        ck_assert_int_eq(browsing_of("--tui"), REPORT_BROWSING_WANTED);
        ck_assert_int_eq(browsing_of("--tui --json"), REPORT_BROWSING_WANTED); /* for the viewer to refuse */
        ck_assert_int_eq(browsing_of("--plain --tui"), REPORT_BROWSING_WANTED);
        ck_assert_int_eq(browsing_of("--tui --plain"), REPORT_BROWSING_REFUSED);
        ck_assert_int_eq(browsing_of("--tui --stdio -n"), REPORT_BROWSING_REFUSED);
        ck_assert_int_eq(browsing_of("--stdio --stats --tui"), REPORT_BROWSING_WANTED);
}
END_TEST

/* Each of its options is one of report's. */
START_TEST(options_of_report) {
        static const char *const names[] = {
                "header", "header-only", "show-info", "stats", "dump-raw-trace", "tasks", "mmaps", "off-cpu", "json", "field-separator",
                "stdio-color", "column-widths", "hierarchy", "quiet", "columns", "tui", "stdio", "plain", "call-graph",
        };
        size_t n;
        const ViewWord *words = view_words_find("report", &n);

        for (size_t i = 0; i < ELEMENTSOF(names); i++) {
                size_t found = 0;

                for (size_t k = 0; k < n; k++)
                        found += streq(words[k].name, names[i]);
                ck_assert_msg(found == 1, "%s", names[i]);
        }
}
END_TEST

CHECK_MAIN("report-browsing", entries, text, last_one_counts, options_of_report);
