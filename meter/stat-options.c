/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* As perf stat's options. Events are kept as they are read; what depends on the target is completed behind the last word. */

#include "stat-options.h"

#include <limits.h>
#include <sys/stat.h>

#include "array.h"
#include "control-channel.h"
#include "format-text.h"
#include "grammar.h"
#include "parse-number.h"
#include "stat-rows.h"
#include "view-options.h"

#define INTERVAL_MIN 1u /* ms */
#define TIMEOUT_MIN 10u
#define RUNS_MAX 1000000u

static int stat_take_word(void *field, const ViewOption *option, const char *value) {
        StatOptions *o = field;

        if (ARRAY_RESERVE_NEXT(o->what.words, o->what.n_words) < 0)
                return -ENOMEM;
        o->what.words[o->what.n_words++] = (StatWord) { option->number, value };
        if (option->number >= STAT_CPUS)
                o->target_words = value;
        return 0;
}

static int stat_take_detailed(void *field, const ViewOption *option, const char *value) {
        unsigned *detail = field;

        *detail += 1;
        return 0;
}

static int stat_take_number(const ViewOption *option, const char *value, uint64_t least, uint64_t most, uint64_t *ret) {
        if (parse_uint64(value, ret) < 0)
                return option_fail(option->name, value, "not a number");
        if (*ret < least || *ret > most)
                return option_fail(option->name, value, *ret < least ? "too small" : "too large");
        return 0;
}

static int stat_take_runs(void *field, const ViewOption *option, const char *value) {
        uint64_t runs;
        int r = stat_take_number(option, value, 0, RUNS_MAX, &runs);

        *(unsigned *) field = (unsigned) runs;
        return r;
}

static int stat_take_interval(void *field, const ViewOption *option, const char *value) {
        return stat_take_number(option, value, INTERVAL_MIN, UINT32_MAX, field);
}

static int stat_take_times(void *field, const ViewOption *option, const char *value) {
        return stat_take_number(option, value, 1, UINT32_MAX, field);
}

static int stat_take_timeout(void *field, const ViewOption *option, const char *value) {
        return stat_take_number(option, value, TIMEOUT_MIN, UINT32_MAX, field);
}

static int stat_take_delay(void *field, const ViewOption *option, const char *value) {
        bool never = streq(value, "-1");
        uint64_t msec = 0;
        int r = never ? 0 : stat_take_number(option, value, 0, UINT32_MAX, &msec);

        *(long *) field = never ? -1 : (long) msec;
        return r;
}

static int stat_take_placing(void *field, const ViewOption *option, const char *value) {
        *(StatPlacing *) field = (StatPlacing) option->number;
        return 0;
}

static int stat_take_fd(void *field, const ViewOption *option, const char *value) {
        uint64_t fd;
        int r = stat_take_number(option, value, 1, INT_MAX, &fd);

        *(int *) field = (int) fd;
        return r;
}

static const ViewOption stat_rows[] = { STAT_ROWS }, stat_report_rows[] = { STAT_REPORT_ROWS };

static const ViewVerb stat_verb = {
        .synopsis = "stat [OPTION...] [record | --] [COMMAND [ARGUMENT...]]\n       perf-recorder-meter stat report [OPTION...]",
        .purpose = "Run a command, and count what it does; or count until it ends, or until Ctrl-C, what others do.",
        .options = stat_rows, .n = ELEMENTSOF(stat_rows), .command = true,
};

static const ViewVerb stat_record_verb = {
        .synopsis = "stat record [-o FILE] [OPTION...] [--] [COMMAND [ARGUMENT...]]",
        .purpose = "Count as stat does, and write the counts into a file, too, perf.data unless -o names another one.",
        .options = stat_rows, .n = ELEMENTSOF(stat_rows), .command = true,
};

static const ViewVerb stat_report_verb = {
        .synopsis = "stat report [-i FILE] [OPTION...]",
        .purpose = "Show the counts of a recording, which perf stat record can have made, too.",
        .options = stat_report_rows, .n = ELEMENTSOF(stat_report_rows),
};

void stat_options_done(StatOptions *o) {
        event_specs_done(&o->what.events);
        target_done(&o->what.target);
        free(o->what.words);
}

