/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Words that other verbs have, too, mean the same here. */

#include "export-options.h"

#include "export-rows.h"
#include "picture-output.h"
#include "string-table.h"

static const char *const formats[_EXPORT_FORMAT_MAX] = {
        [EXPORT_PPROF] = "pprof", [EXPORT_SPEEDSCOPE] = "speedscope", [EXPORT_CALLGRIND] = "callgrind", [EXPORT_CSV] = "csv",
        [EXPORT_FIREFOX] = "firefox",
};

static int take_format(void *field, const ViewOption *option, const char *value) {
        ExportFormat *format = field;

        *format = (ExportFormat) string_table_value(formats, ELEMENTSOF(formats), value);
        return (int) *format < 0 ? option_fail(option->name, value, "not firefox, pprof, speedscope, callgrind or csv") : 0;
}

static const ViewOption rows[] = { EXPORT_ROWS };

static const ViewVerb verb = {
        .synopsis = "export --format=FORMAT [OPTION...]",
        .purpose = "Write the call chains of a recording in a format of other tools.",
        .options = rows, .n = ELEMENTSOF(rows),
};

static int export_check_options(ExportOptions *o) {
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
        int r;

        *options = (ExportOptions) { .format = _EXPORT_FORMAT_INVALID };
        r = view_options_parse(&verb, options, argc, argv);
        if (r == 0)
                r = export_check_options(options);
        return r == 0 ? recording_names_complete(&options->inputs) : r;
}

void export_options_done(ExportOptions *options) {
        free(options->inputs.names);
        name_options_done(&options->names);
        selection_options_done(&options->select);
        *options = (ExportOptions) {};
}
