/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Words, their abbreviations and defaults are perf annotate's, but for the layout: perf's is that of --stdio2 where it has no
 * interface of its own. */

#include "annotate-options.h"

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

static const ViewOption rows[] = {
        RECORDING_ROWS(AnnotateOptions, "several: the samples of all of them"),
        VIEW_TEXT(AnnotateOptions, symbol, "symbol", 's', "=SYMBOL", "Only this function"),
        SELECTION_ROW(AnnotateOptions, DSOS, "dsos", 'd', "=NAME[,NAME...]", "Only functions of these binaries"),
        VIEW_CLEAR(AnnotateOptions, stdio, "stdio2", 0, "Lay out with arrows for jumps (this is the default)"),
        VIEW_SET(AnnotateOptions, stdio, "stdio", 0, "Lay out with addresses"),
        VIEW_SET(AnnotateOptions, print_lines, "print-line", 'l', "Show which lines of the source are hit most"),
        VIEW_CALL(AnnotateOptions, syntax, "disassembler-style", 'M', "=STYLE", take_syntax,
                  "The words of x86's instructions: att (the default), intel"),
        VIEW_SET(AnnotateOptions, full_paths, "full-paths", 'P', "Show whole paths"),
        VIEW_CLEAR(AnnotateOptions, no_source, "source", 0, NULL),
        VIEW_SET(AnnotateOptions, no_source, "no-source", 0, "Show lines of the source (the default), or not"),
        VIEW_TEXT(AnnotateOptions, prefix, "prefix", 0, "=PREFIX", "Look for files of the source below this"),
        VIEW_CALL(AnnotateOptions, prefix_strip, "prefix-strip", 0, "=N", take_prefix_strip,
                  "Take that many directories from their paths first"),
        VIEW_SET(AnnotateOptions, bytes, "asm-raw", 0, "Show the bytes of instructions"),
        VIEW_CALL(AnnotateOptions, value, "show-nr-samples", 'n', NULL, take_value, "Show numbers of samples, not shares",
                  .number = ANNOTATE_SAMPLES),
        VIEW_CALL(AnnotateOptions, value, "show-total-period", 0, NULL, take_value, "Show sums of periods, not shares",
                  .number = ANNOTATE_PERIOD),
        VIEW_WHOLE("percent-type", 0, "=TYPE", take_percent_type, "Shares of the function or of the event, of periods or\n"
                   "samples: local-period (the default), global-period,\nlocal-hits, global-hits"),
        VIEW_CALL(AnnotateOptions, colors, "stdio-color", 0, "=MODE", share_colors_take,
                  "Colours: always, never or auto (on a terminal)"),
        VIEW_SET(AnnotateOptions, json, "json", 0, "Show all as an object of JSON"),
        VIEW_SET(AnnotateOptions, dump, "dump-raw-trace", 'D', "Show only the bytes of all records, and what they mean"),
        VIEW_CALL(AnnotateOptions, percent_limit, "percent-limit", 0, "=PERCENT", view_option_take_percentage,
                  "Leave out functions with a lower share of the event"),
        SELECTION_ROW(AnnotateOptions, COMMS, "comms", 'c', "=NAME[,NAME...]", "Only threads with these names"),
        SELECTION_ROWS(AnnotateOptions),
        VIEW_SET(AnnotateOptions, names.raw, "no-demangle", 0, "Show names as compilers mangle them"),
        VIEW_CALL(AnnotateOptions, names.vmlinux, "vmlinux", 'k', "=FILE", name_options_take_file,
                  "The vmlinux of the kernel that was recorded"),
        VIEW_SET(AnnotateOptions, names.fetch, "debuginfod", 0, "Fetch what is not here from the servers in DEBUGINFOD_URLS"),
        VIEW_SET(AnnotateOptions, quiet, "quiet", 'q', "Say nothing of functions whose code is not at hand"),
        VIEW_SET(AnnotateOptions, verbose, "verbose", 'v', "Report all files that are not used, not only the first"),
        VIEW_ACCEPTED("force", 'f'),
        VIEW_ACCEPTED("modules", 'm'),
        VIEW_ACCEPTED("skip-missing", 0),
};

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
