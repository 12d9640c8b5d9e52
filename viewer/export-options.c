/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Words that other verbs have, too, mean the same here. */

#include "export-options.h"

#include <getopt.h>

#include "option-list.h"
#include "picture-output.h"
#include "string-table.h"

static const char *const formats[_EXPORT_FORMAT_MAX] = {
        [EXPORT_PPROF] = "pprof", [EXPORT_SPEEDSCOPE] = "speedscope", [EXPORT_CALLGRIND] = "callgrind", [EXPORT_CSV] = "csv",
        [EXPORT_FIREFOX] = "firefox",
};

enum { OPTION_INPUT_NAME = 0x100, OPTION_SYMFS, OPTION_FORMAT, OPTION_INLINE };

static const struct option long_options[] = {
        { "input", required_argument, NULL, 'i' },
        { "input-name", required_argument, NULL, OPTION_INPUT_NAME },
        { "symfs", required_argument, NULL, OPTION_SYMFS },
        { "output", required_argument, NULL, 'o' },
        { "format", required_argument, NULL, OPTION_FORMAT },
        { "inline", no_argument, NULL, OPTION_INLINE },
        { "comms", required_argument, NULL, 'c' },
        SELECTION_ROWS,
        NAME_ROWS,
        { "verbose", no_argument, NULL, 'v' },
        { "help", no_argument, NULL, 'h' },
        {},
};

static void print_help(void) {
        (void) printf("perf-recorder-view export --format=FORMAT [OPTION...]\n\n"
                      "Write the call chains of a recording in a format of other tools.\n\n"
                      "  -i --input=FILE              The recording, or - for standard input (perf.data);\n"
                      "                               several of them are written as one\n"
                      "     --input-name=NAME         What messages call it\n"
                      "     --symfs=DIRECTORY         The directory of its symbols (the one beside it)\n"
                      "  -o --output=FILE             Where it goes (standard output)\n"
                      "     --format=FORMAT           firefox, pprof, speedscope, callgrind or csv\n"
                      "     --inline                  Have inlined functions in call chains, too\n"
                      "  -c --comms=NAME[,NAME...]    Only threads with these names\n"
                      SELECTION_HELP
                      NAME_HELP
                      "  -v --verbose                 Report on the sandbox\n");
}

static int take_option(ExportOptions *o, int option) {
        int r;

        switch (option) {
        case 'i':
                return recording_names_take(&o->inputs, optarg, NULL, NULL);
        case OPTION_INPUT_NAME:
                return recording_names_take(&o->inputs, NULL, optarg, NULL);
        case OPTION_SYMFS:
                return recording_names_take(&o->inputs, NULL, NULL, optarg);
        case 'o':
                o->output = optarg;
                return 0;
        case OPTION_FORMAT:
                o->format = (ExportFormat) string_table_value(formats, ELEMENTSOF(formats), optarg);
                return (int) o->format < 0 ? option_fail("format", optarg, "not firefox, pprof, speedscope, callgrind or csv") : 0;
        case OPTION_INLINE:
                o->inlined = true;
                return 0;
        case 'v':
                o->verbose = true;
                return 0;
        case 'h':
                print_help();
                return 1;
        default:
                r = name_options_take(&o->names, option, optarg);
                return r != 0 ? MIN_OF(r, 0) : selection_options_take(&o->select, option, optarg);
        }
}

static int check_options(ExportOptions *o) {
        if ((int) o->format < 0) {
                (void) fprintf(stderr, "Which format? Give one of firefox, pprof, speedscope, callgrind and csv by --format\n");
                return -EINVAL;
        }
        if (!o->output && isatty(STDOUT_FILENO) && o->format != EXPORT_CSV) {
                (void) fprintf(stderr, "Where does it go? Give a file by -o, or direct standard output into one\n");
                return -EINVAL;
        }
        o->output = o->output ?: "-";
        return 0;
}

int export_options_parse(ExportOptions *options, int argc, char **argv) {
        int option, r = 0;

        *options = (ExportOptions) { .format = _EXPORT_FORMAT_INVALID };
        optind = 0;
        while (r == 0 && (option = getopt_long(argc, argv, "i:o:c:C:u:k:vh", long_options, NULL)) >= 0)
                r = take_option(options, option);
        if (r == 0 && optind < argc) {
                (void) fprintf(stderr, "Excess argument: '%s'\n", argv[optind]);
                r = -EINVAL;
        }
        if (r == 0)
                r = check_options(options);
        return r == 0 && options->inputs.n == 0 ? recording_names_take(&options->inputs, NULL, NULL, NULL) : r;
}

void export_options_done(ExportOptions *options) {
        free(options->inputs.names);
        name_options_done(&options->names);
        selection_options_done(&options->select);
        *options = (ExportOptions) {};
}
