/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Options of pictures are long ones, as in flamegraph.pl, and take their value behind a blank or "=". */

#include "flame-options.h"

#include <getopt.h>

#include "option-list.h"
#include "parse-number.h"
#include "picture-output.h"
#include "string-table.h"
#include "utf8.h"

#define MAX_STACK 127u /* as of "report" */
#define MAX_STACK_MAX 4096u
#define TEXT_MAX_BYTES ((size_t) 1024)

static const char *const formats[_FLAME_FORMAT_MAX] = {
        [FLAME_SVG] = "svg", [FLAME_HTML] = "html", [FLAME_FOLDED] = "folded", [FLAME_JSON] = "json",
};

/* Titles and looks are those that flamegraph.pl's users give such pictures. */
static const struct {
        const char *option, *title, *count_name;
        FlamePalette palette;
} subjects[_FLAME_SUBJECT_MAX] = {
        [FLAME_SAMPLES] = { .title = "Flame Graph", .count_name = "samples" },
        [FLAME_CHART] = { .option = "flamechart", .title = "Flame Chart", .count_name = "samples" },
        [FLAME_OFF_CPU] = { .option = "off-cpu", .title = "Off-CPU Time Flame Graph", .count_name = "us", .palette = FLAME_IO },
        [FLAME_WAKERS] = { .option = "wakeup", .title = "Wakeup Time Flame Graph", .count_name = "us", .palette = FLAME_WAKEUP },
};

enum { OPTION_INPUT_NAME = 0x100, OPTION_SYMFS, OPTION_FORMAT, OPTION_EVENT, OPTION_BY, OPTION_PERIOD, OPTION_ONLY, OPTION_EXCLUDE,
       OPTION_MAX_STACK, OPTION_INLINE, OPTION_TITLE, OPTION_SUBTITLE, OPTION_NOTES, OPTION_WIDTH, OPTION_HEIGHT, OPTION_MINWIDTH,
       OPTION_FONTTYPE, OPTION_FONTSIZE, OPTION_COUNTNAME, OPTION_NAMETYPE, OPTION_COLORS, OPTION_BGCOLORS, OPTION_HASH,
       OPTION_REVERSE, OPTION_INVERTED, OPTION_FACTOR, OPTION_SEARCH, OPTION_KERNEL, OPTION_JIT, OPTION_ALL,
       OPTION_OFF_CPU, OPTION_WAKEUP, OPTION_FLAMECHART };

static const struct option long_options[] = {
        { "input", required_argument, NULL, 'i' },
        { "input-name", required_argument, NULL, OPTION_INPUT_NAME },
        { "symfs", required_argument, NULL, OPTION_SYMFS },
        { "output", required_argument, NULL, 'o' },
        { "format", required_argument, NULL, OPTION_FORMAT },
        { "event", required_argument, NULL, 'e' },
        { "off-cpu", no_argument, NULL, OPTION_OFF_CPU },
        { "wakeup", no_argument, NULL, OPTION_WAKEUP },
        { "flamechart", no_argument, NULL, OPTION_FLAMECHART },
        { "by", required_argument, NULL, OPTION_BY },
        { "period", no_argument, NULL, OPTION_PERIOD },
        { "only", required_argument, NULL, OPTION_ONLY },
        { "exclude", required_argument, NULL, OPTION_EXCLUDE },
        { "max-stack", required_argument, NULL, OPTION_MAX_STACK },
        { "inline", no_argument, NULL, OPTION_INLINE },
        { "title", required_argument, NULL, OPTION_TITLE },
        { "subtitle", required_argument, NULL, OPTION_SUBTITLE },
        { "notes", required_argument, NULL, OPTION_NOTES },
        { "width", required_argument, NULL, OPTION_WIDTH },
        { "height", required_argument, NULL, OPTION_HEIGHT },
        { "minwidth", required_argument, NULL, OPTION_MINWIDTH },
        { "fonttype", required_argument, NULL, OPTION_FONTTYPE },
        { "fontsize", required_argument, NULL, OPTION_FONTSIZE },
        { "countname", required_argument, NULL, OPTION_COUNTNAME },
        { "nametype", required_argument, NULL, OPTION_NAMETYPE },
        { "colors", required_argument, NULL, OPTION_COLORS },
        { "bgcolors", required_argument, NULL, OPTION_BGCOLORS },
        { "hash", no_argument, NULL, OPTION_HASH },
        { "reverse", no_argument, NULL, OPTION_REVERSE },
        { "inverted", no_argument, NULL, OPTION_INVERTED },
        { "factor", required_argument, NULL, OPTION_FACTOR },
        { "search", required_argument, NULL, OPTION_SEARCH },
        { "kernel", no_argument, NULL, OPTION_KERNEL },
        { "jit", no_argument, NULL, OPTION_JIT },
        { "all", no_argument, NULL, OPTION_ALL },
        { "comms", required_argument, NULL, 'c' },
        SELECTION_ROWS,
        NAME_ROWS,
        { "verbose", no_argument, NULL, 'v' },
        { "help", no_argument, NULL, 'h' },
        {},
};

