/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Options of pictures are long ones, as in flamegraph.pl, and take their value behind a blank or "=". */

#include "flame-options.h"

#include "flamegraph-rows.h"
#include "picture-looks.h"
#include "picture-output.h"
#include "string-table.h"

#define MAX_STACK 127u /* as of "report" */

enum { MARK_KERNEL = 1 << 0, MARK_JIT = 1 << 1, MARK_INLINED = 1 << 2 };

static const char *const formats[_FLAME_FORMAT_MAX] = {
        [FLAME_SVG] = "svg", [FLAME_HTML] = "html", [FLAME_FOLDED] = "folded", [FLAME_JSON] = "json",
};

/* Titles and looks are those that flamegraph.pl's users give such pictures. */
static const struct {
        const char *option, *title, *count_name;
        uint64_t unit; /* see FlamePicture */
        FlamePalette palette;
} subjects[_FLAME_SUBJECT_MAX] = {
        [FLAME_SAMPLES] = { .title = "Flame Graph", .count_name = "samples" },
        [FLAME_CHART] = { .option = "flamechart", .title = "Flame Chart", .count_name = "samples" },
        [FLAME_DIFF] = { .option = "diff", .title = "Differential Flame Graph", .count_name = "samples" },
        [FLAME_OFF_CPU] = { .option = "off-cpu", .title = "Off-CPU Time Flame Graph", .count_name = "us",
                            .unit = NSEC_PER_USEC, .palette = FLAME_IO },
        [FLAME_WAKERS] = { .option = "wakeup", .title = "Wakeup Time Flame Graph", .count_name = "us",
                           .unit = NSEC_PER_USEC, .palette = FLAME_WAKEUP },
};

int flame_take_format(void *field, const ViewOption *option, const char *value) {
        FlameFormat *format = field;

        *format = (FlameFormat) string_table_value(formats, ELEMENTSOF(formats), value);
        return (int) *format < 0 ? option_fail(option->name, value, "not svg, html, folded or json") : 0;
}

int flame_take_range(void *field, const ViewOption *option, const char *value) {
        *(bool *) field = streq(value, "a");
        return streq(value, "a") || streq(value, "b") ? 0 : option_fail(option->name, value, "neither a nor b");
}

static int take_subject(void *field, const ViewOption *option, const char *value) {
        FlameSubject *subject = field;

        if (*subject != FLAME_SAMPLES && *subject != (FlameSubject) option->number) {
                (void) fprintf(stderr, "--%s and --%s are not possible together: each says what is drawn\n",
                               subjects[*subject].option, option->name);
                return -EINVAL;
        }
        *subject = (FlameSubject) option->number;
        return 0;
}

static int take_grouping(void *field, const ViewOption *option, const char *value) {
        FrameGrouping *by = field;

        *by = frame_grouping_from_string(value);
        return (int) *by < 0 ? option_fail(option->name, value, "not comm, pid, tid, cpu, unit or host") : 0;
}

static int take_least(void *picture, const ViewOption *option, const char *value) {
        FlamePicture *p = picture;
        char *end;

        p->least = strtod(value, &end);
        p->least_percent = streq(end, "%");
        if (end == value || (*end && !p->least_percent) || !(p->least >= 0 && p->least <= 10000))
                return option_fail(option->name, value, "not a width as 0.1, or 0.05%");
        return 0;
}

static int take_factor(void *field, const ViewOption *option, const char *value) {
        double *factor = field;
        char *end;

        *factor = strtod(value, &end);
        if (end == value || *end || !(*factor > 0 && *factor < 1e12))
                return option_fail(option->name, value, "not a number above 0");
        return 0;
}

static int take_palette(void *options, const ViewOption *option, const char *value) {
        FlameOptions *o = options;

        o->colors_set = true;
        o->picture.palette = flame_palette_from_string(value);
        return (int) o->picture.palette < 0 ? option_fail(option->name, value, "no palette; see --help") : 0;
}

static int take_marks(void *field, const ViewOption *option, const char *value) {
        FoldedStyle *folded = field;

        folded->kernel |= (option->number & MARK_KERNEL) != 0;
        folded->jit |= (option->number & MARK_JIT) != 0;
        folded->inlined |= (option->number & MARK_INLINED) != 0;
        return 0;
}

