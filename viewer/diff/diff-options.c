/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Words and letters are those of perf diff, but for -C, which is the CPUs, as everywhere here. */

#include "diff-options.h"

#include "array.h"
#include "diff-rows.h"
#include "parse-number.h"

static const struct {
        const char *word, *title;
} diff_keys[_DIFF_KEY_MAX] = {
        [DIFF_KEY_COMM] = { "comm", "Command" }, [DIFF_KEY_PID] = { "pid", "Pid:Command" },
        [DIFF_KEY_DSO] = { "dso", "Shared Object" }, [DIFF_KEY_SYMBOL] = { "symbol", "Symbol" },
        [DIFF_KEY_CPU] = { "cpu", "CPU" }, [DIFF_KEY_UNIT] = { "unit", "Unit" }, [DIFF_KEY_CGROUP] = { "cgroup", "Cgroup" },
};

const char *diff_key_word(DiffKey key) {
        return diff_keys[key].word;
}

const char *diff_key_title(DiffKey key) {
        return diff_keys[key].title;
}

static int diff_add_key(void *userdata, const char *word) {
        DiffOptions *o = userdata;

        word = streq(word, "sym") ? "symbol" : streq(word, "tid") ? "pid" : word;
        for (unsigned i = 0; i < _DIFF_KEY_MAX; i++)
                if (streq(word, diff_keys[i].word)) {
                        if (!ANY_OF(o->n_keys, k, o->keys[k] == i))
                                o->keys[o->n_keys++] = i;
                        return 0;
                }
        return -EINVAL;
}

static int diff_take_sort(void *options, const ViewOption *option, const char *value) {
        DiffOptions *o = options;
        int r;

        o->n_keys = 0;
        o->sorted = true;
        r = option_list_parse(option->name, value, diff_add_key, o);
        return r < 0 || o->n_keys > 0 ? r : option_fail(option->name, value, "no key");
}

static int diff_take_compute(void *field, const ViewOption *option, const char *value) {
        static const char *const words[_DIFF_COMPUTE_MAX] = {
                [DIFF_DELTA_ABS] = "delta-abs", [DIFF_DELTA] = "delta", [DIFF_RATIO] = "ratio",
        };

        for (unsigned i = 0; i < _DIFF_COMPUTE_MAX; i++)
                if (streq(value, words[i])) {
                        *(DiffCompute *) field = i;
                        return 0;
                }
        return option_fail(option->name, value, "not one of delta, delta-abs, ratio");
}

static int diff_take_order(void *field, const ViewOption *option, const char *value) {
        *(bool *) field = streq(value, "0");
        return streq(value, "0") || streq(value, "1") ? 0 : option_fail(option->name, value, "neither 0 nor 1");
}

/* perf diff has the letter for the order. */
static int diff_take_output(void *options, const ViewOption *option, const char *value) {
        DiffOptions *o = options;

        if (streq(value, "0") || streq(value, "1"))
                o->by_baseline = streq(value, "0");
        else
                o->output = value;
        return 0;
}

static int diff_take_on(void *options, const ViewOption *option, const char *value) {
        DiffOptions *o = options;

        o->on = true;
        return flame_take_range(&o->on_baseline, option, value);
}

/* "5%" and "5" are the same. Something can grow by more than the whole was. */
static int diff_take_fail_above(void *field, const ViewOption *option, const char *value) {
        char *end;
        double percent = strtod(value, &end);

        if (end == value || (!streq(end, "%") && *end) || !(percent >= 0 && percent < 1e9))
                return option_fail(option->name, value, "not a percentage");
        *(double *) field = percent;
        return 0;
}

static int diff_take_trigger(void *field, const ViewOption *option, const char *value) {
        DiffTrigger *trigger = field;

        trigger->wanted = true;
        return value ? time_window_take_span(&trigger->span, option->name, value) : 0;
}

static int diff_take_baseline(void *field, const ViewOption *option, const char *value) {
        return parse_uint(value, field) < 0 || *(unsigned *) field == 0 ?
                option_fail(option->name, value, "not a number of dumps") : 0;
}

/* The dump comes first, and the baseline behind it. */
static int diff_complete_trigger(DiffOptions *o) {
        const TimeWindow *w = &o->select.window;

        if (o->select.n_times > 0 || w->last > 0 || w->before_trigger > 0 || w->around_trigger > 0)
                (void) fprintf(stderr, "--trigger=SPAN says which part is compared: --time, --last, --before-trigger and "
                               "--around-trigger can't\n");
        else if (o->baseline > 0 && o->inputs.n == 1)
                (void) fprintf(stderr, "--baseline: no earlier recording is named\n");
        else
                return recording_names_complete(&o->inputs);
        return -EINVAL;
}

static const ViewOption diff_options[] = { DIFF_ROWS };

static const ViewVerb diff_verb = {
        .synopsis = "diff [OPTION...]",
        .purpose = "Show which functions took more or less of two recordings, as perf diff does, and mark those of which chance\n"
                   "is no explanation. Without -i the recordings are perf.data.old and perf.data.",
        .options = diff_options, .n = ELEMENTSOF(diff_options),
};

/* Completes the recordings, and which part of one is compared. */
static int diff_complete(DiffOptions *o) {
        const char *lone = o->trigger.wanted ? NULL : o->summary ? "summary" : o->baseline > 0 ? "baseline" : NULL;
        const char *unpictured = o->json ? "json" : o->summary ? "summary" : o->fail_above >= 0 ? "fail-above" :
                                 o->sorted ? "sort" : NULL;
        const char *pictured = o->on ? "on" : (int) o->format >= 0 ? "format" : NULL;

        if (o->output && unpictured) {
                (void) fprintf(stderr, "--output draws a picture: leave out --%s\n", unpictured);
                return -EINVAL;
        }
        if (!o->output && pictured) {
                (void) fprintf(stderr, "--%s is for a picture, which -o FILE.svg or FILE.html draws\n", pictured);
                return -EINVAL;
        }
        if (lone) {
                (void) fprintf(stderr, "--%s is for --trigger\n", lone);
                return -EINVAL;
        }
        return o->trigger.wanted ? diff_complete_trigger(o) : diff_inputs_complete(&o->inputs, &o->select);
}

int diff_options_parse(DiffOptions *o, int argc, char **argv) {
        int r;

        *o = (DiffOptions) {
                .keys = { DIFF_KEY_DSO, DIFF_KEY_SYMBOL }, .n_keys = 2, .fail_above = -1, .format = _FLAME_FORMAT_INVALID,
        };
        r = view_options_parse(&diff_verb, o, argc, argv);
        return r == 0 ? diff_complete(o) : r;
}

void diff_options_done(DiffOptions *o) {
        free(o->inputs.names);
        selection_options_done(&o->select);
        name_options_done(&o->names);
        *o = (DiffOptions) {};
}
