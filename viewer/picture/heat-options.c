/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Without --by=offset, rows and the flame graph have the same groups; rows of latencies are latencies. */

#include "heat-options.h"

#include "heatmap-rows.h"
#include "parse-number.h"
#include "parse-time.h"
#include "picture-looks.h"
#include "picture-output.h"
#include "string-table.h"

#define MAX_STACK 127u /* as of "report" */
#define ROWS_MAX 1000u
#define COLUMNS_MAX 10000u
#define BOX_MAX 100u /* pixels */

static const char *const heat_formats[_HEAT_FORMAT_MAX] = { [HEAT_SVG] = "svg", [HEAT_HTML] = "html" };

static const struct {
        const char *rule, *title, *count_name;
} heat_subjects[_HEAT_SUBJECT_MAX] = {
        [HEAT_SAMPLES] = { NULL, "Heat Map", "samples" }, [HEAT_SCHED] = { "sched", "Scheduling Latency Heat Map", "waits" },
        [HEAT_BLOCK] = { "block", "Disk Latency Heat Map", "requests" },
        [HEAT_SYSCALL] = { "syscall", "System Call Latency Heat Map", "calls" },
        [HEAT_PAIR] = { NULL, "Latency Heat Map", "pairs" },
};

static int heat_take_latency(void *options, const ViewOption *option, const char *value) {
        HeatOptions *o = options;

        for (HeatSubject i = 0; i < _HEAT_SUBJECT_MAX; i++)
                if (heat_subjects[i].rule && streq(value, heat_subjects[i].rule)) {
                        o->subject = i;
                        o->rule = pair_rule_find(value);
                        return 0;
                }
        return option_fail(option->name, value, "not " PAIR_RULE_NAMES);
}

static int heat_take_pair(void *rule, const ViewOption *option, const char *value) {
        const char *why;
        int r = pair_rule_take_pair(rule, value, &why);

        return r == -EINVAL ? option_fail(option->name, value, why) : r;
}

static int heat_take_key(void *rule, const ViewOption *option, const char *value) {
        const char *why;
        int r = pair_rule_take_keys(rule, value, &why);

        return r == -EINVAL ? option_fail(option->name, value, why) : r;
}

static int heat_take_format(void *field, const ViewOption *option, const char *value) {
        HeatFormat *format = field;

        *format = (HeatFormat) string_table_value(heat_formats, ELEMENTSOF(heat_formats), value);
        return (int) *format < 0 ? option_fail(option->name, value, "neither html nor svg") : 0;
}

static int heat_take_rows(void *options, const ViewOption *option, const char *value) {
        HeatOptions *o = options;
        FrameGrouping by = frame_grouping_from_string(value);

        o->picture.grid.rows_of = streq(value, "offset") ? HEAT_OFFSETS : HEAT_GROUPS;
        o->by = (int) by >= 0 ? by : FRAME_BY_COMM;
        return (int) by < 0 && !streq(value, "offset") ?
                option_fail(option->name, value, "not offset, comm, pid, tid, cpu, unit or host") : 0;
}

/* The option's number is the most that may be given. */
static int heat_take_number(void *field, const ViewOption *option, const char *value) {
        unsigned *number = field;
        char why[64];

        if (parse_uint(value, number) >= 0 && *number > 0 && *number <= (unsigned) option->number)
                return 0;
        (void) snprintf(why, sizeof(why), "not a number from 1 to %d", option->number);
        return option_fail(option->name, value, why);
}

/* Seconds as trace2heatmap.pl has them, or a span with its unit. */
static int heat_take_seconds(void *field, const ViewOption *option, const char *value) {
        usec_t span;

        if (parse_timespan(value, &span) < 0 || span == 0 || span > UINT64_MAX / NSEC_PER_USEC)
                return option_fail(option->name, value, "not a time span as '0.5' or '10ms'");
        *(uint64_t *) field = span * NSEC_PER_USEC;
        return 0;
}

static const ViewOption heat_rows[] = { HEATMAP_ROWS };

static const ViewVerb heat_verb = {
        .synopsis = "heatmap [OPTION...]",
        .purpose = "Draw when samples were taken, as squares. In an .html, a click on them shows their flame graph, and\n"
                   "a second range the difference of both. Options are those of trace2heatmap.pl where it has them.",
        .options = heat_rows, .n = ELEMENTSOF(heat_rows),
};

/* The format follows from the file's name. */
static int heat_choose_format(HeatOptions *o) {
        if (!o->output && isatty(STDOUT_FILENO)) {
                (void) fprintf(stderr, "No output file: use -o FILE, or redirect standard output\n");
                return -EINVAL;
        }
        o->output = o->output ?: "-";
        if ((int) o->format < 0)
                o->format = (HeatFormat) string_table_value(heat_formats, ELEMENTSOF(heat_formats),
                                                            streq(o->output, "-") ? "svg" : picture_extension(o->output));
        return (int) o->format >= 0 ? 0 : option_fail("output", o->output, "its name does not end in .html or .svg");
}

/* Options of latencies need some, and two kinds of them are not drawn at once. */
static int heat_choose_subject(HeatOptions *o) {
        HeatGridPlan *grid = &o->picture.grid;
        const char *problem = NULL;

        if (pair_rule_is_set(&o->pair)) {
                problem = o->rule ? "--latency and --pair are not possible together: each says what is drawn" : NULL;
                o->subject = HEAT_PAIR;
                o->rule = &o->pair;
        } else if (o->pair.n_keys > 0)
                problem = "--key is of no use without --pair";
        if (!o->rule && (grid->linear || grid->least > 0 || grid->most > 0 || grid->row_step > 0))
                problem = "--linear, --minlat, --maxlat and --steplat are of latencies: give --latency or --pair";
        else if (o->rule && o->event)
                problem = "--latency and --pair have events of their own: leave out --event";
        else if (grid->row_step > 0 && !grid->linear)
                problem = "--steplat needs --linear";
        else if (grid->most > 0 && grid->most <= grid->least)
                problem = "--maxlat is not more than --minlat";
        if (problem) {
                (void) fprintf(stderr, "%s\n", problem);
                return -EINVAL;
        }
        grid->rows_of = o->rule ? HEAT_LATENCIES : grid->rows_of;
        o->flame.title = o->flame.title ?: heat_subjects[o->subject].title;
        o->flame.count_name = heat_subjects[o->subject].count_name;
        return 0;
}

int heat_options_parse(HeatOptions *o, int argc, char **argv) {
        int r;

        *o = (HeatOptions) {
                .format = _HEAT_FORMAT_INVALID, .max_stack = MAX_STACK,
                .picture = { .grid = { .rows = 50 }, .box = 8 },
                .flame = {
                        .name_type = "Function:", .font = "Verdana", .font_size = 12, .width = 1200, .frame_height = 16,
                        .least = 0.1, .factor = 1,
                },
        };
        o->picture.flame = &o->flame;
        r = view_options_parse(&heat_verb, o, argc, argv);
        if (r == 0)
                r = heat_choose_subject(o);
        if (r == 0)
                r = heat_choose_format(o);
        return r == 0 ? recording_names_complete(&o->inputs) : r;
}

void heat_options_done(HeatOptions *o) {
        free(o->inputs.names);
        name_options_done(&o->names);
        selection_options_done(&o->select);
        pair_rule_done(&o->pair);
        chain_patterns_done(&o->chains);
        *o = (HeatOptions) {};
}
