/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Words, their abbreviations and defaults are perf annotate's. Into a file or a pipe it prints the layout of --stdio, which scripts
 * read; where its interface would be, on a terminal, the one of --stdio2 comes near it. */

#include "annotate-options.h"

#include "annotate-rows.h"
#include "parse-number.h"
#include "share-color.h"

static int take_syntax(void *field, const ViewOption *option, const char *value) {
        if (!streq(value, "intel") && !streq(value, "att"))
                return option_fail(option->name, value, "att or intel");
        *(DisassemblySyntax *) field = streq(value, "intel") ? DISASSEMBLY_INTEL : DISASSEMBLY_ATT;
        return 0;
}

static int take_percent_type(void *options, const ViewOption *option, const char *value) {
        AnnotateOptions *o = options;
        const char *of = startswith(value, "local-") ?: startswith(value, "global-");

        if (!of || (!streq(of, "period") && !streq(of, "hits")))
                return option_fail(option->name, value, "not local-period, global-period, local-hits or global-hits");
        o->whole = *value == 'g';
        o->hits = streq(of, "hits");
        return 0;
}

static int take_value(void *field, const ViewOption *option, const char *value) {
        AnnotateValue *shown = field;

        if (*shown != ANNOTATE_PERCENT && *shown != (AnnotateValue) option->number) {
                (void) fprintf(stderr, "--show-nr-samples and --show-total-period exclude each other\n");
                return -EINVAL;
        }
        *shown = (AnnotateValue) option->number;
        return 0;
}

static int take_prefix_strip(void *field, const ViewOption *option, const char *value) {
        return parse_uint(value, field) < 0 ? option_fail(option->name, value, "not a number") : 0;
}

static const ViewOption rows[] = { ANNOTATE_ROWS };

static bool take_symbol(void *options, const char *word) {
        AnnotateOptions *o = options;

        if (o->symbol)
                return false;
        o->symbol = word;
        return true;
}

static const ViewVerb verb = {
        .synopsis = "annotate [OPTION...] [SYMBOL]",
        .purpose = "Show the instructions of the functions that samples hit, the hottest first, with the\n"
                   "share of each, as perf annotate does.",
        .options = rows, .n = ELEMENTSOF(rows), .take_word = take_symbol,
};

int annotate_options_parse(AnnotateOptions *options, int argc, char **argv) {
        int r;

        *options = (AnnotateOptions) { .colors = share_colors_wanted() };
        options->stdio = !options->colors && isatty(STDOUT_FILENO) <= 0; /* perfctl's pager has colours */
        r = view_options_parse(&verb, options, argc, argv);
        if (r == 0 && options->prefix_strip > 0 && !options->prefix) {
                (void) fprintf(stderr, "--prefix-strip needs --prefix\n");
                r = -EINVAL;
        }
        return r == 0 ? recording_names_complete(&options->inputs) : r;
}

void annotate_options_done(AnnotateOptions *options) {
        free(options->inputs.names);
        selection_options_done(&options->select);
        name_options_done(&options->names);
        *options = (AnnotateOptions) {};
}
