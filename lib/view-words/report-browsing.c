/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perfctl knows by this whether report needs the terminal itself, before the viewer has read the words. */

#include "view-words.h"

#include "array.h"

/* They print something else than entries, or entries in a form that a program reads. */
static const char *const text_options[] = {
        "header", "header-only", "show-info", "stats", "dump-raw-trace", "tasks", "mmaps", "off-cpu", "json", "field-separator",
        "stdio-color", "column-widths", "hierarchy", "quiet", "columns",
};

/* The value of --call-graph: words and numbers. */
static bool has_lists_of_calls(const char *value) {
        for (const char *word = value; word; word = strchr(word, ',')) {
                int found;

                word += *word == ',';
                found = call_graph_word_find(word, strcspn(word, ","));
                if (found == CALL_GRAPH_WORD_FLAT || found == CALL_GRAPH_WORD_FOLDED)
                        return true;
        }
        return false;
}

ReportBrowsing report_browsing_of(char *const *options) {
        ReportBrowsing browsing = REPORT_BROWSING_POSSIBLE;
        bool text = false;

        for (; options && *options; options++) {
                const char *name = startswith(*options, "--") ?: "", *value = startswith(name, "call-graph=");
                size_t n = strcspn(name, "=");

                if (streq(name, "tui"))
                        browsing = REPORT_BROWSING_WANTED;
                else if (streq(name, "stdio") || streq(name, "plain"))
                        browsing = REPORT_BROWSING_REFUSED;
                else
                        text = text || (value && has_lists_of_calls(value)) ||
                               ANY_OF(ELEMENTSOF(text_options), i,
                                      strlen(text_options[i]) == n && startswith(name, text_options[i]));
        }
        return text && browsing == REPORT_BROWSING_POSSIBLE ? REPORT_BROWSING_REFUSED : browsing;
}
