/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Each range has a table of its own, so that recordings of other machines, with other clocks and with other builds of the same
 * programs can be compared. One recording is opened once, and read by two readers.
 *
 * With a trigger, the first recording is what is compared: the time before its trigger. The baseline is what the recording has from
 * before that time, or earlier recordings without the time before their own triggers, which is as little what is usual. What was
 * recorded after a trigger is in neither.
 *
 * The time of a range is what it selects between the first and the last sample of its recording, of whatever thread and CPU. */

#include "diff-range.h"

#include "option-list.h"
#include "sample-times.h"
#include "selection-text.h"

static const char *const diff_normalize_words[_DIFF_NORMALIZE_MAX] = { [DIFF_BY_TIME] = "time", [DIFF_BY_TOTAL] = "total" };

const char *diff_normalize_word(DiffNormalize normalize) {
        return diff_normalize_words[normalize];
}

int diff_take_normalize(void *field, const ViewOption *option, const char *value) {
        for (unsigned i = 0; i < _DIFF_NORMALIZE_MAX; i++)
                if (streq(value, diff_normalize_words[i])) {
                        *(DiffNormalize *) field = i;
                        return 0;
                }
        return option_fail(option->name, value, "neither time nor total");
}

int diff_inputs_complete(RecordingNames *names, const SelectionOptions *select) {
        static const ViewOption input = { .name = "input", .number = RECORDING_PATH };
        bool timed = select->n_times > 0 || time_window_is_set(&select->window);
        int r = 0;

        if (names->n == 0) {
                r = recording_names_take(names, &input, "perf.data.old");
                if (r >= 0)
                        r = recording_names_take(names, &input, "perf.data");
        }
        if (r < 0 || names->n == 2 || (names->n == 1 && timed))
                return r;
        if (names->n > 2)
                (void) fprintf(stderr, "Two recordings are compared, and not %zu\n", names->n);
        else
                (void) fprintf(stderr, "One recording is compared only with itself: name a second one, or with --last, --since or "
                               "--time the part that is compared with the rest\n");
        return -EINVAL;
}

void diff_ranges_done(DiffRange *ranges) {
        for (unsigned i = 0; i < _DIFF_RANGES; i++) {
                counted_samples_done(&ranges[i].samples);
                span_counts_done(&ranges[i].spans);
                free(ranges[i].part);
                free(ranges[i].session);
        }
}

/* Opens a recording that is open for a second reader. */
static int diff_open_again(RecordingInput *in, const RecordingInput *first) {
        char descriptor[16];
        int r;

        (void) snprintf(descriptor, sizeof(descriptor), "&%d", first->fd);
        r = recording_input_open(in, descriptor, first->name, NULL);
        in->path = first->path;
        in->symfs = first->symfs;
        if (r >= 0 && first->symbols)
                r = free_and_strdup(&in->symbols, first->symbols);
        return r;
}

static int diff_open_inputs(RecordingInputs *all, const RecordingNames *names) {
        int r = 0;

        all->n = MAX_OF(names->n, (size_t) _DIFF_RANGES);
        all->inputs = calloc(all->n, sizeof(*all->inputs));
        if (!all->inputs)
                return all->n = 0, -ENOMEM;
        for (size_t i = 0; i < all->n; i++)
                all->inputs[i] = (RecordingInput) RECORDING_INPUT_EMPTY;
        for (size_t i = 0; r >= 0 && i < names->n; i++)
                r = recording_input_open(all->inputs + i, names->names[i].path, names->names[i].name, names->names[i].symfs);
        if (r >= 0 && names->n < _DIFF_RANGES)
                r = diff_open_again(all->inputs + 1, all->inputs);
        if (r >= 0)
                r = recording_inputs_restrict(all->inputs, all->n, 0);
        for (size_t i = 0; r >= 0 && i < all->n; i++)
                r = recording_input_read(all->inputs + i);
        return r;
}

