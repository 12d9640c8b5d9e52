/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* All that the header of a recording says, as perf report --header-only -I prints it. */

#include "verb-header.h"

#include "header-json.h"
#include "header-rows.h"
#include "recording-input.h"
#include "report-header.h"
#include "view-options.h"

typedef struct HeaderOptions {
        const char *path, *name;
        bool json;
} HeaderOptions;

static const ViewOption rows[] = { HEADER_ROWS };

static const ViewVerb verb = {
        .synopsis = "header [OPTION...]",
        .purpose = "Show what the header of a recording says, as perf report --header-only -I does.",
        .options = rows, .n = ELEMENTSOF(rows),
};

static int header_print_json(const RecordingInput *in) {
        _cleanup_(text_buffer_done) TextBuffer out = { .file = stdout };
        int r = header_json_put(in, &out);

        return r < 0 ? r : text_buffer_flush(&out);
}

static int header(const HeaderOptions *o) {
        _cleanup_(recording_input_done) RecordingInput in = RECORDING_INPUT_EMPTY;
        int r = recording_input_open(&in, o->path, o->name, NULL);

        if (r >= 0)
                r = recording_input_restrict(&in);
        if (r >= 0)
                r = recording_input_read(&in);
        if (r < 0)
                return EXIT_FAILURE;
        r = o->json ? header_print_json(&in) : report_header_print(in.reader, in.changed, true, stdout);
        if (r >= 0 && (fflush(stdout) != 0 || ferror(stdout)))
                r = -EIO;
        if (r < 0)
                (void) recording_input_fail(&in, "print the header of", r);
        return r < 0 || recording_input_report_damage(&in, 0) ? EXIT_FAILURE : EXIT_SUCCESS;
}

int verb_header(int argc, char **argv) {
        HeaderOptions o = {};
        int r = view_options_parse(&verb, &o, argc, argv);

        return r == 0 ? header(&o) : r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
