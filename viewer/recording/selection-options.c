/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Lists of the same option add up; of CPUs and times, the last one counts. */

#include "selection-options.h"

#include "array.h"
#include "parse-number.h"
#include "sample-times.h"
#include "strv.h"
#include "unit-path.h"

typedef struct Numbers {
        uint32_t **numbers;
        size_t *n;
} Numbers;

static int selection_take_number(void *userdata, const char *word) {
        const Numbers *to = userdata;
        unsigned number;
        int r = parse_uint(word, &number);

        if (r < 0)
                return r;
        if (ARRAY_RESERVE_NEXT(*to->numbers, *to->n) < 0)
                return -ENOMEM;
        (*to->numbers)[(*to->n)++] = number;
        return 0;
}

static int selection_take_unit(void *userdata, const char *word) {
        _cleanup_free_ char *unit = unit_path_complete(word);

        return unit ? strv_extend(userdata, unit) : -ENOMEM;
}

static int take_cpus(SelectionOptions *s, const char *value) {
        int r;

        free(s->cpus);
        s->cpus = NULL;
        s->n_cpus = 0;
        r = parse_cpu_list(value, &s->cpus, &s->n_cpus);
        return r == -ENOMEM ? r : r < 0 ? option_fail("cpu", value, "not a list of CPUs") : 0;
}

static int take_time(SelectionOptions *s, const char *value) {
        int r;

        free(s->times);
        s->times = NULL;
        s->n_times = 0;
        s->time_words = value;
        r = time_ranges_parse(value, &s->times, &s->n_times);
        return r == -EINVAL ? option_fail("time", value, "neither a range 'SECONDS,SECONDS' of the recording's clock nor parts of "
                                          "it, '10%/2' or '0%-20%'") : r;
}

int selection_options_take(void *select, const ViewOption *option, const char *value) {
        SelectionOptions *s = select;
        const char *name = option->name;

        switch (option->number) {
        case SELECTION_COMMS:
                return option_list_parse(name, value, option_list_take_name, &s->comms);
        case SELECTION_DSOS:
                return option_list_parse(name, value, option_list_take_name, &s->dsos);
        case SELECTION_SYMBOLS:
                return option_list_parse(name, value, option_list_take_name, &s->symbols);
        case SELECTION_PID:
                return option_list_parse(name, value, selection_take_number, &(Numbers) { &s->pids, &s->n_pids });
        case SELECTION_TID:
                return option_list_parse(name, value, selection_take_number, &(Numbers) { &s->tids, &s->n_tids });
        case SELECTION_CPU:
                return take_cpus(s, value);
        case SELECTION_UNIT:
                return option_list_parse(name, value, selection_take_unit, &s->units);
        case SELECTION_TIME:
                return take_time(s, value);
        case SELECTION_LAST:
                return time_window_take_span(&s->window.last, name, value);
        case SELECTION_SINCE:
                return time_window_take_point(&s->window.since, name, value);
        case SELECTION_UNTIL:
                return time_window_take_point(&s->window.until, name, value);
        case SELECTION_BEFORE_TRIGGER:
                return time_window_take_span(&s->window.before_trigger, name, value);
        case SELECTION_NO_IDLE:
                s->no_idle = true;
                return 0;
        default:
                return time_window_take_span(&s->window.around_trigger, name, value);
        }
}

void selection_options_done(SelectionOptions *s) {
        strv_free(s->comms);
        strv_free(s->dsos);
        strv_free(s->symbols);
        strv_free(s->units);
        free(s->pids);
        free(s->tids);
        free(s->cpus);
        free(s->times);
        *s = (SelectionOptions) {};
}

/* Replaces spans by the times that are in none of them; without any, all times are selected. */
static int selection_take_others(SampleSpan **spans, size_t *n) {
        _cleanup_free_ SampleSpan *others = NULL;
        size_t n_others = 0;
        int r = 0;

        for (size_t i = 0; r >= 0 && i < *n; i++)
                if ((*spans)[i].until == 0 || (*spans)[i].since <= (*spans)[i].until)
                        r = sample_spans_leave_out(&others, &n_others, (*spans)[i]);
        if (r >= 0) {
                free(*spans);
                *spans = steal_ptr(others);
                *n = n_others;
        }
        return r;
}

/* Finds the spans of --time, and cuts them down to the window; *ret is a new array. */
static int find_spans(const SelectionOptions *s, const RecordingInput *in, SampleSpan **ret, size_t *ret_n) {
        _cleanup_free_ SampleSpan *spans = NULL;
        uint64_t first = 0, last = 0;
        SampleSpan window;
        size_t n = s->n_times;
        int r = time_ranges_have_parts(s->times, n) ? sample_times_find(in->reader, &first, &last) : 0;

        if (r < 0)
                return recording_input_fail(in, "find the times of samples in", r);
        spans = time_ranges_spans(s->times, n, first, last);
        if (!spans)
                return recording_input_fail(in, "read", -ENOMEM);
        if (time_window_is_set(&s->window)) {
                r = time_window_find(&s->window, in, &window);
                if (r < 0)
                        return r;
                if (n == 0)
                        spans[n++] = window; /* there is room for one */
                time_window_cut(spans, n, window);
        }
        r = s->other_times ? selection_take_others(&spans, &n) : 0;
        if (r >= 0 && s->left_out_of && in->session && streq(in->session, s->left_out_of))
                r = sample_spans_leave_out(&spans, &n, s->left_out);
        if (r < 0)
                return recording_input_fail(in, "read", r);
        *ret = steal_ptr(spans);
        *ret_n = n;
        return 0;
}

static int check_cgroups(const RecordingInput *in) {
        const PerfDataEvent *events;
        size_t n = perf_data_reader_events(in->reader, &events);

        if (ANY_OF(n, i, events[i].attr.sample_type & PERF_SAMPLE_CGROUP))
                return 0;
        (void) fprintf(stderr, "%s does not have the units of its samples: --all-cgroups records them, or SampleFields=cgroup in a "
                       "session file\n", in->name);
        return -ENODATA;
}

int selection_options_find(const SelectionOptions *s, const RecordingInput *in, SampleSpan **ret_spans, SampleSelection *ret) {
        _cleanup_free_ SampleSpan *spans = NULL;
        size_t n;
        int r = find_spans(s, in, &spans, &n);

        if (r >= 0 && s->units)
                r = check_cgroups(in);
        if (r < 0)
                return r;
        *ret_spans = steal_ptr(spans);
        *ret = (SampleSelection) {
                .pids = s->pids, .n_pids = s->n_pids, .tids = s->tids, .n_tids = s->n_tids, .cpus = s->cpus, .n_cpus = s->n_cpus,
                .comms = s->comms, .units = s->units, .spans = *ret_spans, .n_spans = n, .no_idle = s->no_idle,
        };
        return 0;
}
