/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Words and letters are perf top's, where it has the option; the number of refreshes and the batch mode are top(1)'s, without their
 * letters, which perf top has for other things. */

#include "top.h"

#include <math.h>
#include <perf-recorder/live-window.h>

#include "array.h"
#include "grammar.h"
#include "live-target.h"
#include "parse-number.h"
#include "parse-time.h"
#include "privilege.h"
#include "sysctl.h"
#include "top-rows.h"

#define DELAY_MIN_SECONDS 0.05
#define DELAY_MAX_SECONDS 86400.0
#define WIDTH_MAX 4096u
#define LAST_DEFAULT (5 * NSEC_PER_SEC)

enum { TOP_EVENTS, TOP_FILTER };

static int top_take_events(void *field, const ViewOption *option, const char *value) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *sentence = NULL;
        int r = option->number == TOP_EVENTS ? event_specs_parse(field, value, NULL, &d) : event_specs_set_filter(field, value, &d);

        if (r >= 0 || r == -ENOMEM)
                return r;
        sentence = diagnosis_format(&d);
        (void) fprintf(stderr, "%s\n", sentence ?: strerror(-r));
        return -EINVAL;
}

static int top_take_number(void *field, const ViewOption *option, const char *value) {
        return parse_uint64(value, field) < 0 || *(uint64_t *) field == UINT64_MAX ?
               option_fail(option->name, value, "not a number") : 0;
}

static int top_take_frequency(void *field, const ViewOption *option, const char *value) {
        uint64_t *frequency = field;

        *frequency = UINT64_MAX;
        if (streq(value, "max"))
                return 0;
        return parse_uint64(value, frequency) < 0 || *frequency == 0 ? option_fail(option->name, value, "not a frequency") : 0;
}

static int top_take_call_graph(void *field, const ViewOption *option, const char *value) {
        if (value && !streq(value, "fp"))
                return option_fail(option->name, value, "call chains are followed by frame pointers (fp) while they are shown; "
                                   "perfctl record --call-graph has the others");
        *(bool *) field = true;
        return 0;
}

static int top_take_max_stack(void *field, const ViewOption *option, const char *value) {
        unsigned *frames = field;

        return parse_uint(value, frames) < 0 || *frames == 0 || *frames > CALL_GRAPH_FRAMES_MAX ?
               option_fail(option->name, value, "not a number of frames from 1 to 65535") : 0;
}

static int top_take_names(void *field, const ViewOption *option, const char *value) {
        return option_list_parse(option->name, value, option_list_take_name, field);
}

static int top_take_percentage(void *field, const ViewOption *option, const char *value) {
        *(bool *) field = streq(value, "relative");
        return *(bool *) field || streq(value, "absolute") ? 0 :
               option_fail(option->name, value, "neither relative nor absolute");
}

static int top_take_delay(void *field, const ViewOption *option, const char *value) {
        char *end;
        double seconds = strtod(value, &end);

        if (end == value || *end || !isfinite(seconds) || seconds < DELAY_MIN_SECONDS || seconds > DELAY_MAX_SECONDS)
                return option_fail(option->name, value, "not a number of seconds from 0.05 to 86400");
        *(uint64_t *) field = (uint64_t) (seconds * USEC_PER_SEC);
        return 0;
}

static int top_take_last(void *field, const ViewOption *option, const char *value) {
        usec_t span = USEC_INFINITY;

        if (!streq(value, "all") && (parse_timespan(value, &span) < 0 || span == 0))
                return option_fail(option->name, value, "not a span of time, as 10s, and not all");
        *(uint64_t *) field = span < UINT64_MAX / NSEC_PER_USEC ? span * NSEC_PER_USEC : UINT64_MAX;
        return 0;
}

/* perfctl has replaced the name of a session by this (live-window.h). */
static bool top_take_word(void *options, const char *word) {
        const char *number = startswith(word, PR_WINDOWS_WORD), *colon = number ? strchr(number, ':') : NULL;
        TopOptions *o = options;
        char text[16];

        if (!colon || o->session || (size_t) (colon - number) >= sizeof(text))
                return false;
        (void) snprintf(text, sizeof(text), "%.*s", (int) (colon - number), number);
        o->session = colon + 1;
        return parse_int(text, &o->windows_fd) >= 0 && o->windows_fd >= 0;
}

static int top_take_keys(void *field, const ViewOption *option, const char *value) {
        static const TopKey keys[] = {
                { "comm", REPORT_COMM, 0 }, { "pid", REPORT_PID, SAMPLE_BY_THREAD }, { "dso", REPORT_DSO, 0 },
                { "symbol", REPORT_SYMBOL, 0 }, { "sym", REPORT_SYMBOL, 0 }, { "cpu", REPORT_CPU, SAMPLE_BY_CPU },
                { "cgroup", REPORT_CGROUP, SAMPLE_BY_CGROUP }, { "unit", REPORT_UNIT, SAMPLE_BY_CGROUP },
                { "container", REPORT_CONTAINER, SAMPLE_BY_CGROUP },
        };
        _cleanup_free_ char *list = strdup(value);
        TopOptions *o = (void *) ((char *) field - offsetof(TopOptions, keys));
        char *rest = list, *word;

        if (!list)
                return -ENOMEM;
        o->keys.n = 0;
        while ((word = strv_next_of_list(&rest))) {
                size_t i = 0;

                while (i < ELEMENTSOF(keys) && !streq(keys[i].word, word))
                        i++;
                if (i == ELEMENTSOF(keys))
                        return option_fail(option->name, word, "not one of comm, pid, dso, symbol, cpu, cgroup, unit, container");
                if (!top_options_have_key(o, keys[i].key))
                        o->keys.all[o->keys.n++] = keys + i;
        }
        return o->keys.n > 0 ? 0 : option_fail(option->name, value, "it has no key");
}

