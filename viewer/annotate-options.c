/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Words, their abbreviations and defaults are perf annotate's, but for the layout: perf's is that of --stdio2 where it has no
 * interface of its own. */

#include "annotate-options.h"

#include <getopt.h>

#include "option-list.h"
#include "parse-number.h"
#include "share-color.h"

enum { OPTION_STDIO = 0x100, OPTION_STDIO2, OPTION_INPUT_NAME, OPTION_SYMFS, OPTION_SOURCE,
       OPTION_NO_SOURCE, OPTION_PERCENT_LIMIT, OPTION_TOTAL_PERIOD, OPTION_SKIP_MISSING, OPTION_PREFIX, OPTION_PREFIX_STRIP,
       OPTION_ASM_RAW, OPTION_PERCENT_TYPE, OPTION_COLOR, OPTION_JSON };

static const struct option long_options[] = {
        { "input", required_argument, NULL, 'i' },
        { "input-name", required_argument, NULL, OPTION_INPUT_NAME },
        { "symfs", required_argument, NULL, OPTION_SYMFS },
        { "symbol", required_argument, NULL, 's' },
        { "dsos", required_argument, NULL, 'd' },
        { "stdio", no_argument, NULL, OPTION_STDIO },
        { "stdio2", no_argument, NULL, OPTION_STDIO2 },
        { "disassembler-style", required_argument, NULL, 'M' },
        { "print-line", no_argument, NULL, 'l' },
        { "full-paths", no_argument, NULL, 'P' },
        { "source", no_argument, NULL, OPTION_SOURCE },
        { "no-source", no_argument, NULL, OPTION_NO_SOURCE },
        { "prefix", required_argument, NULL, OPTION_PREFIX },
        { "prefix-strip", required_argument, NULL, OPTION_PREFIX_STRIP },
        { "asm-raw", no_argument, NULL, OPTION_ASM_RAW },
        { "show-nr-samples", no_argument, NULL, 'n' },
        { "show-total-period", no_argument, NULL, OPTION_TOTAL_PERIOD },
        { "percent-type", required_argument, NULL, OPTION_PERCENT_TYPE },
        { "stdio-color", required_argument, NULL, OPTION_COLOR },
        { "json", no_argument, NULL, OPTION_JSON },
        { "dump-raw-trace", no_argument, NULL, 'D' },
        { "skip-missing", no_argument, NULL, OPTION_SKIP_MISSING },
        { "percent-limit", required_argument, NULL, OPTION_PERCENT_LIMIT },
        { "comms", required_argument, NULL, 'c' },
        SELECTION_ROWS,
        { "vmlinux", required_argument, NULL, 'k' },
        { "modules", no_argument, NULL, 'm' },
        { "debuginfod", no_argument, NULL, NAME_DEBUGINFOD },
        { "force", no_argument, NULL, 'f' },
        { "quiet", no_argument, NULL, 'q' },
        { "verbose", no_argument, NULL, 'v' },
        { "help", no_argument, NULL, 'h' },
        {},
};

static void print_help(void) {
        (void) printf("perf-recorder-view annotate [OPTION...] [SYMBOL]\n\n"
                      "Show the instructions of the functions that samples hit, the hottest first, with the\n"
                      "share of each, as perf annotate does.\n\n"
                      "  -i --input=FILE              The recording, or - for standard input (perf.data);\n"
                      "                               several: the samples of all of them\n"
                      "     --input-name=NAME         What messages call it\n"
                      "     --symfs=DIRECTORY         The directory of its symbols (the one beside it)\n"
                      "  -s --symbol=SYMBOL           Only this function\n"
                      "  -d --dsos=NAME[,NAME...]     Only functions of these binaries\n"
                      "     --stdio2                  Lay out with arrows for jumps (this is the default)\n"
                      "     --stdio                   Lay out with addresses\n"
                      "  -l --print-line              Show which lines of the source are hit most\n"
                      "  -M --disassembler-style=STYLE  The words of x86's instructions: att (the default), intel\n"
                      "  -P --full-paths              Show whole paths\n"
                      "     --no-source               Show no lines of the source\n"
                      "     --prefix=PREFIX           Look for files of the source below this\n"
                      "     --prefix-strip=N          Take that many directories from their paths first\n"
                      "     --asm-raw                 Show the bytes of instructions\n"
                      "  -n --show-nr-samples         Show numbers of samples, not shares\n"
                      "     --show-total-period       Show sums of periods, not shares\n"
                      "     --percent-type=TYPE       Shares of the function or of the event, of periods or\n"
                      "                               samples: local-period (the default), global-period,\n"
                      "                               local-hits, global-hits\n"
                      "     --stdio-color=MODE        Colours: always, never or auto (on a terminal)\n"
                      "     --json                    Show all as an object of JSON\n"
                      "  -D --dump-raw-trace          Show only the bytes of all records, and what they mean\n"
                      "     --percent-limit=PERCENT   Leave out functions with a lower share of the event\n"
                      "  -c --comms=NAME[,NAME...]    Only threads with these names\n"
                      SELECTION_HELP
                      "  -k --vmlinux=FILE            The vmlinux of the kernel that was recorded\n"
                      "     --debuginfod              Fetch what is not here from the servers in DEBUGINFOD_URLS\n"
                      "  -q --quiet                   Say nothing of functions whose code is not at hand\n"
                      "  -v --verbose                 Report on the sandbox\n"
                      "  -f --force -m --modules --skip-missing --source\n"
                      "                               Accepted: this is always so\n");
}