/* Selects the time before the trigger, and what is earlier. */
static int diff_select_trigger(DiffRange *ranges, const DiffTrigger *trigger, const RecordingInput *in) {
        usec_t span = trigger->span ?: time_window_incident(in, NULL) ?: TIME_WINDOW_INCIDENT;
        SelectionOptions *baseline = &ranges[DIFF_BASELINE].select;
        int r;

        ranges[DIFF_COMPARED].select.window.before_trigger = baseline->window.earlier = span;
        r = time_window_find(&ranges[DIFF_COMPARED].select.window, in, &baseline->left_out);
        if (r < 0)
                return r;
        for (unsigned i = 0; i < _DIFF_RANGES; i++)
                ranges[i].spans.length = span * NSEC_PER_USEC;
        return in->session ? free_and_strdup(&ranges[DIFF_COMPARED].session, in->session) : 0;
}

/* Reports that an earlier dump has nothing from before its own incident. *ret: whether it has something. */
static int diff_has_usual(const DiffRange *baseline, const RecordingInput *in, bool *ret) {
        char span[64];
        uint64_t first, last;
        SampleSpan window;
        int r = time_window_find(&baseline->select.window, in, &window);

        *ret = r < 0 || sample_times_find(in->reader, &first, &last) < 0 || (first < window.until && window.since < last);
        if (!*ret)
                (void) fprintf(stderr, "%s is left out of the baseline: nothing in it is more than %s before its own trigger\n",
                               in->name, format_timespan(span, sizeof(span), baseline->select.window.earlier));
        return r;
}

int diff_ranges_open(DiffRange *ranges, const RecordingNames *names, const SelectionOptions *select, const DiffTrigger *trigger) {
        _cleanup_(recording_inputs_done) RecordingInputs all = {};
        int r = diff_open_inputs(&all, names);

        for (unsigned i = 0; r >= 0 && i < _DIFF_RANGES; i++) {
                ranges[i].select = *select;
                ranges[i].select.other_times = i == DIFF_BASELINE && names->n == 1 && !trigger->wanted;
        }
        if (r >= 0 && trigger->wanted) {
                r = diff_select_trigger(ranges, trigger, all.inputs);
                ranges[DIFF_BASELINE].select.left_out_of = ranges[DIFF_COMPARED].session;
        }
        for (size_t i = 0; r >= 0 && i < all.n; i++) {
                bool compared = trigger->wanted ? i == 0 : i == DIFF_COMPARED, usual = true;

                if (trigger->wanted && !compared && names->n > 1)
                        r = diff_has_usual(ranges + DIFF_BASELINE, all.inputs + i, &usual);
                if (r < 0 || !usual)
                        continue;
                r = counted_samples_take(&ranges[compared ? DIFF_COMPARED : DIFF_BASELINE].samples, all.inputs + i);
                if (r < 0)
                        (void) recording_input_fail(all.inputs + i, "read", r);
        }
        if (r >= 0 && ranges[DIFF_BASELINE].samples.inputs.n == 0) {
                (void) fprintf(stderr, "No earlier dump is left to compare with: --trigger with a shorter SPAN leaves more of "
                               "them, or --baseline takes a greater number\n");
                r = -ENODATA;
        }
        return r;
}

/* Returns how much of the time between two moments is in spans, of which none is all of it; they do not overlap. */
static double diff_sum_spans(const SampleSpan *spans, size_t n, uint64_t first, uint64_t last) {
        double sum = n > 0 ? 0 : (double) (last - first);

        for (size_t i = 0; i < n; i++) {
                uint64_t since = MAX_OF(first, spans[i].since);
                uint64_t until = spans[i].until > 0 ? MIN_OF(last, spans[i].until) : last;

                sum += until > since ? (double) (until - since) : 0;
        }
        return sum / NSEC_PER_SEC;
}

/* Selected spans may overlap; the times beside them do not. */
static int diff_measure(DiffRange *range) {
        _cleanup_free_ SampleSpan *spans = NULL, *others = NULL;
        const RecordingInput *in = range->samples.inputs.inputs;
        SelectionOptions opposite = range->select;
        SampleSelection selection, other;
        int r = sample_times_find(in->reader, &range->first, &range->last);

        if (r == -ENODATA)
                return 0;
        if (r < 0)
                return recording_input_fail(in, "find the times of samples in", r);
        opposite.other_times = !opposite.other_times;
        r = selection_options_find(&range->select, in, &spans, &selection);
        if (r >= 0)
                r = selection_options_find(&opposite, in, &others, &other);
        if (r < 0)
                return r;
        if (range->select.other_times)
                range->seconds = diff_sum_spans(spans, selection.n_spans, range->first, range->last);
        else
                range->seconds = diff_sum_spans(NULL, 0, range->first, range->last) -
                                 (selection.n_spans > 0 ? diff_sum_spans(others, other.n_spans, range->first, range->last) : 0);
        return 0;
}