static int top_take_widths(void *field, const ViewOption *option, const char *value) {
        _cleanup_free_ char *list = strdup(value);
        TopLook *look = (void *) ((char *) field - offsetof(TopLook, widths));
        char *rest = list, *word;

        if (!list)
                return -ENOMEM;
        for (look->widths.n = 0; (word = strv_next_of_list(&rest)); look->widths.n++)
                if (look->widths.n == TOP_KEYS_MAX || parse_uint(word, look->widths.all + look->widths.n) < 0 ||
                    look->widths.all[look->widths.n] > WIDTH_MAX)
                        return option_fail(option->name, value, "not a list of widths");
        return 0;
}

static const ViewOption rows[] = { TOP_ROWS };

static const ViewVerb verb = {
        .synopsis = "top [OPTION...] [SESSION]",
        .purpose = "Show the functions in which CPUs spend their time now, as perf top --stdio does, until Ctrl-C. Of a session,\n"
                   "show what its recorder has in memory: no other event is opened.",
        .options = rows, .n = ELEMENTSOF(rows), .take_word = top_take_word,
};

/* Returns the option, if there is one, that says what is to be sampled: a session has decided that. */
static const char *top_option_of_events(const TopOptions *o) {
        return o->events.n_specs > 0 ? "--event" : o->target.all_cpus ? "--all-cpus" : o->frequency > 0 ? "--freq" :
               o->period > 0 ? "--count" : o->no_inherit ? "--no-inherit" : o->pages > 0 ? "--mmap-pages" :
               o->max_stack > 0 ? "--max-stack" :
               o->target.uid != TARGET_UID_INVALID ? "--uid" : o->groups ? "--cgroup" : o->zero ? "--zero" : NULL;
}

/* The default event leaves the kernel out if the user may not see it. */
static int top_add_default_event(TopOptions *o) {
        int r = event_specs_add_default(&o->events, NULL);

        if (r < 0 || privilege_sees_kernel())
                return r;
        (void) fprintf(stderr, "kernel.perf_event_paranoid is %d: the kernel is left out\n",
                       sysctl_read("kernel/perf_event_paranoid", 2));
        return event_specs_leave_out_kernel(&o->events);
}

int top_options_parse(TopOptions *o, int argc, char **argv) {
        static const ViewOption sort = { .name = "sort" };
        _cleanup_strv_free_ char **notes = NULL;
        const char *contradiction = NULL;
        int r;

        *o = (TopOptions) { .target = TARGET_EMPTY, .look.entries = UINT64_MAX, .windows_fd = -EBADF };
        r = top_take_keys(&o->keys, &sort, "dso,symbol");
        if (r >= 0)
                r = view_options_parse(&verb, o, argc, argv);
        if (r != 0)
                return r;
        o->delay = o->delay ?: (o->session ? 1 : 2) * USEC_PER_SEC;
        if (o->session && top_option_of_events(o)) {
                (void) fprintf(stderr, "%s is not for a session, whose events are as its file has them\n", top_option_of_events(o));
                return -EINVAL;
        }
        if (o->last > 0 && !o->session)
                contradiction = "--last is for what a session has in memory: name one";
        else if (o->groups && target_has_task(&o->target))
                contradiction = "Control groups are sampled on CPUs: -G and --unit exclude -p, -t and -u";
        else if (o->frequency > 0 && o->period > 0)
                contradiction = "-F and -c exclude each other";
        else if (o->hide_kernel && o->hide_user)
                contradiction = "-K and -U leave nothing to show";
        if (contradiction) {
                (void) fprintf(stderr, "%s\n", contradiction);
                return -EINVAL;
        }
        if (strv_contains(o->only.dsos, "[kernel]")) /* as it is shown */
                r = strv_extend(&o->only.dsos, "[kernel.kallsyms]");
        if (r < 0)
                return r;
        if (o->session) {
                o->last = o->last ?: LAST_DEFAULT;
                return 0;
        }
        if (o->groups) {
                live_target_drop_inner_groups(o->groups);
                o->target.all_cpus = o->target.n_cpus == 0;
        }
        r = target_check(&o->target, &notes); /* nobody's is everybody's */
        STRV_FOREACH(note, notes)
                (void) fprintf(stderr, "%s\n", *note);
        return r < 0 || o->events.n_specs > 0 ? r : top_add_default_event(o);
}

bool top_options_want_text(const TopOptions *o) {
        return o->look.stdio || o->iterations > 0 || o->only.comms || o->only.dsos || o->only.symbols || o->look.least > 0 ||
               o->look.entries != UINT64_MAX || o->look.widths.n > 0 || o->look.verbose;
}

void top_options_done(TopOptions *o) {
        event_specs_done(&o->events);
        target_done(&o->target);
        strv_free(o->groups);
        strv_free(o->only.comms);
        strv_free(o->only.dsos);
        strv_free(o->only.symbols);
}