static int options_apply_word(StatOptions *o, const StatWord *word, Diagnosis *d) {
        switch ((StatWordKind) word->kind) {
        case STAT_EVENTS:
                return event_specs_parse(&o->what.events, word->value, NULL, d);
        case STAT_FILTER:
                return event_specs_set_filter(&o->what.events, word->value, d);
        case STAT_CGROUP:
                return event_specs_set_cgroups(&o->what.events, word->value, d);
        case STAT_CPUS:
                return target_set_cpus(&o->what.target, word->value, d);
        case STAT_USER:
                return target_set_user(&o->what.target, word->value, d);
        case STAT_PIDS:
                return target_add_pids(&o->what.target, word->value, d);
        default:
                return target_add_tids(&o->what.target, word->value, d);
        }
}

static bool kernel_has_event(const char *name) {
        _cleanup_free_ char *path = format_text("/sys/bus/event_source/devices/cpu/events/%s", name);

        return path && access(path, F_OK) >= 0;
}

/* perf's events by default, of which those of stalled cycles are on few CPUs. */
static int options_add_defaults(StatOptions *o, Diagnosis *d) {
        static const char *const detailed[] = {
                "L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses",
                "L1-icache-loads,L1-icache-load-misses,dTLB-loads,dTLB-load-misses,iTLB-loads,iTLB-load-misses",
                "L1-dcache-prefetches,L1-dcache-prefetch-misses",
        };
        _cleanup_free_ char *events = format_text("%s,context-switches,cpu-migrations,page-faults,cycles%s%s,instructions,branches,"
                                                  "branch-misses", target_has_cpu(&o->what.target) ? "cpu-clock" : "task-clock",
                                                  kernel_has_event("stalled-cycles-frontend") ? ",stalled-cycles-frontend" : "",
                                                  kernel_has_event("stalled-cycles-backend") ? ",stalled-cycles-backend" : "");
        int r = events ? event_specs_parse(&o->what.events, events, NULL, d) : -ENOMEM;

        for (size_t i = 0; r >= 0 && i < MIN_OF(o->what.detail, (unsigned) ELEMENTSOF(detailed)); i++)
                r = event_specs_parse(&o->what.events, detailed[i], NULL, d);
        return r;
}

/* Adds the events once, for a control group or for all. */
static int options_add_events(StatOptions *o, const char *cgroup, Diagnosis *d) {
        size_t before = o->what.events.n_specs;
        int r = 0;

        for (size_t i = 0; r >= 0 && i < o->what.n_words; i++)
                if (o->what.words[i].kind < STAT_CPUS)
                        r = options_apply_word(o, o->what.words + i, d);
        if (r >= 0 && o->what.events.n_specs == before && !o->what.null)
                r = options_add_defaults(o, d);
        for (size_t i = before; r >= 0 && cgroup && i < o->what.events.n_specs; i++) {
                free(o->what.events.specs[i].cgroup);
                o->what.events.specs[i].cgroup = strdup(cgroup);
                r = o->what.events.specs[i].cgroup ? 0 : -ENOMEM;
        }
        return r;
}

static int options_add_all_events(StatOptions *o, Diagnosis *d) {
        _cleanup_free_ char *groups = o->what.cgroups ? strdup(o->what.cgroups) : NULL;
        char *rest;
        int r = 0;

        if (!o->what.cgroups)
                return options_add_events(o, NULL, d);
        if (!groups)
                return -ENOMEM;
        for (char *group = strtok_r(groups, ",", &rest); r >= 0 && group; group = strtok_r(NULL, ",", &rest))
                r = options_add_events(o, group, d);
        return r;
}