/* The same for several recordings, of which each selects one span at most, and has the times of others left out. */
static int diff_measure_all(DiffRange *range) {
        const RecordingInputs *all = &range->samples.inputs;
        int r = 0;

        for (size_t i = 0; r >= 0 && i < all->n; i++) {
                _cleanup_free_ SampleSpan *spans = NULL;
                uint64_t first, last;
                SampleSelection selection;

                r = sample_times_find(all->inputs[i].reader, &first, &last);
                if (r == -ENODATA) {
                        r = 0;
                        continue;
                }
                if (r < 0)
                        return recording_input_fail(all->inputs + i, "find the times of samples in", r);
                range->first = range->first > 0 ? MIN_OF(range->first, first) : first;
                range->last = MAX_OF(range->last, last);
                r = selection_options_find(&range->select, all->inputs + i, &spans, &selection);
                if (r >= 0)
                        r = recording_inputs_leave_out_common(all, i, &spans, &selection.n_spans);
                if (r >= 0)
                        range->seconds += diff_sum_spans(spans, selection.n_spans, first, last);
        }
        return r;
}

void diff_ranges_remark_common(const DiffRange *ranges) {
        const DiffRange *baseline = ranges + DIFF_BASELINE, *compared = ranges + DIFF_COMPARED;
        const RecordingInput *in = baseline->samples.inputs.inputs, *other = compared->samples.inputs.inputs;
        uint64_t since = MAX_OF(baseline->first, compared->first), until = MIN_OF(baseline->last, compared->last);

        if (baseline->select.other_times || baseline->spans.length > 0 || !in->session || !other->session ||
            !streq(in->session, other->session) || since >= until)
                return;
        (void) fprintf(stderr, "%s and %s have the same samples of %.3f s: what changed is there in both; --last and the like "
                       "compare a part\n", in->name, other->name, (double) (until - since) / NSEC_PER_SEC);
}

static int diff_range_read(DiffRange *range, const CountingPlan *plan) {
        CountingPlan own = *plan;
        int r = selection_text(&range->select, &range->part);

        own.select = &range->select;
        own.spans = range->spans.length > 0 ? &range->spans : NULL;
        if (r < 0)
                return recording_input_fail(range->samples.inputs.inputs, "read", r);
        r = range->spans.length > 0 ? diff_measure_all(range) : diff_measure(range);
        if (r >= 0)
                r = counted_samples_count(&range->samples, &own);
        return r < 0 ? r : counted_samples_name(&range->samples);
}

/* Without times, nothing can be compared in a second. */
static int diff_check_times(const DiffRange *ranges) {
        for (const DiffRange *x = ranges; x < ranges + _DIFF_RANGES; x++) {
                const char *title = counted_samples_title(&x->samples);

                if (x->seconds > 0)
                        continue;
                if (x->last == 0)
                        (void) fprintf(stderr, "%s has no samples with times: --normalize=total compares shares\n", title);
                else
                        (void) fprintf(stderr, "%s%s takes no time: it can't be compared\n", title,
                                       x->select.other_times ? ", the rest," : ", what is selected,");
                return -ENODATA;
        }
        return 0;
}

int diff_ranges_read(DiffRange *ranges, const CountingPlan *plan, DiffNormalize normalize) {
        int r = 0;

        for (unsigned i = 0; r >= 0 && i < _DIFF_RANGES && !progress_was_interrupted(); i++)
                r = diff_range_read(ranges + i, plan);
        progress_release_interrupt(); /* the rest is quick, and has nothing that a half of it would be good for */
        if (r >= 0 && progress_was_interrupted()) {
                (void) fprintf(stderr, "Interrupted: nothing is compared, since only a part was read\n");
                return -EINTR;
        }
        return r < 0 || normalize != DIFF_BY_TIME ? r : diff_check_times(ranges);
}

double diff_exposure(const DiffRange *ranges, const uint64_t *samples, const uint64_t *weight, unsigned range) {
        unsigned counted = weight[range] > 0 ? range : DIFF_BASELINE;

        return ranges[range].seconds * (double) samples[counted] / (double) MAX_OF(weight[counted], (uint64_t) 1);
}