static int parse_percent_limit(AnnotateOptions *o, const char *value) {
        char *end;
        double limit = strtod(value, &end);

        if (end == value || *end || !(limit >= 0 && limit <= 100))
                return option_fail("percent-limit", value, "not a percentage");
        o->percent_limit = limit;
        return 0;
}

static int parse_syntax(AnnotateOptions *o, const char *value) {
        if (!streq(value, "intel") && !streq(value, "att"))
                return option_fail("disassembler-style", value, "att or intel");
        o->syntax = streq(value, "intel") ? DISASSEMBLY_INTEL : DISASSEMBLY_ATT;
        return 0;
}

static int parse_percent_type(AnnotateOptions *o, const char *value) {
        const char *of = startswith(value, "local-") ?: startswith(value, "global-");

        if (!of || (!streq(of, "period") && !streq(of, "hits")))
                return option_fail("percent-type", value, "not local-period, global-period, local-hits or global-hits");
        o->whole = *value == 'g';
        o->hits = streq(of, "hits");
        return 0;
}

/* Options that say which numbers are shown. */
static int take_value(AnnotateOptions *o, int option) {
        AnnotateValue value = option == 'n' ? ANNOTATE_SAMPLES : ANNOTATE_PERIOD;

        switch (option) {
        case 'n':
        case OPTION_TOTAL_PERIOD:
                if (o->value != ANNOTATE_PERCENT && o->value != value) {
                        (void) fprintf(stderr, "--show-nr-samples and --show-total-period exclude each other\n");
                        return -EINVAL;
                }
                o->value = value;
                return 0;
        case OPTION_PERCENT_TYPE:
                return parse_percent_type(o, optarg);
        case OPTION_COLOR:
                return share_colors_parse(optarg, &o->colors);
        default:
                return selection_options_take(&o->select, option, optarg); /* getopt_long() printed what is none */
        }
}

static int take_layout(AnnotateOptions *o, int option) {
        switch (option) {
        case OPTION_STDIO:
        case OPTION_STDIO2:
                o->stdio = option == OPTION_STDIO;
                return 0;
        case 'M':
                return parse_syntax(o, optarg);
        case 'l':
                o->print_lines = true;
                return 0;
        case 'P':
                o->full_paths = true;
                return 0;
        case OPTION_SOURCE:
        case OPTION_NO_SOURCE:
                o->no_source = option == OPTION_NO_SOURCE;
                return 0;
        case OPTION_PREFIX:
                o->prefix = optarg;
                return 0;
        case OPTION_PREFIX_STRIP:
                return parse_uint(optarg, &o->prefix_strip) < 0 ? option_fail("prefix-strip", optarg, "not a number") : 0;
        case OPTION_ASM_RAW:
                o->bytes = true;
                return 0;
        default:
                return take_value(o, option);
        }
}

static int take_option(AnnotateOptions *o, int option) {
        int r;

        switch (option) {
        case 'i':
                return recording_names_take(&o->inputs, optarg, NULL, NULL);
        case OPTION_INPUT_NAME:
                return recording_names_take(&o->inputs, NULL, optarg, NULL);
        case OPTION_SYMFS:
                return recording_names_take(&o->inputs, NULL, NULL, optarg);
        case 's':
                o->symbol = optarg;
                return 0;
        case OPTION_PERCENT_LIMIT:
                return parse_percent_limit(o, optarg);
        case OPTION_JSON:
                o->json = true;
                return 0;
        case 'D':
                o->dump = true;
                return 0;
        case 'f':
        case OPTION_SKIP_MISSING:
                return 0;
        case 'q':
                o->quiet = true;
                return 0;
        case 'v':
                o->verbose = true;
                return 0;
        case 'h':
                print_help();
                return 1;
        default:
                r = name_options_take(&o->names, option, optarg);
                return r != 0 ? MIN_OF(r, 0) : take_layout(o, option);
        }
}

int annotate_options_parse(AnnotateOptions *options, int argc, char **argv) {
        int option, r = 0;

        *options = (AnnotateOptions) { .colors = share_colors_wanted() };
        optind = 0;
        while (r == 0 && (option = getopt_long(argc, argv, "i:s:d:M:lPnDc:C:u:k:fmqvh", long_options, NULL)) >= 0)
                r = take_option(options, option);
        if (r == 0 && optind < argc && !options->symbol)
                options->symbol = argv[optind++];
        if (r == 0 && optind < argc) {
                (void) fprintf(stderr, "Excess argument: '%s'\n", argv[optind]);
                r = -EINVAL;
        }
        if (r == 0 && options->prefix_strip > 0 && !options->prefix) {
                (void) fprintf(stderr, "--prefix-strip needs --prefix\n");
                r = -EINVAL;
        }
        return r == 0 && options->inputs.n == 0 ? recording_names_take(&options->inputs, NULL, NULL, NULL) : r;
}

void annotate_options_done(AnnotateOptions *options) {
        free(options->inputs.names);
        selection_options_done(&options->select);
        name_options_done(&options->names);
        *options = (AnnotateOptions) {};
}
