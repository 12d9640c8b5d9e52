/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* All that the header of a recording says, as perf report --header-only -I prints it. */

#include "verb-header.h"

#include <getopt.h>

#include "header-json.h"
#include "recording-input.h"
#include "report-header.h"

enum { OPTION_INPUT_NAME = 0x100, OPTION_JSON };

static const struct option long_options[] = {
        { "input", required_argument, NULL, 'i' },
        { "input-name", required_argument, NULL, OPTION_INPUT_NAME },
        { "json", no_argument, NULL, OPTION_JSON },
        { "help", no_argument, NULL, 'h' },
        {},
};

static void print_help(void) {
        (void) printf("perf-recorder-view header [OPTION...]\n\n"
                      "Show what the header of a recording says, as perf report --header-only -I does.\n\n"
                      "  -i --input=FILE       The recording, or - for standard input (perf.data)\n"
                      "     --input-name=NAME  What messages call it\n"
                      "     --json             Show it as an object of JSON\n");
}

static int print_json(const RecordingInput *in) {
        _cleanup_(text_buffer_done) TextBuffer out = { .file = stdout };
        int r = header_json_put(in, &out);

        return r < 0 ? r : text_buffer_flush(&out);
}

static int header(const char *path, const char *name, bool json) {
        _cleanup_(recording_input_done) RecordingInput in = RECORDING_INPUT_EMPTY;
        int r = recording_input_open(&in, path, name, NULL);

        if (r >= 0)
                r = recording_input_restrict(&in, false);
        if (r >= 0)
                r = recording_input_read(&in);
        if (r < 0)
                return EXIT_FAILURE;
        r = json ? print_json(&in) : report_header_print(in.reader, in.changed, true, stdout);
        if (r >= 0 && (fflush(stdout) != 0 || ferror(stdout)))
                r = -EIO;
        if (r < 0)
                (void) recording_input_fail(&in, "print the header of", r);
        return r < 0 || recording_input_report_damage(&in, 0) ? EXIT_FAILURE : EXIT_SUCCESS;
}

int verb_header(int argc, char **argv) {
        const char *path = NULL, *name = NULL;
        bool json = false;
        int option;

        optind = 0;
        while ((option = getopt_long(argc, argv, "i:h", long_options, NULL)) >= 0)
                switch (option) {
                case 'i':
                        path = optarg;
                        break;
                case OPTION_INPUT_NAME:
                        name = optarg;
                        break;
                case OPTION_JSON:
                        json = true;
                        break;
                case 'h':
                        print_help();
                        return EXIT_SUCCESS;
                default:
                        return EXIT_FAILURE;
                }
        if (optind < argc) {
                (void) fprintf(stderr, "Excess argument: '%s'\n", argv[optind]);
                return EXIT_FAILURE;
        }
        return header(path, name, json);
}