/* Returns what does not go together; NULL: all does. */
static const char *options_contradiction(const StatOptions *o) {
        const Target *t = &o->what.target;
        bool has_cpu = target_has_cpu(t), has_task = target_has_task(t);

        if (!o->command && !has_cpu && !has_task)
                return "Nothing to count: give a command, or -a, -C, -p or -t";
        if (o->how.json && o->how.separator)
                return "-j and -x exclude each other";
        if (o->how.output && o->how.log_fd > 0)
                return "-o and --log-fd exclude each other";
        if (o->when.delay < 0 && !o->when.control)
                return "-D -1 needs --control, which enables the events";
        if (o->when.times > 0 && o->when.interval == 0)
                return "--interval-count needs -I";
        if (o->when.timeout > 0 && o->when.times > 0)
                return "--timeout and --interval-count exclude each other";
        if (o->when.runs != 1 && !o->command)
                return "-r needs a command";
        if (o->when.runs != 1 && o->mode == STAT_RECORD)
                return "record and -r exclude each other";
        if (o->when.runs != 1 && o->when.interval > 0)
                return "-r and -I exclude each other";
        if (o->how.placing == STAT_BY_THREAD ? !has_task : o->how.placing != STAT_ALL && !has_cpu)
                return o->how.placing == STAT_BY_THREAD ? "--per-thread needs -p, -t or -a" :
                        "Counts by CPU, core, die, socket or node need -a or -C";
        if ((o->what.cgroups || ANY_OF(o->what.n_words, i, o->what.words[i].kind == STAT_CGROUP)) && !has_cpu)
                return "Counts of control groups need -a or -C";
        return NULL;
}

static int options_complete(StatOptions *o) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_strv_free_ char **notes = NULL;
        _cleanup_free_ char *sentence = NULL;
        const char *contradiction;
        int r = 0;

        for (size_t i = 0; r >= 0 && i < o->what.n_words; i++)
                if (o->what.words[i].kind >= STAT_CPUS)
                        r = options_apply_word(o, o->what.words + i, &d);
        if (o->how.placing == STAT_BY_THREAD && o->what.target.all_cpus) {
                o->what.target.all_cpus = false;
                o->what.target.all_threads = true;
        }
        if (r >= 0 && o->when.control)
                r = control_channel_check_address(o->when.control, &d);
        if (r >= 0 && (target_has_cpu(&o->what.target) || target_has_task(&o->what.target)))
                r = target_check(&o->what.target, &notes);
        STRV_FOREACH(note, notes)
                (void) fprintf(stderr, "%s\n", *note);
        contradiction = r >= 0 ? options_contradiction(o) : NULL;
        if (contradiction) {
                (void) fprintf(stderr, "%s\n", contradiction);
                return -EINVAL;
        }
        if (r >= 0)
                r = options_add_all_events(o, &d);
        if (r >= 0 || r == -ENOMEM)
                return r;
        sentence = diagnosis_format(&d);
        (void) fprintf(stderr, "%s\n", sentence ?: strerror(-r));
        return -EINVAL;
}

/* As in perf, what is recorded goes to a pipe if standard output is one and no file is named. */
static void options_set_recording(StatOptions *o) {
        struct stat st;

        o->recording = o->how.output;
        o->how.output = NULL;
        if (!o->recording)
                o->recording = fstat(STDOUT_FILENO, &st) >= 0 && S_ISFIFO(st.st_mode) ? "-" : "perf.data";
}

int stat_options_parse(StatOptions *o, int argc, char **argv) {
        int r;

        *o = (StatOptions) { .what.target = TARGET_EMPTY, .when.runs = 1, .words = argv };
        r = view_options_parse(&stat_verb, o, argc, argv);
        if (r == 0 && optind < argc) {
                argc -= optind;
                argv += optind;
                o->mode = streq(*argv, "record") ? STAT_RECORD : streq(*argv, "report") ? STAT_REPORT : STAT_SHOW;
                optind = 0;
                if (o->mode != STAT_SHOW)
                        r = view_options_parse(o->mode == STAT_RECORD ? &stat_record_verb : &stat_report_verb, o, argc, argv);
        }
        if (r != 0)
                return r;
        if (o->mode == STAT_RECORD)
                options_set_recording(o);
        if (o->how.separator && streq(o->how.separator, "\\t")) /* as in perf */
                o->how.separator = "\t";
        if (o->mode == STAT_REPORT)
                return 0;
        if (optind < argc)
                o->command = argv + optind;
        return options_complete(o);
}

char *stat_options_subject(const StatOptions *o) {
        const Target *t = &o->what.target;
        _cleanup_free_ char *words = NULL;

        if (t->all_cpus || t->all_threads)
                return strdup("'system wide'");
        if (t->n_cpus > 0)
                return format_text("'CPU(s) %s'", o->target_words);
        if (target_has_task(t))
                return format_text("%s id '%s'", t->n_tids > 0 ? "thread" : t->n_pids > 0 ? "process" : "user", o->target_words);
        words = strv_join(o->command, " ");
        return words ? format_text("'%s'", words) : NULL;
}