static const ViewOption rows[] = { FLAMEGRAPH_ROWS };

static const ViewVerb verb = {
        .synopsis = "flamegraph [OPTION...]",
        .purpose = "Draw the call chains of a recording as a flame graph. Options are those of flamegraph.pl.",
        .options = rows, .n = ELEMENTSOF(rows),
};

/* The format follows from the file's name. */
static int choose_format(FlameOptions *o) {
        if (!o->output && isatty(STDOUT_FILENO)) {
                (void) fprintf(stderr, "No output file: use -o FILE, or redirect standard output\n");
                return -EINVAL;
        }
        o->output = o->output ?: "-";
        if ((int) o->format >= 0)
                return 0;
        if (streq(o->output, "-")) {
                o->format = FLAME_SVG;
                return 0;
        }
        o->format = (FlameFormat) string_table_value(formats, ELEMENTSOF(formats), picture_extension(o->output));
        return (int) o->format >= 0 ? 0 :
               option_fail("output", o->output, o->subject == FLAME_DIFF ? "its name does not end in .svg or .html" :
                           "its name does not end in .svg, .html, .folded or .json");
}

/* Gives the picture the looks of its subject, unless options say otherwise. */
static int choose_looks(FlameOptions *o) {
        FlamePicture *p = &o->picture;

        if (flame_subject_is_wait(o->subject) && (o->event || o->periods)) {
                (void) fprintf(stderr, "--%s has an event and weights of its own: leave out --event and --period\n",
                               subjects[o->subject].option);
                return -EINVAL;
        }
        if (o->subject == FLAME_DIFF && o->periods) {
                (void) fprintf(stderr, "--diff compares numbers of samples: leave out --period\n");
                return -EINVAL;
        }
        if (o->subject == FLAME_DIFF && !flame_format_has_caption(o->format)) {
                (void) fprintf(stderr, "A comparison is drawn as svg or html, and not as %s\n", formats[o->format]);
                return -EINVAL;
        }
        if (o->subject != FLAME_DIFF && (o->comparison.on_baseline || o->comparison.normalize != DIFF_BY_TIME)) {
                (void) fprintf(stderr, "--on and --normalize are for comparisons: add --diff\n");
                return -EINVAL;
        }
        if (!p->title)
                p->title = p->inverted && o->subject == FLAME_SAMPLES ? "Icicle Graph" : subjects[o->subject].title;
        o->count_set = p->count_name != NULL;
        p->unit = o->count_set || p->factor != 1 ? 0 : subjects[o->subject].unit;
        p->count_name = p->count_name ?: subjects[o->subject].count_name;
        p->palette = o->colors_set ? p->palette : subjects[o->subject].palette;
        return 0;
}

const char *flame_subject_option(FlameSubject subject) {
        return subjects[subject].option;
}

void flame_options_init(FlameOptions *o) {
        *o = (FlameOptions) {
                .format = _FLAME_FORMAT_INVALID, .max_stack = MAX_STACK,
                .picture = {
                        .name_type = "Function:", .font = "Verdana", .font_size = 12, .width = 1200, .frame_height = 16,
                        .least = 0.1, .factor = 1,
                },
        };
}

int flame_options_complete(FlameOptions *o) {
        int r = choose_format(o);

        if (r == 0)
                r = choose_looks(o);
        if (r == 0)
                r = o->subject == FLAME_DIFF && !o->comparison.trigger.wanted ? diff_inputs_complete(&o->inputs, &o->select) :
                    recording_names_complete(&o->inputs);
        return r;
}

int flame_options_parse(FlameOptions *options, int argc, char **argv) {
        int r;

        flame_options_init(options);
        r = view_options_parse(&verb, options, argc, argv);
        return r == 0 ? flame_options_complete(options) : r;
}

void flame_options_done(FlameOptions *options) {
        free(options->inputs.names);
        name_options_done(&options->names);
        selection_options_done(&options->select);
        chain_patterns_done(&options->chains);
        *options = (FlameOptions) {};
}
