/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Words, their abbreviations and defaults are perf script's. */

#include "script-options.h"

#include "parse-number.h"
#include "script-rows.h"
#include "strv.h"

#define MAX_STACK 127u /* PERF_MAX_STACK_DEPTH */
#define MAX_STACK_MAX 65536u

static int take_fields(void *fields, const ViewOption *option, const char *value) {
        return script_fields_parse(fields, value);
}

static int take_max_stack(void *field, const ViewOption *option, const char *value) {
        unsigned n;

        if (parse_uint(value, &n) < 0 || n > MAX_STACK_MAX)
                return option_fail(option->name, value, "not a number of addresses up to 65536");
        *(size_t *) field = n;
        return 0;
}

static int add_stop(void *userdata, const char *word) {
        return strv_extend(userdata, word);
}

static int take_stop(void *field, const ViewOption *option, const char *value) {
        return option_list_parse(option->name, value, add_stop, field);
}

static int take_records(void *field, const ViewOption *option, const char *value) {
        *(unsigned *) field |= (unsigned) option->number;
        return 0;
}


static const ViewOption rows[] = { SCRIPT_ROWS };

static const ViewVerb verb = {
        .synopsis = "script [OPTION...]", .purpose = "Show every sample of a recording in the order of time, as perf script does.",
        .options = rows, .n = ELEMENTSOF(rows),
};

static int script_check_options(const ScriptOptions *o) {
        if (o->json && (o->header || o->records != 0 || o->style.relative || o->style.delta)) {
                (void) fprintf(stderr, "--json has samples with their own times only, and goes with none of --header, "
                                       "--show-...-events, --reltime and --deltatime\n");
                return -EINVAL;
        }
        if (o->show_on_off && !o->on && !o->off) {
                (void) fprintf(stderr, "--show-on-off-events needs --switch-on or --switch-off\n");
                return -EINVAL;
        }
        if (o->style.relative && o->style.delta) {
                (void) fprintf(stderr, "--reltime and --deltatime exclude each other\n");
                return -EINVAL;
        }
        return 0;
}

int script_options_parse(ScriptOptions *options, int argc, char **argv) {
        int r;

        *options = (ScriptOptions) { .style = { .chains = true, .max_stack = MAX_STACK } };
        script_fields_init(&options->fields);
        r = view_options_parse(&verb, options, argc, argv);
        options->header = options->header || options->header_only;
        options->style.marks = !options->names.plain_addresses && !options->style.stop; /* perf has none */
        if (r == 0)
                r = script_check_options(options);
        return r == 0 ? recording_names_complete(&options->inputs) : r;
}

void script_options_done(ScriptOptions *options) {
        free(options->inputs.names);
        strv_free(options->style.stop);
        selection_options_done(&options->select);
        name_options_done(&options->names);
        *options = (ScriptOptions) {};
}