static void print_help(void) {
        (void) printf("perf-recorder-view flamegraph [OPTION...]\n\n"
                      "Draw the call chains of a recording as a flame graph. Options are those of flamegraph.pl.\n\n"
                      "  -i --input=FILE              The recording, or - for standard input (perf.data);\n"
                      "                               several of them are shown as one\n"
                      "     --input-name=NAME         What messages call it\n"
                      "     --symfs=DIRECTORY         The directory of its symbols (the one beside it)\n"
                      "  -o --output=FILE             Where it goes (standard output): FILE.svg, .html, .folded,\n"
                      "                               .json\n"
                      "     --format=FORMAT           svg, html, folded or json, whatever the file's name ends in\n"
                      "  -e --event=EVENT             Draw this event (the one with the most samples)\n"
                      "     --off-cpu                 Draw how long threads were off the CPU, by how they left it:\n"
                      "                               samples of sched:sched_switch with call chains\n"
                      "     --flamechart              Draw samples in the order of time, one thread after the other\n"
                      "     --wakeup                  Draw how long threads slept, by what woke them: samples of\n"
                      "                               sched:sched_switch, and of sched:sched_waking with call chains\n"
                      "     --by=KEY                  The first level: comm, pid, tid, cpu, unit, host (comm)\n"
                      "     --period                  Weigh samples by their periods\n"
                      "     --only=REGEX              Only call chains that match, as \"comm;outer;inner\"\n"
                      "     --exclude=REGEX           Only those that do not match\n"
                      "     --max-stack=NUMBER        Use at most that many addresses of a call chain (127)\n"
                      "     --inline                  Show inlined functions, too\n"
                      "     --reverse                 Begin with the functions that were hit, not with callers\n"
                      "     --inverted                Draw it from the top down\n"
                      "     --title=TEXT --subtitle=TEXT --notes=TEXT\n"
                      "                               Texts above it, and one that is not shown\n"
                      "     --width=PIXELS            How wide it is (1200)\n"
                      "     --height=PIXELS           How high a frame is (16)\n"
                      "     --minwidth=WIDTH          Leave out narrower frames: 0.1, or 0.05%% (0.1)\n"
                      "     --fonttype=FONT --fontsize=PIXELS\n"
                      "                               The font (Verdana, 12)\n"
                      "     --countname=TEXT          What is counted (samples)\n"
                      "     --nametype=TEXT           What is before names (Function:)\n"
                      "     --colors=PALETTE          kinds tells kernel, user, inlined and JIT code apart (the\n"
                      "                               default); java, js, perl: the same; hot, mem, io, wakeup,\n"
                      "                               chain, red, green, blue, aqua, yellow, purple, orange\n"
                      "     --bgcolors=COLOR          The background: yellow, blue, green, grey or #rrggbb\n"
                      "     --factor=NUMBER           Multiply weights by this\n"
                      "     --search=REGEX            Search for this at once\n"
                      "     --kernel --jit            Mark code of the kernel by _[k], generated code by _[j], in\n"
                      "                               .folded\n"
                      "     --all                     Mark both, and inlined code by _[i]\n"
                      "  -c --comms=NAME[,NAME...]    Only threads with these names\n"
                      SELECTION_HELP
                      NAME_HELP
                      "  -v --verbose                 Report on the sandbox\n"
                      "     --hash                    Accepted: a function always has the same colour\n");
}

static int parse_pixels(const char *option, const char *value, unsigned least, unsigned most, unsigned *ret) {
        char why[64];

        if (parse_uint(value, ret) >= 0 && *ret >= least && *ret <= most)
                return 0;
        (void) snprintf(why, sizeof(why), "not a number of pixels from %u to %u", least, most);
        return option_fail(option, value, why);
}

static int parse_least(FlamePicture *p, const char *value) {
        char *end;

        p->least = strtod(value, &end);
        p->least_percent = streq(end, "%");
        if (end == value || (*end && !p->least_percent) || !(p->least >= 0 && p->least <= 10000))
                return option_fail("minwidth", value, "not a width as 0.1, or 0.05%");
        return 0;
}

