/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The rows name fields and functions of the viewer, which these tables leave out. A line of the help has the words of its options
 * up to a column, and what they mean behind it. */

#include "view-words.h"

#include "annotate-rows.h"
#include "c2c-report-rows.h"
#include "diff-rows.h"
#include "evlist-rows.h"
#include "export-rows.h"
#include "flamegraph-rows.h"
#include "header-rows.h"
#include "heatmap-rows.h"
#include "info-rows.h"
#include "lock-contention-rows.h"
#include "report-rows.h"
#include "sched-blame-rows.h"
#include "sched-latency-rows.h"
#include "sched-map-rows.h"
#include "sched-replay-rows.h"
#include "sched-timehist-rows.h"
#include "script-rows.h"
#include "stat-rows.h"
#include "top-rows.h"
#include "trace-live-rows.h"
#include "trace-rows.h"

#define VIEW_ACCEPTED(name, letter) { name, letter, NULL, NULL, .accepted = true }
#define VIEW_ACCEPTED_VALUE(name, letter, value) { name, letter, value, NULL, .accepted = true }
#define VIEW_SET(T, field, name, letter, help) { name, letter, NULL, help }
#define VIEW_CLEAR(T, field, name, letter, help) { name, letter, NULL, help }
#define VIEW_TEXT(T, field, name, letter, value, help) { name, letter, value, help }
#define VIEW_CALL(T, field, name, letter, value, take, help, ...) { name, letter, value, help }
#define VIEW_NEXT(T, field, name, letter, value, take, help) { name, letter, value, help, .takes_next = true }
#define VIEW_WHOLE(name, letter, value, take, help, ...) { name, letter, value, help }

#define HELP_COLUMN 31
#define LINE_END 60 /* behind it no further option that is only accepted begins */

static const ViewWord annotate_words[] = { ANNOTATE_ROWS };
static const ViewWord c2c_report_words[] = { C2C_REPORT_ROWS };
static const ViewWord diff_words[] = { DIFF_ROWS };
static const ViewWord evlist_words[] = { EVLIST_ROWS };
static const ViewWord export_words[] = { EXPORT_ROWS };
static const ViewWord flamegraph_words[] = { FLAMEGRAPH_ROWS };
static const ViewWord heatmap_words[] = { HEATMAP_ROWS };
static const ViewWord header_words[] = { HEADER_ROWS };
static const ViewWord info_words[] = { INFO_ROWS };
static const ViewWord lock_contention_words[] = { LOCK_CONTENTION_ROWS };
static const ViewWord report_words[] = { REPORT_ROWS };
static const ViewWord sched_blame_words[] = { SCHED_BLAME_ROWS };
static const ViewWord sched_latency_words[] = { SCHED_LATENCY_ROWS };
static const ViewWord sched_map_words[] = { SCHED_MAP_ROWS };
static const ViewWord sched_replay_words[] = { SCHED_REPLAY_ROWS };
static const ViewWord sched_timehist_words[] = { SCHED_TIMEHIST_ROWS };
static const ViewWord script_words[] = { SCRIPT_ROWS };
static const ViewWord stat_report_words[] = { STAT_REPORT_ROWS };
static const ViewWord top_words[] = { TOP_ROWS };
static const ViewWord trace_words[] = { TRACE_ROWS };
static const ViewWord trace_live_words[] = { TRACE_LIVE_ROWS };

const ViewWord *view_words_find(const char *verb, size_t *ret_n) {
        static const struct {
                const char *verb;
                const ViewWord *words;
                size_t n;
        } verbs[] = {
                { "annotate", annotate_words, ELEMENTSOF(annotate_words) },
                { "c2c report", c2c_report_words, ELEMENTSOF(c2c_report_words) },
                { "diff", diff_words, ELEMENTSOF(diff_words) },
                { "evlist", evlist_words, ELEMENTSOF(evlist_words) },
                { "export", export_words, ELEMENTSOF(export_words) },
                { "flamegraph", flamegraph_words, ELEMENTSOF(flamegraph_words) },
                { "heatmap", heatmap_words, ELEMENTSOF(heatmap_words) },
                { "header", header_words, ELEMENTSOF(header_words) },
                { "info", info_words, ELEMENTSOF(info_words) },
                { "lock contention", lock_contention_words, ELEMENTSOF(lock_contention_words) },
                { "report", report_words, ELEMENTSOF(report_words) },
                { "sched blame", sched_blame_words, ELEMENTSOF(sched_blame_words) },
                { "sched latency", sched_latency_words, ELEMENTSOF(sched_latency_words) },
                { "sched map", sched_map_words, ELEMENTSOF(sched_map_words) },
                { "sched replay", sched_replay_words, ELEMENTSOF(sched_replay_words) },
                { "sched timehist", sched_timehist_words, ELEMENTSOF(sched_timehist_words) },
                { "script", script_words, ELEMENTSOF(script_words) },
                { "stat report", stat_report_words, ELEMENTSOF(stat_report_words) },
                { "top", top_words, ELEMENTSOF(top_words) },
                { "trace", trace_words, ELEMENTSOF(trace_words) },
                { "trace live", trace_live_words, ELEMENTSOF(trace_live_words) },
        };

        for (size_t i = 0; i < ELEMENTSOF(verbs); i++)
                if (streq(verbs[i].verb, verb)) {
                        *ret_n = verbs[i].n;
                        return verbs[i].words;
                }
        return NULL;
}

/* Prints the words of one option; before: what stands in front of them in the line. Returns the columns. */
static int print_option(const ViewWord *w, int before) {
        int n = before > 0 ? printf(" ") : printf(w->letter ? "  " : "     ");

        if (w->letter)
                n += printf("-%c ", w->letter);
        return before + n + printf("--%s%s", w->name, w->value ?: "");
}

static void print_meaning(const char *text, int column) {
        if (column >= HELP_COLUMN)
                (void) printf("\n%*s", HELP_COLUMN, "");
        else
                (void) printf("%*s", HELP_COLUMN - column, "");
        for (; *text; text++)
                if (*text == '\n')
                        (void) printf("\n%*s", HELP_COLUMN, "");
                else
                        (void) putchar(*text);
        (void) putchar('\n');
}

void view_words_print(const ViewWord *words, size_t n) {
        int column = 0;

        for (const ViewWord *w = words; w < words + n; w++) {
                if (w->accepted)
                        continue;
                column = print_option(w, column);
                if (!w->help)
                        continue;
                print_meaning(w->help, column);
                column = 0;
        }
        for (const ViewWord *w = words; w < words + n; w++) {
                if (!w->accepted)
                        continue;
                if (column > LINE_END) {
                        (void) putchar('\n');
                        column = 0;
                }
                column = print_option(w, column);
        }
        if (column > 0)
                print_meaning("Accepted: this is always so", column);
}