static int parse_factor(FlamePicture *p, const char *value) {
        char *end;

        p->factor = strtod(value, &end);
        if (end == value || *end || !(p->factor > 0 && p->factor < 1e12))
                return option_fail("factor", value, "not a number above 0");
        return 0;
}

static int parse_pattern(const char *option, const char *value, regex_t *ret, bool *has) {
        if (*has)
                regfree(ret);
        *has = regcomp(ret, value, REG_EXTENDED | REG_NOSUB) == 0;
        return *has ? 0 : option_fail(option, value, "not a regular expression");
}

static int parse_background(FlamePicture *p, const char *value) {
        static const struct {
                const char *name, *color;
        } colors[] = {
                { "yellow", "#fbfbe2" }, { "blue", "#eaeefb" }, { "green", "#eafbea" }, { "grey", "#f2f2f2" },
                { "gray", "#f2f2f2" },
        };

        for (size_t i = 0; i < ELEMENTSOF(colors); i++)
                if (streq(value, colors[i].name)) {
                        p->background = colors[i].color;
                        return 0;
                }
        p->background = value;
        return *value == '#' && strlen(value) == 7 && strspn(value + 1, "0123456789abcdefABCDEF") == 6 ? 0 :
               option_fail("bgcolors", value, "not yellow, blue, green, grey or #rrggbb");
}

static int parse_max_stack(FlameOptions *o, const char *value) {
        unsigned n;

        if (parse_uint(value, &n) < 0 || n == 0 || n > MAX_STACK_MAX)
                return option_fail("max-stack", value, "not a number of addresses up to 4096");
        o->max_stack = n;
        return 0;
}

/* A text of the picture; the words of the command line may be anything. */
static int check_text(const char *option, const char *value, const char **ret) {
        for (const char *p = value; *p;) {
                uint32_t c;
                size_t n = utf8_decode(p, SIZE_MAX, &c);

                if (n == 0 || utf8_is_control(c))
                        return option_fail(option, "", "not a line of UTF-8");
                p += n;
        }
        *ret = value;
        return 0;
}

static int take_text(FlameOptions *o, int option, const char *value) {
        FlamePicture *p = &o->picture;

        switch (option) {
        case OPTION_TITLE:
                o->title_set = true;
                return check_text("title", value, &p->title);
        case OPTION_SUBTITLE:
                return check_text("subtitle", value, &p->subtitle);
        case OPTION_NOTES:
                return check_text("notes", value, &p->notes);
        case OPTION_FONTTYPE:
                return *value && value[strspn(value, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 ,-")] == '\0' ?
                       check_text("fonttype", value, &p->font) : option_fail("fonttype", value, "not the name of a font");
        case OPTION_COUNTNAME:
                o->count_set = true;
                return check_text("countname", value, &p->count_name);
        case OPTION_NAMETYPE:
                return check_text("nametype", value, &p->name_type);
        default:
                return check_text("search", value, &p->search);
        }
}

static int take_look(FlameOptions *o, int option, const char *value) {
        FlamePicture *p = &o->picture;

        switch (option) {
        case OPTION_WIDTH:
                return parse_pixels("width", value, 100, 100000, &p->width);
        case OPTION_HEIGHT:
                return parse_pixels("height", value, 4, 200, &p->frame_height);
        case OPTION_FONTSIZE:
                return parse_pixels("fontsize", value, 4, 100, &p->font_size);
        case OPTION_MINWIDTH:
                return parse_least(p, value);
        case OPTION_FACTOR:
                return parse_factor(p, value);
        case OPTION_COLORS:
                o->colors_set = true;
                p->palette = flame_palette_from_string(value);
                return (int) p->palette < 0 ? option_fail("colors", value, "no palette; see --help") : 0;
        case OPTION_BGCOLORS:
                return parse_background(p, value);
        case OPTION_INVERTED:
                p->inverted = true;
                return 0;
        case OPTION_HASH:
                return 0;
        case OPTION_KERNEL:
        case OPTION_JIT:
        case OPTION_ALL:
                o->folded.kernel |= option != OPTION_JIT;
                o->folded.jit |= option != OPTION_KERNEL;
                o->folded.inlined |= option == OPTION_ALL;
                return 0;
        default:
                return take_text(o, option, value);
        }
}

static int take_subject(FlameOptions *o, FlameSubject subject) {
        if (o->subject != FLAME_SAMPLES && o->subject != subject) {
                (void) fprintf(stderr, "--%s and --%s are not possible together: each says what is drawn\n",
                               subjects[o->subject].option, subjects[subject].option);
                return -EINVAL;
        }
        o->subject = subject;
        return 0;
}

/* Options that decide which call chains there are. */
static int take_content(FlameOptions *o, int option, const char *value) {
        int r;

        switch (option) {
        case 'e':
                o->event = value;
                return 0;
        case OPTION_BY:
                o->by = frame_grouping_from_string(value);
                return (int) o->by < 0 ? option_fail("by", value, "not comm, pid, tid, cpu, unit or host") : 0;
        case OPTION_OFF_CPU:
                return take_subject(o, FLAME_OFF_CPU);
        case OPTION_WAKEUP:
                return take_subject(o, FLAME_WAKERS);
        case OPTION_FLAMECHART:
                return take_subject(o, FLAME_CHART);
        case OPTION_PERIOD:
                o->periods = true;
                return 0;
        case OPTION_ONLY:
                return parse_pattern("only", value, &o->only, &o->has_only);
        case OPTION_EXCLUDE:
                return parse_pattern("exclude", value, &o->exclude, &o->has_exclude);
        case OPTION_MAX_STACK:
                return parse_max_stack(o, value);
        case OPTION_INLINE:
                o->inlined = true;
                return 0;
        case OPTION_REVERSE:
                o->reverse = true;
                return 0;
        default:
                if (option >= OPTION_TITLE && option <= OPTION_ALL)
                        return take_look(o, option, value);
                r = name_options_take(&o->names, option, value);
                return r != 0 ? MIN_OF(r, 0) : selection_options_take(&o->select, option, value);
        }
}

static int take_option(FlameOptions *o, int option) {
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
                o->format = (FlameFormat) string_table_value(formats, ELEMENTSOF(formats), optarg);
                return (int) o->format < 0 ? option_fail("format", optarg, "not svg, html, folded or json") : 0;
        case 'v':
                o->verbose = true;
                return 0;
        case 'h':
                print_help();
                return 1;
        default:
                return take_content(o, option, optarg);
        }
}

/* The format follows from the file's name. */
static int choose_format(FlameOptions *o) {
        if (!o->output && isatty(STDOUT_FILENO)) {
                (void) fprintf(stderr, "Where does the picture go? Give a file by -o, or direct standard output into one\n");
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
               option_fail("output", o->output, "its name does not end in .svg, .html, .folded or .json");
}

/* Gives the picture the looks of its subject, unless options say otherwise. */
static int choose_looks(FlameOptions *o) {
        FlamePicture *p = &o->picture;

        if (flame_subject_is_wait(o->subject) && (o->event || o->periods)) {
                (void) fprintf(stderr, "--%s has an event and weights of its own: leave out --event and --period\n",
                               subjects[o->subject].option);
                return -EINVAL;
        }
        if (!o->title_set)
                p->title = p->inverted && o->subject == FLAME_SAMPLES ? "Icicle Graph" : subjects[o->subject].title;
        p->count_name = o->count_set ? p->count_name : subjects[o->subject].count_name;
        p->palette = o->colors_set ? p->palette : subjects[o->subject].palette;
        return 0;
}

const char *flame_subject_option(FlameSubject subject) {
        return subjects[subject].option;
}

int flame_options_parse(FlameOptions *options, int argc, char **argv) {
        int option, r = 0;

        *options = (FlameOptions) {
                .format = _FLAME_FORMAT_INVALID, .max_stack = MAX_STACK,
                .picture = {
                        .name_type = "Function:", .font = "Verdana", .font_size = 12, .width = 1200, .frame_height = 16,
                        .least = 0.1, .factor = 1,
                },
        };
        optind = 0;
        while (r == 0 && (option = getopt_long(argc, argv, "i:o:e:c:C:u:k:vh", long_options, NULL)) >= 0)
                r = take_option(options, option);
        if (r == 0 && optind < argc) {
                (void) fprintf(stderr, "Excess argument: '%s'\n", argv[optind]);
                r = -EINVAL;
        }
        if (r == 0)
                r = choose_format(options);
        if (r == 0)
                r = choose_looks(options);
        return r == 0 && options->inputs.n == 0 ? recording_names_take(&options->inputs, NULL, NULL, NULL) : r;
}

void flame_options_done(FlameOptions *options) {
        free(options->inputs.names);
        name_options_done(&options->names);
        selection_options_done(&options->select);
        if (options->has_only)
                regfree(&options->only);
        if (options->has_exclude)
                regfree(&options->exclude);
        *options = (FlameOptions) {};
}
